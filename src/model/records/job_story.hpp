#pragma once

#include "model/jobs/job.hpp"
#include "model/records/records.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// The grant of a machine, or a task's start on it.
struct placement_facts {
  machine_id machine = 0;
  instant queued{0}; ///< from when on the delay counts
  instant at{0};     ///< until when
  double quality = 0;
  duration view_age = unknown_time;
};

/// A decision on a task, or its beginning.
struct decision_facts {
  instant queued{0}; ///< the delay of the task counts from then on
  instant began = no_instant;
  instant at{0}; ///< when it was handed out
  duration view_age = unknown_time;
};

/// A scheduler's data about a job that is not over, for its record and the records of its tasks.
/// Tasks are named by their index within the job.
class job_story {
public:
  /// Begins anew, with the memory of the job before. `of` must outlive it. `detailed`: there will
  /// be records of tasks.
  void begin(const job& of, scheduler_id scheduler, bool detailed);

  /// The job, which is moldable, has more tasks now.
  void resize(const job& to);

  /// These tasks were over before the scheduler took the job in; `fate` is the greatest of their
  /// fates. They have no records.
  void close_before(const std::vector<std::uint32_t>& over, task_fate fate);

  /// A task runs from before; `machine` may be `no_machine`.
  void run_before(std::uint32_t task, machine_id machine);

  void decide(std::uint32_t task, const decision_facts& facts);

  /// A task was sent to a machine without a decision on a view.
  void send(std::uint32_t task, machine_id machine);

  /// A task has been granted a machine, `by_owner`, or has started there.
  void place(std::uint32_t task, const placement_facts& facts, bool by_owner);

  /// A placement was refused at `at`.
  void refuse(std::uint32_t task, conflict_cause cause, instant at);

  /// A refused task is not tried again for a time.
  void back_off(std::uint32_t task, duration time);

  // The task is in commit, queued, on another machine than decided, or on another one than known.
  void note_deciding(std::uint32_t task);
  void queue_again(std::uint32_t task);
  void divert(std::uint32_t task);
  void move(std::uint32_t task, machine_id machine);

  // A run is over, and its task waits again, as in `record_book`.
  void lose(std::uint32_t task, instant at);
  void preempt(std::uint32_t task, instant at, duration ran);
  void put_back(std::uint32_t task, instant since);

  /// A task is over.
  void end(std::uint32_t task, instant at, task_fate fate);

  /// Returns whether all tasks are over.
  bool over() const { return left_ == 0; }

  /// Fills the record, which is new, of a task that is over or, at the end of a run, of one that is
  /// not. Its place is not filled in.
  void fill(task_record& record, std::uint32_t task) const;

  /// Returns the record of the job.
  job_record record() const;

  /// Returns whether a task is neither over nor running.
  bool waits(std::uint32_t task) const { return begins_[task] == no_instant; }

  /// From when on the delay of a task counts that has not run: its job's submission, or the last
  /// end of the tasks that it waits for.
  instant eligible_since(std::uint32_t task) const { return group_since(locate(task).group); }

  /// Returns whether tasks that a task waits for are not over.
  bool waits_for_others(std::uint32_t task) const { return group_waits(locate(task).group); }

  /// Returns whether there will be a record of a task, which is not over.
  bool is_open(std::uint32_t task) const {
    return detailed() && tasks_[task].state < record_state::finished;
  }

  const job& what() const { return *of_; }
  std::uint32_t tasks() const { return row_.tasks; }

private:
  struct task_story {
    task_times at;
    task_tallies tallies;
    machine_id machine = no_machine;
    record_state state = record_state::queued;
    bool diverted = false;
    double quality = 0;
    duration view_age = unknown_time;
  };

  /// The progress of a group of a job whose groups wait for each other.
  struct stage_progress {
    std::uint32_t left = 0; ///< tasks that are not over
    instant last_end{0};
  };

  /// A task's group, and its index within that.
  struct place_in_job {
    std::uint32_t group = 0;
    std::uint32_t index = 0;
  };

  static constexpr instant unknown_begin = instant::max();

  bool detailed() const { return !tasks_.empty(); }
  place_in_job locate(std::uint32_t task) const;
  void end_run(std::uint32_t task, duration lost_work);
  duration ran_until(std::uint32_t task, instant at) const;
  void wait_again(std::uint32_t task, instant since);
  bool group_waits(std::uint32_t group) const;
  instant group_since(std::uint32_t group) const;

  const job* of_ = nullptr;
  std::uint32_t left_ = 0;    ///< tasks that are not over
  std::uint32_t running_ = 0; ///< tasks
  /// By task: the begin of its present run; `no_instant`: it waits; `unknown_begin`: it runs from
  /// before, or is over.
  std::vector<instant> begins_{};
  std::vector<task_story> tasks_{};
  std::vector<stage_progress> stages_{}; ///< empty if no group waits for another
  task_fate fate_ = task_fate::finished;
  job_record row_{};
};

} // namespace troupe
