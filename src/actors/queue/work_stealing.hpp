#pragma once

#include "model/base/random.hpp"
#include "model/protocol/protocol.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// Chooses the machines that an idle machine asks for work, one at a time (Delgado et al., Hawk,
/// USENIX ATC 2015, section 3.6).
class work_stealing {
public:
  work_stealing() = default;
  explicit work_stealing(random_stream random) : random_(random) {}

  /// Allows so many attempts, after resources were freed.
  void restart(std::uint32_t attempts) { left_ = attempts; }

  /// Whether a machine may be asked now.
  bool may_ask() const { return !asked_ && left_ > 0; }

  /// Returns the machine to ask next, another one than `self` with a number below `below`, or
  /// nothing if there is none.
  std::optional<machine_id> ask(machine_id self, machine_id below) {
    const bool one_of_them = self < below;
    const auto others = below - one_of_them;
    if (others == 0)
      return std::nullopt;
    auto victim = static_cast<machine_id>(random_.below(others));
    victim += one_of_them && victim >= self;
    --left_;
    asked_ = true;
    return victim;
  }

  /// Whether a machine that was asked has not answered.
  bool waits() const { return asked_; }

  /// Notes the answer of the machine that was asked: whether it has given something.
  void answered(bool gave) {
    asked_ = false;
    if (gave)
      left_ = 0;
  }

private:
  random_stream random_;
  std::uint32_t left_ = 0;
  bool asked_ = false; ///< one has not answered
};

} // namespace troupe
