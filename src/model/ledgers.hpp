#pragma once

#include "model/metrics.hpp"
#include "model/waiting_meter.hpp"

#include <vector>

namespace troupe {

/// What one scheduler counts, apart for each group of jobs. What belongs to no group of jobs (the
/// view, the commits sent) counts for the scheduler's own group.
class ledgers {
public:
  /// What is counted for one group.
  struct ledger {
    task_counts counts;      ///< since the start
    scheduler_sample sample; ///< since the last sample, but for `tasks`
  };

  /// What waits is integrated over time from `begin` on.
  explicit ledgers(std::uint32_t own_group, instant begin = instant{0});

  /// Says, before anything was noted, that it begins later.
  void begin(instant at);

  ledger& of(std::uint32_t group) {
    if (group >= all_.size())
      extend(group);
    return all_[group].now;
  }

  scheduler_sample& own() { return all_[own_group_].now.sample; }

  /// Notes that so many tasks of a group more wait for a place from `at` on, or fewer if negative.
  void wait(std::uint32_t group, instant at, std::int64_t tasks) {
    of(group);
    all_[group].waits.change(at, tasks);
  }

  /// Returns how many wait, by what was noted so.
  std::int64_t waiting() const;

  /// Returns how many tasks of all groups are where.
  task_counts total() const;

  /// Returns whether every task of every group is in exactly one place.
  bool balanced() const;

  /// Counts the tasks of all groups that were granted twice, since the last sample.
  std::uint64_t duplicate_grants() const;

  /// Returns what was counted since the last call, until `now`, for each group that was heard of,
  /// by number.
  std::vector<group_sample> take(instant now);

private:
  struct entry {
    ledger now;
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
