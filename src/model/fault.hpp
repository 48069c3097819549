#pragma once

#include "model/failure_protocol.hpp"
#include "model/time.hpp"

#include <string>

namespace troupe {

/// What can go wrong.
enum class fault_kind : std::uint8_t {
  kill,   ///< a member dies; it is started again at the end
  freeze, ///< a member stands still
  cut,    ///< messages between two sides are lost
  loss,   ///< some of them are
  delay,  ///< they are late
};

inline std::string to_string(fault_kind kind) {
  constexpr const char* names[] = {"kill", "freeze", "cut", "loss", "delay"};
  return names[static_cast<std::size_t>(kind)];
}

/// One failure.
struct fault {
  fault_kind kind = fault_kind::kill;
  instant from{0};
  instant to = instant::max(); ///< when it is over; `instant::max()`: never
  role what = role::machine;   ///< kill and freeze: the role that fails
  std::uint32_t number = 0;
  std::string a = "*"; ///< the others: the two sides, in which '*' stands for any characters
  std::string b = "*";
  double loss = 0;
  duration delay{0};

  bool of_network() const { return kind != fault_kind::kill && kind != fault_kind::freeze; }
};

/// "kill machine.3 from 1.5s to 4s".
std::string to_string(const fault& f);

} // namespace troupe
