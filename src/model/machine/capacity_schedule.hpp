#pragma once

#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/machine/foreign_use.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// The capacity of one machine over the time of a run, if a trace changes it; zero while the
/// machine is away.
class capacity_schedule {
public:
  /// Adds a change. Changes must be added in the order of time.
  void add(instant at, const resources& capacity) { changes_.push_back({at, capacity}); }

  /// What others use is not the machine's.
  void share_with(std::shared_ptr<const foreign_use> others) { others_ = std::move(others); }

  /// Returns whether the capacity never changes.
  bool empty() const { return changes_.empty(); }

  /// Returns the machine's capacity at a time of the run; `whole` before the first change.
  resources at(instant when, const resources& whole) const {
    const auto behind = std::ranges::upper_bound(changes_, when, {}, &change::at);
    const auto& has = behind == changes_.begin() ? whole : std::prev(behind)->capacity;
    return others_ ? others_->left_of(has) : has;
  }

  /// Returns the time of the next change after `when`; `instant::max()` if there is none.
  instant next(instant when) const {
    const auto behind = std::ranges::upper_bound(changes_, when, {}, &change::at);
    return behind == changes_.end() ? instant::max() : behind->at;
  }

private:
  struct change {
    instant at{0};
    resources capacity;
  };

  std::vector<change> changes_;
  std::shared_ptr<const foreign_use> others_;
};

/// The beginning of the time of a run, by the clock of the cluster's members. In virtual time it is
/// 0; the processes of a cluster learn it when the workload starts. May be used by any thread.
class run_begin {
public:
  run_begin() = default;
  explicit run_begin(instant at) : at_(at.count()) {}

  void set(instant at) { at_ = at.count(); }

  /// Returns whether the beginning is known; it may be in the future, and before 0.
  bool known() const { return at_ != unknown; }

  /// Converts a member's time to the run's: 0 until the run begins.
  instant run_time(instant now) const {
    return known() ? std::max(now - duration{at_}, instant{0}) : instant{0};
  }

  /// Converts the run's time to a member's; `instant::max()` if the beginning is not known.
  instant member_time(instant at) const {
    return known() && at != instant::max() ? at + duration{at_} : instant::max();
  }

private:
  static constexpr auto unknown = std::numeric_limits<instant::rep>::min();

  std::atomic<instant::rep> at_{unknown};
};

/// The capacities of all machines of a run over time.
struct capacity_schedules {
  std::vector<capacity_schedule> of{}; ///< by machine; empty if no capacity ever changes
  std::shared_ptr<run_begin> begin = std::make_shared<run_begin>();
};

} // namespace troupe
