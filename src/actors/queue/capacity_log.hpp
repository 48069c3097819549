#pragma once

#include "model/protocol/sparrow_protocol.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace troupe {

/// The notices of a machine with a queue about its capacity, and which of them each scheduler has
/// heard. A scheduler that hears a notice sends elsewhere what it had sent to the machine and does
/// not fit into that capacity. The machine must therefore not take it, even if it has more again by
/// the time that it arrives.
class capacity_log {
public:
  /// Writes the next notice.
  capacity_notice add(machine_id machine, const resources& capacity) {
    capacities_.push_back(capacity);
    return {machine, capacity, number()};
  }

  /// Returns the latest notice, if there is one.
  std::optional<capacity_notice> latest(machine_id machine) const {
    if (capacities_.empty())
      return std::nullopt;
    return capacity_notice{machine, capacities_.back(), number()};
  }

  /// Notes that a scheduler has heard a notice, and with it all earlier ones.
  void hear(const capacity_heard& what) {
    if (what.scheduler >= heard_.size())
      heard_.resize(what.scheduler + 1);
    auto& heard = heard_[what.scheduler];
    heard = std::max(heard, std::min(what.number, number()));
  }

  /// Returns whether what a scheduler sends, with such a demand, may be taken.
  bool admits(scheduler_id scheduler, const resources& demand) const {
    const auto heard = scheduler < heard_.size() ? heard_[scheduler] : 0;
    return std::all_of(capacities_.begin() + heard, capacities_.end(),
                       [&](const resources& c) { return c.fits(demand); });
  }

private:
  std::uint32_t number() const { return static_cast<std::uint32_t>(capacities_.size()); }

  std::vector<resources> capacities_;
  std::vector<std::uint32_t> heard_; ///< by scheduler
};

} // namespace troupe
