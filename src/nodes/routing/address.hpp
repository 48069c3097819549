#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <compare>
#include <cstdint>
#include <string>

namespace troupe {

/// The kind of actor that an address identifies.
enum class party : std::uint8_t { member, standby, recorder };

/// Identifies an actor of the cluster regardless of its node: role, number and incarnation; 0: the
/// latest incarnation.
struct address {
  party kind = party::member;
  role what = role::owner;
  std::uint32_t number = 0;
  incarnation_id incarnation = 0;

  friend auto operator<=>(const address&, const address&) = default;
};

inline std::string to_string(const address& a) {
  auto name = a.kind == party::recorder ? std::string{"recorder"} : to_string(a.what);
  if (a.kind == party::standby)
    name = "standby-" + name;
  name += '.' + std::to_string(a.number);
  return a.incarnation > 0 ? name + '/' + std::to_string(a.incarnation) : name;
}

} // namespace troupe
