#pragma once

#include "model/explain/task_situation.hpp"
#include "model/jobs/job.hpp"
#include "model/jobs/tenants.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// A waiting task, with everything that placing it requires.
struct waiting_task {
  task_id task;
  resources demand;
  duration runtime{0};
  instant submitted{0};           ///< or when it was last preempted
  std::uint32_t attempts = 0;     ///< placements that were refused so far
  bool opens_job = false;         ///< first task of its job to be decided on
  const job* of = nullptr;        ///< valid while the job is open
  const task_group* in = nullptr; ///< its group in that job
  bool whole = false;             ///< represents all tasks of its job, a gang that has not started

  std::uint32_t group() const { return of->group; }
  std::uint32_t tenant() const { return of->tenant; }
  std::int32_t priority() const { return of->priority; }

  /// The number of tasks that it represents.
  std::uint32_t count() const { return whole ? of->task_count() : 1; }
};

/// The end of a job.
struct job_end {
  duration response{0}; ///< from submission to its last task's end
  task_fate fate = task_fate::finished;
};

/// Called with a number of tasks of a job that have waited since an instant.
using waiting_visitor = std::function<void(const job&, instant since, std::uint32_t tasks)>;

/// The open jobs that a scheduler has accepted, and the queue of their waiting tasks. No other
/// class stores waiting tasks. Higher priorities go first; within a priority, the tenant that
/// `tenant_shares` puts first; within a tenant, first in, first out, with refused tasks at the
/// head, unless they are put at the back. A gang that has not started waits as one entry: its first
/// task represents all.
///
/// If a group of a job waits for others (`task_group::after`), its tasks enter the queue, as if
/// submitted then, when all tasks of those groups are over.
///
/// Of a job with a limit (`job::at_once`), only so many tasks are in the queue or run at a time.
/// The next one enters the queue, as if submitted then, when one of them is over.
///
/// With ageing, one step of priority is worth `aging` of waiting: a task goes before a task of the
/// next higher priority that was submitted more than `aging` later.
class job_book {
public:
  /// With `aging` 0, priorities are strict. `tenants`, if any, orders the tenants and
  /// determines which of them have to wait; it must outlive the book.
  explicit job_book(duration aging = duration{0}, const tenant_shares* tenants = nullptr)
    : aging_(to_seconds(aging)), tenants_(tenants) {}

  /// Accepts a job. Throws `std::invalid_argument` if it has no tasks, is known already, or has a
  /// group that waits for a group that is not before it.
  void submit(job accepted);

  /// Accepts a job of which some tasks have been placed or are over. `waiting` are the tasks that
  /// have not been placed; `over` are those that are over, by index, rising, and not all of the
  /// job; `fate` is the fate of these. A group is released if all its predecessors are over. Throws
  /// as `submit`.
  void resume(job accepted, const std::vector<std::uint32_t>& waiting,
              const std::vector<std::uint32_t>& over, task_fate fate = task_fate::finished);

  bool has_waiting() const { return waiting_ > 0; }
  std::uint64_t waiting() const { return waiting_; }

  /// The number of tasks that wait for others of their job.
  std::uint64_t blocked() const { return blocked_; }

  /// Returns whether a waiting task may be decided on: one whose tenant need not wait.
  bool has_next() {
    chosen_ = nullptr; // another task may come first now
    return choose() != nullptr;
  }

  /// Returns whether another task of this job, from which the last one was taken, may be decided on
  /// before the turn of its tenant ends. If so, `head` is that task.
  bool continues(job_id job);

  /// The next task. The queue must have one.
  const waiting_task& head() { return choose()->head(); }

  /// Removes that task from the queue.
  waiting_task take_head();

  /// Puts a task back at the head of its priority and tenant. A task of a resumed job may have run
  /// although its group is not released; such a task waits for the release.
  void put_back(const waiting_task& task);

  /// Puts a task at the back of its priority and tenant.
  void put_at_back(const waiting_task& task);

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
  void visit_waiting(const waiting_visitor& tell) const;

  /// Returns whether a task waits for others of its job.
  bool is_blocked(const task_id& task) const;

  /// Returns whether its tenant's maximum holds a task back that it will admit later. The scheduler
  /// abandons a task that the maximum will never admit.
  bool waits_for_tenant(const waiting_task& task) const;

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

