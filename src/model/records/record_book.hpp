#pragma once

#include "model/cluster/catalog.hpp"
#include "model/explain/task_watch.hpp"
#include "model/jobs/job.hpp"
#include "model/records/record_level.hpp"
#include "model/records/records.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
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

/// What one scheduler records of its jobs and tasks, beside its other books. It is told of each
/// event; when a task or a job is over, its record is finished and waits to be taken. Events of
/// jobs that it does not know are ignored.
///
/// With `record_level::jobs` it keeps 8 bytes for each task of an open job, with
/// `record_level::tasks` about 150.
class record_book {
public:
  /// `machines` must outlive the book. `owner_of` names the owner of each partition; empty: there
  /// are no owners. `watch`, if any, is told of what happens to its job, and must outlive the book.
  record_book(record_level level, scheduler_id scheduler, const catalog& machines,
              std::vector<owner_id> owner_of = {}, task_watch* watch = nullptr)
    : detailed_(level == record_level::tasks),
      scheduler_(scheduler),
      machines_(&machines),
      owner_of_(std::move(owner_of)),
      watch_(watch) {}

  // -- jobs ---------------------------------------------------------------------------------------

  /// A job was taken in; all its tasks wait. It must stay where it is until its last task is over.
  void submit(const job& taken);

  /// Some tasks of a job were over before this scheduler took it in; `fate` is the greatest of
  /// their fates. They have no rows.
  void close_before(job_id id, const std::vector<std::uint32_t>& over, task_fate fate);

  /// A task runs from before this scheduler took its job in; `machine` may be `no_machine`.
  void run_before(const task_id& task, machine_id machine);

  // -- decisions ----------------------------------------------------------------------------------

  /// A decision begins.
  void begin_decision(instant now) {
    began_ = now;
    if (watch_ != nullptr && watch_->deciding && watch_->waits_at(scheduler_))
      watch_->deciding(scheduler_);
  }

  /// The decision on a task has been handed out.
  void decide(const task_id& task, instant queued, duration view_age, instant now);

  /// A task that is being decided on is to be counted as in commit.
  void note_deciding(const task_id& task);

  /// A task was sent to a machine without a decision on a view.
  void send(const task_id& task, machine_id machine);

  // -- placements ---------------------------------------------------------------------------------

  /// An owner has granted a machine.
  void grant(const task_id& task, const placement_facts& facts) { place(task, facts, true); }

  /// A task has started on its machine; no owner is involved.
  void start(const task_id& task, const placement_facts& facts) { place(task, facts, false); }

  /// A grant will name another machine than decided.
  void divert(const task_id& task);

  /// A placement was refused. The scheduler and the partition are filled in.
  void refuse(attempt_record refusal);

  /// A task that was refused, or taken back, waits again.
  void queue_again(const task_id& task);

  /// A task runs on another machine than was known.
  void move(const task_id& task, machine_id machine);

  // -- ends ---------------------------------------------------------------------------------------

  /// A run of a task was lost with its machine; the task waits again.
  void lose(const task_id& task, instant at);

  /// A run of a task had to give way after `ran`; the task waits again.
  void preempt(const task_id& task, instant at, duration ran);

  /// A task that was believed to run does not, and waits since `since`.
  void put_back(const task_id& task, instant since);

  /// A task is over.
  void end(const task_id& task, instant at, task_fate fate);

  /// The watch, if it is on this job; else null.
  task_watch* watching(job_id id) const {
    return watch_ != nullptr && watch_->wants(id) ? watch_ : nullptr;
  }

  // -- records ------------------------------------------------------------------------------------

  /// Finishes the records of all jobs and tasks that are not over, in the order of their numbers.
  /// To be called once, at the end of the run.
  void finish_open();

  /// Returns finished records, `most` at most, the first ones first.
  record_batch take(std::size_t most);

private:
  /// What is kept of a task, with `record_level::tasks`.
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

  struct job_story {
    const job* of = nullptr;
    std::uint32_t left = 0;      ///< tasks that are not over
    std::uint32_t running = 0;   ///< tasks
    std::vector<instant> placed; ///< by task: begin of its present run, as far as is known
    std::vector<task_story> tasks{};
    std::vector<stage_progress> stages{}; ///< empty if no group waits for another
    task_fate fate = task_fate::finished;
    job_record row;
  };

  /// A task's group, and its index within that.
  struct place_in_job {
    std::uint32_t group = 0;
    std::uint32_t index = 0;
  };

  job_story* find(job_id id);
  static place_in_job locate(const job& of, std::uint32_t task);
  void place(const task_id& task, const placement_facts& facts, bool by_owner);
  watched_event* note(const task_id& task, watched what) const;
  void end_run(job_story& of, std::uint32_t task, duration lost_work);
  void wait_again(job_story& of, std::uint32_t task, instant since);
  void finish_task(const job_story& of, std::uint32_t task, const place_in_job& in,
                   record_state state);
  void finish_job(job_story& of, record_state state);
  static record_state state_of_open(const job_story& of, std::uint32_t group);
  static instant eligible_since(const job_story& of, std::uint32_t group);

  bool detailed_;
  scheduler_id scheduler_;
  const catalog* machines_;
  std::vector<owner_id> owner_of_;
  task_watch* watch_ = nullptr;
  instant began_ = no_instant;
  std::unordered_map<job_id, job_story> open_;
  job_id latest_id_ = 0;        ///< the job of the last event
  job_story* latest_ = nullptr; ///< its story; null: not known
  record_batch done_;
  std::size_t taken_[3] = {0, 0, 0}; ///< of `done_`: jobs, tasks, attempts
};

} // namespace troupe
