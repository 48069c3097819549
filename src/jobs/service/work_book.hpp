#pragma once

#include "jobs/protocol/work_exchange.hpp"
#include "jobs/service/end_rules.hpp"
#include "jobs/service/lease_book.hpp"
#include "jobs/service/live_job.hpp"
#include "jobs/store/job_database.hpp"
#include "model/jobs/job.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace troupe {

/// The two clocks of the service, read once for each decision.
struct service_time {
  instant steady{0};       ///< of a monotonic clock: for leases
  std::int64_t utc_ms = 0; ///< for people
};

/// The scheduler's numbers of handed-out jobs have so many bits; what is above belongs to others.
inline constexpr int scheduler_job_bits = 40;

/// What the scheduling layer has to hear.
struct scheduler_orders {
  std::vector<job> made;         ///< their tasks may be placed
  std::vector<job_id> withdrawn; ///< none of their tasks has to be placed any more
};

/// All decisions about accepted jobs: which tasks may be placed, which node may run which attempt,
/// and the consequences of ends. It neither waits nor stores: `take_changes` returns the changes
/// that must become durable before any decision is published. A book that is made from the durable
/// data continues the last one; all tasks that are not over are handed out again, with new numbers.
class work_book {
public:
  work_book(live_jobs stored, service_time now);

  /// Returns the number that the next job will have.
  std::uint64_t next_job() const { return next_job_; }

  /// Accepts a job; returns its number. `predecessor_states`: those of the jobs in `spec.after`
  /// that this book does not have; one that is missing there, too, counts as succeeded.
  std::uint64_t submit(job_spec spec, const std::string& key,
                       const std::map<std::uint64_t, job_state>& predecessor_states,
                       service_time now);

  /// Returns a job that is not over, or whose end was not committed yet; else null.
  const live_job* find(std::uint64_t id) const;

  /// Cancels the tasks that are not over. Returns whether there was any.
  bool cancel(std::uint64_t id, service_time now);

  /// Runs the tasks again that failed or were cancelled. The job has to be over: either this book
  /// still has it, or `stored` has all of it. Returns the number of tasks.
  std::uint32_t retry(std::uint64_t id, std::optional<live_jobs::one> stored,
                      const std::map<std::uint64_t, job_state>& predecessor_states,
                      service_time now);

  /// Answers a report. The answer may go out once the changes are durable.
  work_answer hear(const work_report& report, service_time now);

  /// Gives up an open attempt without knowing its outcome, at the word of a human.
  bool give_up(std::uint64_t id, std::uint32_t task, service_time now);

  /// The scheduling layer is done with a task that it was handed. If the task is neither over nor
  /// running, it is handed out again after a pause: 1 s, doubling to 60 s.
  void scheduled_over(task_id as, task_fate fate, service_time now);

  /// Gives up the attempts whose leases are over, and ends pauses.
  void look_at_time(service_time now);

  /// Returns an instant up to which `look_at_time` has nothing to do; nothing: none.
  std::optional<instant> next_due() const;

  /// Returns which of these attempts are open.
  std::vector<attempt_key> open_among(const std::vector<attempt_key>& keys);

  /// Returns all changes since the last call.
  store_batch take_changes();

  /// Returns the orders since the last call. They may go out once the changes are durable.
  scheduler_orders take_orders();

  /// Returns the jobs that have ended since the last call.
  std::vector<std::uint64_t> take_ended();

  /// The end of these jobs is durable: forgets those that are still over.
  void forget_ended(const std::vector<std::uint64_t>& ids);

  /// Removes jobs that are over from the store.
  void forget(const std::vector<std::uint64_t>& ids);

  /// Returns the numbers below `end` of the jobs that were handed out and are not over.
  std::vector<job_id> handed_out_below(job_id end) const;

  /// The number of tasks of all jobs that are not over.
  std::uint64_t live_tasks() const { return live_tasks_; }

  std::uint64_t open_attempts() const { return leases_.all().size(); }

private:
  /// Tasks of one group that were handed out together.
  struct handed_out {
    std::uint64_t job = 0;
    std::uint32_t group = 0;
    std::vector<std::uint32_t> tasks; ///< numbers in the group; empty: all of it
    std::uint32_t left = 0;           ///< tasks that this is still the latest for
  };

  using job_map = std::map<std::uint64_t, std::unique_ptr<live_job>>;

  live_job* get(std::uint64_t id);
  live_job& adopt(const live_jobs::one& stored);
  void wait_for_predecessors(live_job& j, const std::map<std::uint64_t, job_state>& states,
                             service_time now);

  live_task& touch(live_job& j, live_group& g, std::uint32_t in_group);
  void write(const live_job& j, const live_group& g, std::uint32_t in_group,
             const std::string& reason);
  void note(const live_job& j) { changed_jobs_.insert(j.row.id); }
  void note(const live_job& j, const live_group& g);

  void release_groups(live_job& j);
  void release(live_job& j, live_group& g);
  void place_later(live_job& j, live_group& g, std::uint32_t in_group);
  void place_all();
  void hand_out(live_job& j, live_group& g, std::vector<std::uint32_t> tasks);
  job_id next_scheduler_job();
  void leave(job_id placed_by);

  void end_task(live_job& j, live_group& g, std::uint32_t in_group, task_state state,
                const std::string& reason, service_time now);
  void cancel_rest(live_job& j, live_group& g, const std::string& reason);
  void break_group(live_job& j, live_group& g);
  bool end_job(live_job& j, service_time now);
  void finish_if_over(live_job& j, service_time now);
  void tell_dependents(std::uint64_t id, job_state state, std::vector<const live_job*>& ended,
                       service_time now);
  void book(const attempt_end& end, bool lost, service_time now);

  /// Returns the task behind a task of the scheduler, unless it was handed out again since.
  std::optional<std::pair<live_job*, std::uint32_t>> latest_of(task_id as);
  void end_pauses(service_time now);

  void hear_process(const work_report& report, service_time now);
  start_permit permit(const work_report& report, task_id as, service_time now);
  start_permit grant(const work_report& report, task_id as, live_job& j, live_group& g,
                     std::uint32_t in_group, service_time now);
  std::string spec_of(const live_job& j, const live_group& g, std::uint32_t in_group,
                      const attempt_key& which) const;

  job_map jobs_;
  std::map<std::uint64_t, std::set<std::uint64_t>> dependents_; ///< by the job waited for
  lease_book leases_;
  std::unordered_map<job_id, handed_out> handed_;
  std::uint64_t next_job_ = 1;
  job_id next_scheduler_job_ = 1;
  job_id reserved_scheduler_jobs_ = 1; ///< numbers below may be used without another mark
  std::uint64_t live_tasks_ = 0;

  std::multimap<instant, job_task> paused_; ///< by the end of the pause
  /// Queued tasks to be handed out, by job and group, at the end of each operation.
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint32_t>> to_place_;
  std::set<std::uint64_t> changed_jobs_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> changed_groups_;
  std::map<job_task, task_row> changed_tasks_;
  std::map<attempt_key, attempt_row> changed_attempts_;
  store_batch changes_; ///< the rest
  scheduler_orders orders_;
  std::vector<std::uint64_t> ended_;
};

} // namespace troupe
