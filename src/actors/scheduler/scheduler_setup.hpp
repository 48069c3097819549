#pragma once

#include "actors/scheduler/scheduler_limits.hpp"
#include "model/cluster/catalog.hpp"
#include "model/jobs/job.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace troupe {

/// What a scheduler is built with and never changes: its number, the cluster, and its limits. All
/// classes that a scheduler consists of look at the same setup.
class scheduler_setup {
public:
  /// `machines` must outlive this; `owner_of` names the owner of each partition.
  scheduler_setup(scheduler_id scheduler, const catalog& cluster, std::vector<owner_id> owners_of,
                  scheduler_limits all_limits)
    : id(scheduler),
      machines(cluster),
      owner_of(std::move(owners_of)),
      limits(std::move(all_limits)) {
    // A view that does not learn from snapshots has no version to wait for.
    limits.retry.wait_for_refresh = limits.retry.wait_for_refresh && learns_from_snapshots();
  }

  scheduler_setup(const scheduler_setup&) = delete;
  scheduler_setup& operator=(const scheduler_setup&) = delete;

  scheduler_id id;
  const catalog& machines;
  std::vector<owner_id> owner_of; ///< by partition
  scheduler_limits limits;

  partition_id partition_of(machine_id m) const { return machines.place_of(m).partition; }
  owner_id owner_of_machine(machine_id m) const { return owner_of[partition_of(m)]; }

  /// Counts the owners.
  std::size_t owners() const { return 1 + *std::ranges::max_element(owner_of); }

  bool learns_from_snapshots() const { return limits.source == view_source::snapshots; }
  bool learns_from_own_tasks() const { return limits.source == view_source::own_tasks; }
  bool learns_from_offers() const { return limits.source == view_source::offers; }

  /// Returns whether a job was submitted late enough to count in delays, responses and quality.
  bool is_warm(instant submitted) const { return submitted >= limits.warmup; }

  /// Returns how long deciding on a task of a group of jobs takes, the time for its job included if
  /// that is looked at anew.
  duration decision_time_of(std::uint32_t group, bool looks_anew) const {
    const auto& time = group < limits.code_paths.size()
                         ? limits.code_paths[group]
                         : decision_time{limits.t_job, limits.t_task};
    return looks_anew ? time.t_job + time.t_task : time.t_task;
  }

  /// Returns how long deciding on all tasks of a gang takes.
  duration gang_decision_time(std::uint32_t group, std::size_t tasks) const {
    return decision_time_of(group, true) +
           decision_time_of(group, false) * static_cast<std::int64_t>(tasks - 1);
  }

  /// Returns whether offers end before a gang is decided on, however soon that begins.
  bool offers_end_before(std::uint32_t group, std::size_t tasks) const {
    return learns_from_offers() && limits.offer_timeout > duration::zero() &&
           gang_decision_time(group, tasks) > limits.offer_timeout;
  }

  /// Returns whether a task that would run for so long is killed when its job's estimate is over.
  bool kills(const job& of, duration runtime) const {
    return of.group < limits.kills.size() && limits.kills[of.group] &&
           of.estimate > duration::zero() && runtime > of.estimate;
  }

  /// Returns how many tasks are decided on at a time, unless offers end too early for that.
  std::size_t most_at_a_time() const {
    return limits.one_job ? std::numeric_limits<std::uint32_t>::max() : limits.batch;
  }
};

} // namespace troupe
