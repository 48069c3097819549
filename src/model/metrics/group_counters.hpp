#pragma once

#include "model/metrics/metrics.hpp"
#include "model/metrics/waiting_meter.hpp"

#include <vector>

namespace troupe {

/// The counts of one scheduler, separately for each group of jobs. Counts that belong to no group
/// of jobs (the view, the commits sent) go to the scheduler's own group.
class group_counters {
public:
  /// The counts for one group.
  struct book {
    task_counts counts;      ///< since the start
    scheduler_sample sample; ///< since the last sample, except `tasks`
  };

  /// The number of waiting tasks is integrated over time from `begin` on.
  explicit group_counters(std::uint32_t own_group, instant begin = instant{0});

  /// Sets a later beginning. Must be called before any count.
  void begin(instant at);

  book& of(std::uint32_t group) {
    if (group >= all_.size())
      extend(group);
    return all_[group].now;
  }

  scheduler_sample& own() { return all_[own_group_].now.sample; }

  /// Adds `tasks` to the waiting tasks of a group from `at` on; `tasks` may be negative.
  void wait(std::uint32_t group, instant at, std::int64_t tasks) {
    of(group);
    all_[group].waits.change(at, tasks);
  }

  /// Returns the number of waiting tasks by these changes.
  std::int64_t waiting() const;

  /// Returns the numbers of tasks of all groups by place.
  task_counts total() const;

  /// Returns whether every task of every group is in exactly one place.
  bool balanced() const;

  /// Shows what each group has counted since the last sample, except `tasks`.
  template <class Look>
  void visit(Look look) const {
    for (const auto& e : all_)
      look(e.now.sample);
  }

  /// Counts the tasks of all groups that were granted twice since the last sample.
  std::uint64_t duplicate_grants() const;

  /// Returns the counts since the last call, until `now`, for each group with any count so far, by
  /// number.
  std::vector<group_sample> take(instant now);

private:
  struct entry {
    book now;
    task_counts sampled; ///< the counts at the last sample
    waiting_meter waits;
    bool known = false;
  };

  void extend(std::uint32_t group);

  std::uint32_t own_group_;
  instant begin_;
  std::vector<entry> all_; ///< by group
};

} // namespace troupe
