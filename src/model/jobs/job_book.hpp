#pragma once

#include "model/explain/task_situation.hpp"
#include "model/jobs/group_dependencies.hpp"
#include "model/jobs/job.hpp"
#include "model/jobs/limited_tasks.hpp"
#include "model/jobs/task_lanes.hpp"
#include "model/jobs/tenants.hpp"
#include "model/jobs/waiting_task.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// The end of a job.
struct job_end {
  duration response{0}; ///< from submission to its last task's end
  task_fate fate = task_fate::finished;
};

/// The open jobs that a scheduler has accepted, and the queue of their waiting tasks
/// (`task_lanes`). No other class stores waiting tasks. A gang that has not started waits as one
/// entry: its first task represents all.
///
/// If a group of a job waits for others (`task_group::after`), its tasks enter the queue, as if
/// submitted then, when all tasks of those groups are over.
///
/// Of a job with a limit (`job::at_once`), only so many tasks are in the queue or run at a time.
/// The next one enters the queue, as if submitted then, when one of them is over.
class job_book {
public:
  /// With `aging` 0, priorities are strict. `tenants`, if any, orders the tenants and
  /// determines which of them have to wait; it must outlive the book.
  explicit job_book(duration aging = duration{0}, const tenant_shares* tenants = nullptr)
    : queue_(aging, tenants) {}

  /// Accepts a job. Throws `std::invalid_argument` if it has no tasks, is known already, or has a
  /// group that waits for a group that is not before it.
  void submit(job accepted);

  /// Accepts a job of which some tasks have been placed or are over. `waiting` are the tasks that
  /// have not been placed; `over` are those that are over, by index, rising, and not all of the
  /// job; `fate` is the fate of these. A group is released if all its predecessors are over. Throws
  /// as `submit`.
  void resume(job accepted, const std::vector<std::uint32_t>& waiting,
              const std::vector<std::uint32_t>& over, task_fate fate = task_fate::finished);

  bool has_waiting() const { return queue_.size() > 0; }
  std::uint64_t waiting() const { return queue_.size(); }

  /// The number of tasks that wait for others of their job.
  std::uint64_t blocked() const { return blocked_; }

  /// Returns whether a waiting task may be decided on: one whose tenant need not wait.
  bool has_next() { return queue_.has_next(); }

  /// Returns whether another task of this job, from which the last one was taken, may be decided on
  /// before the turn of its tenant ends. If so, `head` is that task.
  bool continues(job_id job) { return queue_.continues(job); }

  /// The next task. The queue must have one.
  const waiting_task& head() { return queue_.head(); }

  /// Removes that task from the queue.
  waiting_task take_head() { return queue_.take_head(); }

  /// Puts a task back at the head of its priority and tenant. A task of a resumed job may have run
  /// although its group is not released; such a task waits for the release.
  void put_back(const waiting_task& task);

  /// Puts a task at the back of its priority and tenant.
  void put_at_back(const waiting_task& task) { queue_.put_at_back(task); }

  /// Returns all tasks of the gang that `whole` represents.
  std::vector<waiting_task> members(const waiting_task& whole) const;

  /// Removes all waiting tasks of a job from the queue, including those that wait for others. Slow.
  std::vector<waiting_task> drop(job_id job);

  /// Returns a task of an unfinished job as it was submitted, or nothing if the job is not known.
  std::optional<waiting_task> find(const task_id& task) const;

  /// Records the end of a task, at `at`, and its fate. Returns the end of the job if this was its
  /// last task.
  std::optional<job_end> close(const task_id& task, instant at,
                               task_fate how = task_fate::finished);

  /// Visits all tasks in the queue, several at a time. Tasks that wait for others of their job are
  /// not in the queue.
  void visit_waiting(const waiting_visitor& tell) const { queue_.visit(tell); }

  /// Returns whether a task waits for others of its job.
  bool is_blocked(const task_id& task) const;

  /// Returns whether its tenant's maximum holds a task back that it will admit later. The scheduler
  /// abandons a task that the maximum will never admit.
  bool waits_for_tenant(const waiting_task& task) const { return queue_.waits_for_tenant(task); }

  /// Returns where a task is in the queue; nothing if it is not there. Other tenants of its
  /// priority, which take turns with its own, do not count as ahead. Slow.
  std::optional<queue_position> position_of(const task_id& task) const;

  /// Tells the group and the submission of all jobs that are not over.
  template <class Tell>
  void visit_open(Tell tell) const {
    for (const auto& o : open_ages_)
      tell(o.group, o.submitted);
  }

  /// Returns a job that is not over, or null.
  const job* find_job(job_id id) const {
    const auto it = open_.find(id);
    return it == open_.end() ? nullptr : &it->second.what;
  }

  std::size_t open_jobs() const { return open_.size(); }

  /// Gives a moldable job, none of whose tasks is over and which is not in the queue, a width.
  void set_width(job_id id, std::uint32_t width);

  /// Notes that the width of a moldable job is final.
  void settle_width(job_id id);

  /// The number of lanes of the queue.
  std::size_t lanes() const { return queue_.lanes(); }

  /// Records that a task of a job has been placed.
  void note_placed(job_id job);

  /// Records an attempt that placed no task of a job. Returns the number of such attempts; 0 if any
  /// task of the job has been placed.
  std::uint32_t note_empty_attempt(job_id job);

  /// Abandons a job: its tasks that are refused from now on are abandoned, too.
  void give_up(job_id job);

  /// Returns whether a job was abandoned by `give_up`.
  bool given_up(job_id job) const;

private:
  struct open_job {
    job what;
    std::uint32_t unfinished = 0;
    instant last_end{0};
    std::unique_ptr<group_dependencies> dag{}; ///< null if no group waits for another
    std::unique_ptr<limited_tasks> limited{};  ///< null if it has no limit, or fewer tasks
    std::uint32_t empty_attempts = 0;
    bool placed = false; ///< whether any task has been placed
    bool given_up = false;
    task_fate fate = task_fate::finished; ///< the greatest so far
    std::size_t place = 0;                ///< in `open_ages_`
  };

  /// What each sample looks at, of all open jobs. They are together: a look at each job would take
  /// several times as long.
  struct open_age {
    instant submitted{0};
    std::uint32_t group = 0;
    open_job* of = nullptr;
  };

  open_job& open(job accepted, std::uint32_t unfinished);
  void delist(const open_job& of);
  void resume_limited(open_job& of, const std::vector<std::uint32_t>& waiting);
  void release(open_job& of, const std::vector<std::uint32_t>& groups, instant at);
  bool hold_back(const waiting_task& task);

  std::unordered_map<job_id, open_job> open_;
  std::vector<open_age> open_ages_; ///< of these
  task_lanes queue_;
  std::uint64_t blocked_ = 0;
  bool resumes_dependencies_ = false; ///< a job with dependent groups was resumed
};

} // namespace troupe
