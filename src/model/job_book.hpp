#pragma once

#include "model/job.hpp"
#include "model/tenants.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// A task that waits for a place, with everything that is needed to give it one.
struct waiting_task {
  task_id task;
  resources demand;
  duration runtime{0};
  instant submitted{0};           ///< or when it was preempted last
  std::uint32_t attempts = 0;     ///< placements that were refused so far
  bool opens_job = false;         ///< first task of its job to be decided on
  const job* of = nullptr;        ///< lives as long as the job is open
  const task_group* in = nullptr; ///< of that job
  bool whole = false;             ///< stands for all tasks of its job, a gang not yet started

  std::uint32_t group() const { return of->group; }
  std::uint32_t tenant() const { return of->tenant; }
  std::int32_t priority() const { return of->priority; }

  /// How many tasks it stands for.
  std::uint32_t count() const { return whole ? of->task_count() : 1; }
};

/// The end of a job.
struct job_end {
  duration response{0}; ///< from submission to its last task's end
  task_fate fate = task_fate::finished;
};

/// Told of so many tasks of a job that wait since an instant.
using waiting_visitor = std::function<void(const job&, instant since, std::uint32_t tasks)>;

/// The jobs that a scheduler has accepted and not yet finished, and the queue of their waiting
/// tasks. It is the one keeper of what waits. Higher priorities go first; within a priority, the
/// tenant whose turn it is; within a tenant, first in, first out, with refused tasks at the head,
/// unless they are put at the back. A gang that has not started waits as one: its first task stands
/// for all.
///
/// Where groups of a job wait for others (`task_group::after`), their tasks enter the queue, as if
/// submitted then, when all tasks of those are over.
///
/// With ageing, one step of priority is worth `aging` of waiting: a task goes before one of the
/// next higher priority that was submitted more than that later.
class job_book {
public:
  /// With `aging` 0, priorities are strict. `tenants`, if any, says whose turn it is and who has to
  /// wait although tasks of theirs are here; it must outlive the book.
  explicit job_book(duration aging = duration{0}, const tenant_shares* tenants = nullptr)
    : aging_(to_seconds(aging)), tenants_(tenants) {}

  /// Takes a job in. Throws `std::invalid_argument` if it has no tasks, or is known already, or one
  /// of its groups waits for one that is not before it.
  void submit(job accepted);

  /// Takes a job in of which some tasks have been placed, or are over, already: `waiting` are those
  /// that have not, by index, rising; `unfinished` is the number of those that are not over, at
  /// least 1; `fate` is what became of those that are. Throws as `submit`.
  void resume(job accepted, const std::vector<std::uint32_t>& waiting, std::uint32_t unfinished,
              task_fate fate = task_fate::finished);

  bool has_waiting() const { return waiting_ > 0; }
  std::uint64_t waiting() const { return waiting_; }

  /// Tasks that wait for others of their job.
  std::uint64_t blocked() const { return blocked_; }

  /// Returns whether a task may be decided on: whether one waits whose tenant need not.
  bool has_next() {
    chosen_ = nullptr; // whose turn it is may have changed
    return choose() != nullptr;
  }

  /// Returns whether a further task of this job, from which the last one was taken, may be decided
  /// on before its tenant's turn is over: `head` is that one then.
  bool continues(job_id job);

  /// The task whose turn it is. There must be one.
  const waiting_task& head() { return choose()->head(); }

  /// Takes that task out of the queue.
  waiting_task take_head();

  /// Puts a task back at the head of its priority and tenant.
  void put_back(const waiting_task& task);

  /// Puts a task at the back of its priority and tenant.
  void put_at_back(const waiting_task& task);

  /// Returns all tasks of the gang that `whole` stands for.
  std::vector<waiting_task> members(const waiting_task& whole) const;

  /// Takes all waiting tasks of a job out of the queue, those that wait for others included. Slow.
  std::vector<waiting_task> drop(job_id job);

  /// Returns a task of an unfinished job as it was submitted, or nothing if the job is not known.
  std::optional<waiting_task> find(const task_id& task) const;

  /// Notes that a task is over for good, at `at`, and what became of it. Returns what became of the
  /// job if this was its last one.
  std::optional<job_end> close(const task_id& task, instant at,
                               task_fate how = task_fate::finished);

  /// Tells of all tasks in the queue, some at a time. Those that wait for others of their job are
  /// not in it.
  void visit_waiting(const waiting_visitor& tell) const;

  /// Tells of all jobs that are not over.
  void visit_open(const std::function<void(const job&)>& tell) const;

  /// Returns a job that is not over, or null.
  const job* find_job(job_id id) const {
    const auto it = open_.find(id);
    return it == open_.end() ? nullptr : &it->second.what;
  }

  std::size_t open_jobs() const { return open_.size(); }

  /// Notes that a task of a job has been placed.
  void note_placed(job_id job);

  /// Notes an attempt that placed no task of a job. Returns how many there were, 0 as soon as a
  /// task has been placed.
  std::uint32_t note_empty_attempt(job_id job);

  /// Abandons a job: its tasks that are refused from now on are abandoned, too.
  void give_up(job_id job);

  /// Returns whether `give_up` was told of a job.
  bool given_up(job_id job) const;

private:
  /// How far a job has got whose groups wait for each other; by group.
  struct stages {
    std::vector<std::uint32_t> unfinished; ///< tasks
    std::vector<std::uint32_t> blockers;   ///< groups that it still waits for
    std::vector<instant> released;         ///< when its tasks entered the queue
  };

  struct open_job {
    job what;
    std::uint32_t unfinished = 0;
    instant last_end{0};
    std::unique_ptr<stages> dag{}; ///< null where no group waits for another
    std::uint32_t empty_attempts = 0;
    bool placed = false; ///< some task
    bool given_up = false;
    task_fate fate = task_fate::finished; ///< so far
  };

  struct cursor {
    const open_job* from = nullptr;
    std::size_t group = 0;
    std::uint32_t in_group = 0;
    std::uint32_t index = 0;
    std::uint32_t end = 0;   ///< the index behind its last task
    std::size_t retries = 0; ///< instead of a job: so many tasks of `later`
  };

  /// What waits of one priority and one tenant.
  struct lane {
    std::deque<cursor> fresh;        ///< jobs with tasks that were never decided on, and retries
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

  using lane_map = std::map<lane_key, lane>; ///< one tenant for all where nobody asks

  lane& lane_of(const job& j);
  static bool has_stages(const job& j);
  void begin_stages(open_job& of);
  void release(open_job& of, std::uint32_t group, instant at);
  void close_stage(open_job& of, std::uint32_t task, instant at);
  void drop_blocked(open_job& of, std::vector<waiting_task>& into);
  lane* choose();
  /// Whether its tenant's maximum keeps a task back, and will let it go. One that will not is for
  /// the scheduler to abandon.
  bool waits_for_tenant(const waiting_task& head) const;
  bool ages_past(const lane_map::iterator& a, const lane_map::iterator& b) const;

  double aging_; ///< in s
  const tenant_shares* tenants_;
  std::unordered_map<job_id, open_job> open_;
  lane_map lanes_;
  lane* latest_ = nullptr; ///< that something was put into, under `latest_key_`
  lane_key latest_key_;
  lane* chosen_ = nullptr;     ///< whose head goes next, if that is known
  lane* taken_from_ = nullptr; ///< by the latest `take_head`
  std::uint64_t waiting_ = 0;
  std::uint64_t blocked_ = 0;
};

} // namespace troupe
