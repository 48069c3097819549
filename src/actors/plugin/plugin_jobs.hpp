#pragma once

#include "model/protocol/failure_protocol.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace troupe {

/// The jobs of a scheduler from a plugin if failures are watched: where each task is, and under
/// which number the plugin knows it.
///
/// A job that no earlier incarnation has started, and whose groups do not wait for each other, is
/// submitted to the plugin as it is. Of other jobs the plugin is only given the tasks that wait for
/// a place: as jobs of their own, one for each group of tasks whose predecessors are over. A task
/// that runs or is over is never shown to it, so it cannot run twice, and the plugin need not know
/// of takeovers. The cost: the tasks that are left of a gang are placed one by one, as they are
/// anywhere once the gang has started, and the plugin does not know beside which tasks of a job
/// with `spread` it must place no other (`spread_guard` and `entries_kept_apart` see to that).
class plugin_jobs {
public:
  enum class place : std::uint8_t {
    held,      ///< here, until the tasks that it waits for are over
    queued,    ///< with the plugin
    in_commit, ///< with an owner, which has not answered
    running,   ///< on a machine, or it may be
    over,
  };

  struct task_record {
    place at = place::held;
    bool shown = false;     ///< the plugin knows it
    task_id seen;           ///< its number there
    machine_id machine = 0; ///< on which it runs by what the plugin was told
  };

  struct job_end {
    task_fate fate = task_fate::finished; ///< the greatest of its tasks
    instant submitted{0};
    instant last_end{0};
  };

  /// Takes a job that has not started. Returns the jobs to submit.
  std::vector<job> add(job what);

  /// Takes a job that an earlier incarnation has left. `runs` says of each task that is not over
  /// whether it runs, or may run. Returns the jobs to submit.
  std::vector<job> resume(kept_job left, const std::function<bool(const task_id&)>& runs);

  /// Returns a job that is not over, or null.
  const job* find(job_id id) const;

  /// Returns the task that the plugin knows under a number, or nothing.
  std::optional<task_id> named(const task_id& seen) const;

  /// Returns the job that is not over and of which the plugin knows tasks under the number of a
  /// job, or nothing.
  std::optional<job_id> job_named(job_id seen) const;

  /// Counts the numbers of jobs that only the plugin knows: returns which one it is, or nothing for
  /// the number of a job of the cluster.
  static std::optional<std::uint32_t> alias_number(job_id seen);

  /// Returns the number that only the plugin knows of a part of a job, by its count.
  static job_id alias_of(job_id id, std::uint32_t number);

  /// The task must be of a job that is not over.
  task_record& at(const task_id& task) { return open_.at(task.job).tasks.at(task.index); }
  const task_record& at(const task_id& task) const {
    return open_.at(task.job).tasks.at(task.index);
  }
  const task_group& group_of(const task_id& task) const;

  /// Returns whether a task is at a place, which must not be `over`: jobs that are over are not
  /// known.
  bool is_at(const task_id& task, place where) const {
    return find(task.job) != nullptr && at(task).at == where;
  }

  /// Returns whether the plugin knows that two tasks are of one job. Their jobs must not be over.
  bool knows_together(const task_id& a, const task_id& b) const;

  /// A task has to run again: the plugin has it again, if it knows it; otherwise it is held.
  void put_back(const task_id& task);

  /// Returns the jobs to submit for tasks that are held and wait for no others.
  std::vector<job> release(job_id id);

  /// Notes that a task is over. Returns what there is to say of its job once all of it is.
  std::optional<job_end> close(const task_id& task, instant when, task_fate fate);

  bool empty() const { return open_.empty(); }

  /// Counts the tasks at a place.
  std::uint64_t count(place at) const;

  /// Returns the tasks of a group that the plugin has queued.
  std::vector<task_id> queued_of(std::uint32_t group) const;

  void visit(const std::function<void(const job&)>& look) const;

private:
  struct open_job {
    job what;
    std::vector<task_record> tasks;
    std::uint32_t left = 0; ///< tasks that are not over
    std::uint32_t held = 0; ///< of these
    task_fate fate = task_fate::finished;
    instant last_end{0};
    std::vector<job_id> aliases{}; ///< under which the plugin knows parts of it
  };

  /// Whether tasks of a group wait for others of their job.
  static bool waits(const open_job& j, std::uint32_t group);
  void show(open_job& j, job& part, const std::vector<std::uint32_t>& tasks);

  std::map<job_id, open_job> open_;
  /// The tasks of the jobs that the plugin knows and that are not jobs of the cluster.
  std::map<job_id, std::pair<job_id, std::vector<std::uint32_t>>> aliases_;
  std::uint32_t next_alias_ = 0;
};

} // namespace troupe
