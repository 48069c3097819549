#pragma once

#include "model/metrics.hpp"

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

  explicit ledgers(std::uint32_t own_group);

  ledger& of(std::uint32_t group) {
    if (group >= all_.size())
      extend(group);
    return all_[group].now;
  }

  scheduler_sample& own() { return all_[own_group_].now.sample; }

  /// Returns how many tasks of all groups are where.
  task_counts total() const;

  /// Returns whether every task of every group is in exactly one place.
  bool balanced() const;

  /// Counts the tasks of all groups that were granted twice, since the last sample.
  std::uint64_t duplicate_grants() const;

  /// Returns what was counted since the last call, for each group that was heard of, by number.
  std::vector<group_sample> take();

private:
  struct entry {
    ledger now;
    task_counts sampled; ///< the counts at the last sample
    bool known = false;
  };

  void extend(std::uint32_t group);

  std::uint32_t own_group_;
  std::vector<entry> all_; ///< by group
};

} // namespace troupe
