#pragma once

#include "model/failure_protocol.hpp"

#include <compare>
#include <cstdint>
#include <string>

namespace troupe {

/// What kind of actor an address names.
enum class party : std::uint8_t { member, candidate, recorder };

/// Names an actor of the cluster wherever it lives: what it is, its number among its kind, and
/// which of its lives; 0: the latest one.
struct address {
  party kind = party::member;
  role what = role::owner;
  std::uint32_t number = 0;
  incarnation life = 0;

  friend auto operator<=>(const address&, const address&) = default;
};

inline std::string to_string(const address& a) {
  auto name = a.kind == party::recorder ? std::string{"recorder"} : to_string(a.what);
  if (a.kind == party::candidate)
    name = "candidate-" + name;
  name += '.' + std::to_string(a.number);
  return a.life > 0 ? name + '/' + std::to_string(a.life) : name;
}

} // namespace troupe
