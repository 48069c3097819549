#pragma once

#include "actors/plugin/plugin_jobs.hpp"
#include "model/metrics/group_counters.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// The jobs of a scheduler from a plugin if failures are watched, and the counts of their tasks.
/// Every task is queued (with the plugin, or held here), in commit, running, or over.
class plugin_books {
public:
  /// `own_group` is the group of schedulers that it is one of. Jobs that were submitted before
  /// `warmup` are left out of the times of jobs.
  plugin_books(std::uint32_t own_group, instant warmup, instant now)
    : warmup_(warmup), counters_(own_group, now) {}

  plugin_jobs jobs;

  group_counters& counters() { return counters_; }
  const group_counters& counters() const { return counters_; }

  /// The counts of the group of a task, whose job is not over.
  group_counters::book& of(const task_id& task) { return counters_.of(jobs.find(task.job)->group); }

  /// Takes in jobs that have not started. Returns the jobs to submit to the plugin.
  std::vector<job> add(std::vector<job> taken);

  /// Counts the tasks of a job that an earlier incarnation has left: `running` of those that are
  /// not over run, or may run.
  void count_left(const kept_job& left, std::uint64_t running);

  /// Books that a task is over, which is not counted at its former place any more. Returns the jobs
  /// to submit to the plugin, since they waited for that.
  std::vector<job> close(const task_id& task, instant at, task_fate fate);

  /// Returns the tasks of a group that the plugin must have given up: it has none of the group in
  /// its queue, and `given_up` tasks that it counts as abandoned are not known here as such.
  std::vector<task_id> abandoned(std::uint32_t group, std::uint64_t given_up) const;

  /// Returns the counts since the last call: the plugin's own counts over the same time, with the
  /// places of tasks and the times of jobs as they are known here. `left` are jobs of an earlier
  /// incarnation that are not taken over yet.
  std::vector<group_sample> take_samples(std::vector<group_sample> of_plugin,
                                         std::span<const kept_job> left, instant now);

private:
  void add_age(const job& j, instant now);

  instant warmup_;
  group_counters counters_;
};

} // namespace troupe
