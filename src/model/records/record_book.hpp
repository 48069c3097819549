#pragma once

#include "model/cluster/catalog.hpp"
#include "model/explain/task_watch.hpp"
#include "model/explain/wait_reason.hpp"
#include "model/jobs/job.hpp"
#include "model/records/job_story.hpp"
#include "model/records/record_level.hpp"
#include "model/records/records.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// The records of a scheduler's jobs and tasks, beside its other books. The scheduler reports each
/// event; when a task or a job is over, its record is finished and waits to be taken. Events of
/// unknown jobs are ignored.
///
/// With `record_level::jobs` it keeps 8 bytes for each task of an open job, with
/// `record_level::tasks` about 150.
class record_book {
public:
  /// `machines` must outlive the book. `owner_of` names the owner of each partition; empty: there
  /// are no owners. `watch`, if any, receives the events of its job, and must outlive the book.
  /// `waits_for`: the reason of all waiting tasks at a scheduler that gives no reasons; else
  /// `none`.
  record_book(record_level level, scheduler_id scheduler, const catalog& machines,
              std::vector<owner_id> owner_of = {}, task_watch* watch = nullptr,
              wait_reason waits_for = wait_reason::none)
    : detailed_(level == record_level::tasks),
      waits_for_(waits_for),
      scheduler_(scheduler),
      machines_(&machines),
      owner_of_(std::move(owner_of)),
      watch_(watch) {}

  // -- jobs ---------------------------------------------------------------------------------------

  /// A job was taken in; all its tasks wait. It must stay where it is until its last task is over.
  void submit(const job& taken);

  /// A moldable job has the width that it has now.
  void resize(const job& to);

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

  /// The decision on a task has been handed out. `machine`: the decided machine, if the pick was
  /// not reported.
  void decide(const task_id& task, instant queued, duration view_age, instant now,
              machine_id machine = no_machine);

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

  /// A placement was refused. The scheduler and the partition are filled in. Its record is finished
  /// when the next step of the task is known.
  void refuse(attempt_record refusal);

  /// A task that was refused waits again: it is not tried before `retry_at`, or `no_instant` if
  /// unknown. `why`: the reason to wait.
  void retry(const task_id& task, instant retry_at, wait_reason why);

  /// A task that was taken back waits again.
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

  // -- what is known ------------------------------------------------------------------------------

  scheduler_id scheduler() const { return scheduler_; }

  /// Returns whether a job is known and not over.
  bool is_open(job_id id) const { return open_.contains(id); }

  // Of a task of such a job: whether it neither runs nor is over, is over (by records of tasks), or
  // waits for other tasks; and from when on its delay counts, unless it has run.
  bool waits(const task_id& task) const { return open_.at(task.job).waits(task.index); }
  bool is_over(const task_id& task) const {
    return detailed_ && !open_.at(task.job).is_open(task.index);
  }
  bool waits_for_others(const task_id& task) const {
    return open_.at(task.job).waits_for_others(task.index);
  }
  instant eligible_since(const task_id& task) const {
    return open_.at(task.job).eligible_since(task.index);
  }

  /// The watch, if it is on this job; else null.
  task_watch* watching(job_id id) const {
    return watch_ != nullptr && watch_->wants(id) ? watch_ : nullptr;
  }

  // -- records ------------------------------------------------------------------------------------

  /// Says why a task that is not over waits.
  using reason_lookup = std::function<wait_reason(const task_id&)>;

  /// Finishes the records of all jobs and tasks that are not over, in the order of their numbers.
  /// To be called once, at the end of the run. Without `why` it stays unknown why tasks wait.
  void finish_open(const reason_lookup& why = {});

  /// The finished records, with those that were taken since there were none to take.
  const record_batch& finished() const { return done_; }

  /// Returns finished records, `most` at most, the first ones first.
  record_batch take(std::size_t most);

private:
  using story_map = std::unordered_map<job_id, job_story>;

  job_story* find(job_id id);
  story_map::iterator open(job_id id);
  void close(job_id id);
  void place(const task_id& task, const placement_facts& facts, bool by_owner);
  watched_event* note(const task_id& task, watched what) const;
  task_record& add_record(const job_story& of, std::uint32_t task);

  bool detailed_;
  wait_reason waits_for_;
  scheduler_id scheduler_;
  const catalog* machines_;
  std::vector<owner_id> owner_of_;
  task_watch* watch_ = nullptr;
  instant began_ = no_instant;
  story_map open_;
  std::vector<story_map::node_type> spare_{}; ///< of jobs that are over, for the next ones
  job_id latest_id_ = 0;                      ///< the job of the last event
  job_story* latest_ = nullptr;               ///< its story; null: not known
  /// By task: refusals for which the next step of the task is unknown.
  std::unordered_map<task_id, attempt_record> refused_;
  record_batch done_;
  std::size_t taken_[3] = {0, 0, 0}; ///< of `done_`: jobs, tasks, attempts
};

} // namespace troupe
