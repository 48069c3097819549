#pragma once

#include "model/job.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace troupe {

/// A task that waits for a place, with everything that is needed to give it one.
struct waiting_task {
  task_id task;
  resources demand;
  duration runtime{0};
  instant submitted{0};
  std::uint32_t attempts = 0;     ///< placements that were refused so far
  bool opens_job = false;         ///< first task of its job to be decided on
  const job* of = nullptr;        ///< lives as long as the job is open
  const task_group* in = nullptr; ///< of that job
  bool whole = false;             ///< stands for all tasks of its job, a gang not yet started

  std::uint32_t group() const { return of->group; }

  /// How many tasks it stands for.
  std::uint32_t count() const { return whole ? of->task_count() : 1; }
};

/// The jobs that a scheduler has accepted and not yet finished, and the queue of their waiting
/// tasks: first in, first out, with refused tasks at the head, unless they are put at the back. A
/// gang that has not started waits as one: its first task stands for all.
class job_book {
public:
  /// Takes a job in. Throws `std::invalid_argument` if it has no tasks, or is known already.
  void submit(job accepted);

  bool has_waiting() const { return !again_.empty() || !fresh_.empty(); }
  std::uint64_t waiting() const { return waiting_; }

  /// The task at the head of the queue, which must not be empty.
  const waiting_task& head();

  /// Takes the head out of the queue.
  waiting_task take_head();

  /// Puts a task back at the head.
  void put_back(const waiting_task& task);

  /// Puts a task at the back, behind everything that waits now.
  void put_at_back(const waiting_task& task);

  /// Returns all tasks of the gang that `whole` stands for.
  std::vector<waiting_task> members(const waiting_task& whole) const;

  /// Takes all waiting tasks of a job out of the queue. Slow.
  std::vector<waiting_task> drop(job_id job);

  /// Returns a task of an unfinished job as it was submitted, or nothing if the job is not known.
  std::optional<waiting_task> find(const task_id& task) const;

  /// Notes that a task is over for good, at `at`. Returns the job's response time, from submission
  /// to its last task's end, if this was its last one.
  std::optional<duration> close(const task_id& task, instant at);

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

  /// Notes that a task of a job is given up. Returns whether it is the job's first one.
  bool note_abandoned(job_id job);

  /// Notes that whatever of a job is refused from now on is given up, too.
  void give_up(job_id job);

  /// Returns whether `give_up` was told of a job.
  bool given_up(job_id job) const;

private:
  struct open_job {
    job what;
    std::uint32_t unfinished = 0;
    instant last_end{0};
    std::uint32_t empty_attempts = 0;
    bool placed = false; ///< some task
    bool abandoned = false;
    bool given_up = false;
  };

  struct cursor {
    const open_job* from = nullptr;
    std::size_t group = 0;
    std::uint32_t in_group = 0;
    std::uint32_t index = 0;
    std::size_t retries = 0; ///< instead of a job: so many tasks of `later_`
  };

  std::unordered_map<job_id, open_job> open_;
  std::deque<cursor> fresh_;        ///< jobs with tasks that were never decided on, and retries
  std::deque<waiting_task> later_;  ///< tasks put at the back
  std::vector<waiting_task> again_; ///< tasks put back, the head last
  waiting_task next_;               ///< the head of `fresh_`, if `next_ready_`
  bool next_ready_ = false;
  std::uint64_t waiting_ = 0;
};

} // namespace troupe
