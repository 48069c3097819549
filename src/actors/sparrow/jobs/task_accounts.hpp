#pragma once

#include "actors/sparrow/jobs/open_jobs.hpp"
#include "actors/sparrow/sparrow_limits.hpp"
#include "model/cluster/catalog.hpp"
#include "model/metrics/busy_meter.hpp"
#include "model/metrics/group_counters.hpp"
#include "model/protocol/failure_protocol.hpp"
#include "model/protocol/sparrow_protocol.hpp"
#include "model/records/record_outbox.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace troupe {

/// What a Sparrow scheduler counts and records of its jobs and tasks: how many tasks are where, how
/// long they waited, and how long it was busy. It changes no job: each call says that something has
/// happened to one. A task is counted as in commit from when it is sent until it has started.
class task_accounts {
public:
  /// `machines` must outlive it. `own_group` is the group of schedulers that the scheduler is of.
  task_accounts(scheduler_id id, const catalog& machines, const sparrow_limits& limits,
                std::uint32_t own_group);

  /// Sets a later beginning. Must be called before any count.
  void begin(instant at) { books_.begin(at); }

  // -- decisions ----------------------------------------------------------------------------------

  void begin_decision(const open_job& j, instant from, duration cost) {
    busy_.begin(from);
    busy_.add(j.what.group, cost);
  }
  void end_decision() { busy_.end(books_); }

  // -- jobs ---------------------------------------------------------------------------------------

  /// A job has come, all tasks of which wait.
  void submit(const open_job& j);

  /// `submit` was of a job that an earlier incarnation has left with some tasks that are over; the
  /// others wait. Must be followed by `count_waiting` once the job itself tells which do.
  void resume(const open_job& j, const kept_job& left);

  /// A task of a job that was resumed runs.
  void resume_run(const open_job& j, std::uint32_t task, machine_id at);

  /// Counts the tasks of a job that was resumed that wait for machines, and for others of the job.
  void count_waiting(const open_job& j);

  /// Groups of a job have ceased to wait for others.
  void release(const open_job& j, const std::vector<std::uint32_t>& groups);

  /// The last task of a job is over.
  void finish(const open_job& j);

  // -- tasks --------------------------------------------------------------------------------------

  /// A task that waited was sent to a machine.
  void send(const open_job& j, std::uint32_t task, machine_id to) {
    auto& [counts, sample] = book_of(j);
    --counts.queued;
    ++counts.in_commit;
    ++sample.sparrow.launched;
    if (auto* book = records())
      book->send({j.what.id, task}, to);
  }

  /// A task of a group has started where it was sent. `violates`: it must not have, there.
  void start(const open_job& j, std::uint32_t g, const task_start& what, bool violates);

  /// A task that was sent and has not started waits again.
  void take_back(const open_job& j, std::uint32_t task);

  /// The run of a task was lost, and it waits again since then.
  void lose(const open_job& j, const task_id& task, instant at);

  /// A task that ran has ended, or was lost and is given up.
  void end(const open_job& j, task_fate fate);

  /// A task of a group that waited is abandoned.
  void abandon(const open_job& j, std::uint32_t g, instant now);

  /// A task is over, whatever has happened to it.
  void close(const task_id& task, instant at, task_fate fate) {
    if (auto* book = records())
      book->end(task, at, fate);
    if (!lost_at_.empty())
      lost_at_.erase(task);
  }

  /// Something was heard of a task that nobody waits for.
  void count_unknown() { ++books_.own().duplicate_grants; }

  /// Since when a task of a group waits, or waited before it was sent.
  instant waits_since(const open_job& j, const task_id& task, std::uint32_t g) const {
    if (!lost_at_.empty())
      if (const auto lost = lost_at_.find(task); lost != lost_at_.end())
        return lost->second;
    return j.groups[g].released;
  }

  // -- counts -------------------------------------------------------------------------------------

  /// The counts since the last sample for the group of a job, and for the scheduler's own group.
  scheduler_sample& sample_of(const open_job& j) { return book_of(j).sample; }
  scheduler_sample& own_sample() { return books_.own(); }

  /// Returns the counts since the last call, for each known group of jobs. `left` are jobs of an
  /// earlier incarnation that are not taken over yet.
  std::vector<group_sample> take(const open_jobs& jobs, instant now,
                                 std::span<const kept_job> left);

  const group_counters& counters() const { return books_; }

  /// Throws `std::logic_error` if checks are built in and a task is in no place, or in two.
  void check() const;

  // -- records ------------------------------------------------------------------------------------

  /// The records on their way to the recorder, or null.
  record_outbox* recording() { return recording_.get(); }
  const record_outbox* recording() const { return recording_.get(); }

  /// The book of jobs and tasks, or null.
  record_book* records() { return recording_ ? &recording_->book() : nullptr; }

  /// What watches a job; null unless one does.
  task_watch* watching(job_id job) {
    return recording_ ? recording_->book().watching(job) : nullptr;
  }

  /// Tells what watches a job which machines were drawn for a group of it.
  void note_drawn(const open_job& j, watched what, std::uint32_t g,
                  const std::vector<machine_id>& drawn);

private:
  bool is_warm(const open_job& j) const { return j.what.submitted >= warmup_; }
  group_counters::book& book_of(const open_job& j) { return books_.of(j.what.group); }
  void note_waiting(const open_jobs& jobs, instant now, std::span<const kept_job> left);

  scheduler_id id_;
  const catalog* machines_;
  instant warmup_;
  group_counters books_;
  busy_meter busy_;
  std::uint64_t blocked_ = 0;                    ///< tasks that wait for others of their job
  std::unordered_map<task_id, instant> lost_at_; ///< of tasks whose run was lost
  std::unique_ptr<record_outbox> recording_;     ///< null: jobs and tasks are not recorded
};

} // namespace troupe