  /// The number of queues, one for each priority and tenant with tasks, and lately empty ones.
  std::size_t lanes() const { return lanes_.size(); }

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
  /// The progress of one group, in a job whose groups wait for each other.
  struct stage_state {
    std::uint32_t first = 0;      ///< index of its first task
    std::uint32_t unfinished = 0; ///< number of tasks that are not over
    std::uint32_t blockers = 0;   ///< number of groups that it still waits for
    bool blocked = true;          ///< it has not been released
    bool whole = true;            ///< all its tasks wait for the release, not only those in `held`
    std::vector<std::uint32_t> held{};
    instant released{0}; ///< when its tasks entered the queue
  };

  using stages = std::vector<stage_state>; ///< by group

  /// The tasks of a job with a limit that have not entered the queue: those from `next` on, and
  /// before them those in `held`.
  struct array_state {
    std::uint32_t next = 0;
    std::deque<std::uint32_t> held{};
  };

  struct open_job {
    job what;
    std::uint32_t unfinished = 0;
    instant last_end{0};
    std::unique_ptr<stages> dag{};        ///< null if no group waits for another
    std::unique_ptr<array_state> array{}; ///< null if it has no limit, or fewer tasks
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

  struct cursor {
    const open_job* from = nullptr;
    std::size_t group = 0;
    std::uint32_t in_group = 0;
    std::uint32_t index = 0;
    std::uint32_t end = 0;   ///< the index behind its last task
    std::size_t retries = 0; ///< if there is no job: this many tasks of `later`
  };

  /// The waiting tasks of one priority and one tenant.
  struct lane {
    std::deque<cursor> fresh; ///< jobs with tasks that have never been decided on, and retries
    std::deque<waiting_task> later;  ///< tasks put at the back
    std::vector<waiting_task> again; ///< tasks put back, the head last
    waiting_task next;               ///< the head of `fresh`, if `next_ready`
    bool next_ready = false;

    bool empty() const { return again.empty() && fresh.empty(); }
    const waiting_task& head();
    waiting_task take();
    void put_at_back(const waiting_task& task);
    void drop(job_id job, std::vector<waiting_task>& into);
  };

  struct lane_key {
    std::int32_t priority = 0;
    std::uint32_t tenant = 0;

    /// Higher priorities come first.
    friend bool operator<(const lane_key& a, const lane_key& b) {
      return a.priority != b.priority ? a.priority > b.priority : a.tenant < b.tenant;
    }
    friend bool operator==(const lane_key&, const lane_key&) = default;
  };

  using lane_map = std::map<lane_key, lane>; ///< a single tenant if there are no tenants

  void enlist(open_job& of);
  void delist(const open_job& of);
  lane& lane_of(const job& j);
  void drop_empty_lanes();
  static bool is_limited(const job& j);
  void begin_array(open_job& of);
  void resume_array(open_job& of, const std::vector<std::uint32_t>& waiting);
  void release_next(open_job& of, instant at);
  static bool is_held(const array_state& array, std::uint32_t task);
  void drop_held(open_job& of, std::vector<waiting_task>& into);
  void begin_stages(open_job& of);
  void resume_stages(open_job& of, const std::vector<std::uint32_t>& over);
  void release_unblocked(open_job& of);
  void release(open_job& of, std::uint32_t group, instant at);
  static std::uint32_t group_of(const stages& all, std::uint32_t task);
  bool hold_back(const waiting_task& task);
  void close_stage(open_job& of, std::uint32_t task, instant at);
  void drop_blocked(open_job& of, std::vector<waiting_task>& into);
  lane* choose();
  bool ages_past(const lane_map::iterator& a, const lane_map::iterator& b) const;

  double aging_; ///< in s
  const tenant_shares* tenants_;
  std::unordered_map<job_id, open_job> open_;
  std::vector<open_age> open_ages_; ///< of these
  lane_map lanes_;
  lane* latest_ = nullptr; ///< the lane of the last insertion, under `latest_key_`
  lane_key latest_key_;
  lane* chosen_ = nullptr;     ///< the lane whose head is next, if known
  lane* taken_from_ = nullptr; ///< by the last `take_head`
  std::uint64_t waiting_ = 0;
  std::uint64_t blocked_ = 0;
  bool resumes_stages_ = false; ///< a job with dependent groups was resumed
};

} // namespace troupe
