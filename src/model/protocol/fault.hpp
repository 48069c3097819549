#pragma once

#include "model/base/time.hpp"
#include "model/protocol/failure_protocol.hpp"

#include <string>

namespace troupe {

/// The kinds of failures.
enum class fault_kind : std::uint8_t {
  kill,   ///< a member dies; it is restarted at the end
  freeze, ///< a member stops
  drain, ///< a machine takes no more tasks; it is restarted at the end, and loses those that it has
  cut,   ///< messages between two sides are lost
  loss,  ///< some messages are lost
  delay, ///< messages are late
};

template <>
struct choice_names<fault_kind> {
  static constexpr std::array<std::string_view, 6> value{"kill", "freeze", "drain",
                                                         "cut",  "loss",   "delay"};
};

/// Returns whether failures of a kind concern messages; the others concern members.
constexpr bool of_network(fault_kind kind) {
  return kind == fault_kind::cut || kind == fault_kind::loss || kind == fault_kind::delay;
}

/// One failure.
struct fault {
  fault_kind kind = fault_kind::kill;
  instant from{0};
  instant to = instant::max(); ///< end; `instant::max()`: never
  role what = role::machine;   ///< kill, freeze and drain: the role of the member
  std::uint32_t number = 0;
  std::string a = "*"; ///< other kinds: the two sides; '*' matches any characters
  std::string b = "*";
  double loss = 0;
  duration delay{0};

  bool of_network() const { return troupe::of_network(kind); }
};

/// Returns the member or the two sides: "machine.3", "scheduler.* | owner.1".
std::string target_of(const fault& f);

/// Renders as "kill machine.3 from 1.5s to 4s".
std::string to_string(const fault& f);

} // namespace troupe
