#pragma once

#include "jobs/protocol/work_exchange.hpp"
#include "jobs/service/service_time.hpp"
#include "jobs/service/work_parts.hpp"
#include "jobs/store/job_database.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// All decisions about accepted jobs: which tasks may be placed, which node may run which attempt,
/// and the consequences of ends. It neither waits nor stores: `take_changes` returns the changes
/// that must become durable before any decision is published. A book that is made from the durable
/// data continues the last one; all tasks that are not over are handed out again, with new numbers.
/// `work_parts` lists the classes that it consists of.
class work_book {
public:
  /// `tenants`: those among whom the cluster is shared, in the order of their numbers. Jobs of
  /// others count for the first one.
  work_book(live_jobs stored, service_time now, std::vector<std::string> tenants = {});

  /// Returns the number that the next job will have.
  std::uint64_t next_job() const { return parts_.jobs.next_job(); }

  /// Accepts a job; returns its number. `predecessor_states`: those of the jobs in `spec.after`
  /// that this book does not have; one that is missing there, too, counts as succeeded.
  std::uint64_t submit(job_spec spec, const std::string& key,
                       const std::map<std::uint64_t, job_state>& predecessor_states,
                       service_time now);

  /// Returns a job that is not over, or whose end was not committed yet; else null.
  const live_job* find(std::uint64_t id) const { return parts_.jobs.find(id); }

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
  store_batch take_changes() { return parts_.changes.take(parts_.jobs); }

  /// Returns the orders since the last call. They may go out once the changes are durable.
  scheduler_orders take_orders() { return parts_.handed.take_orders(); }

  /// Returns the jobs that have ended since the last call.
  std::vector<std::uint64_t> take_ended() { return parts_.finisher.take_ended(); }

  /// The end of these jobs is durable: forgets those that are still over.
  void forget_ended(const std::vector<std::uint64_t>& ids);

  /// Removes jobs that are over from the store.
  void forget(const std::vector<std::uint64_t>& ids);

  /// Returns the numbers below `end` of the jobs that were handed out and are not over.
  std::vector<job_id> handed_out_below(job_id end) const { return parts_.handed.below(end); }

  /// The number of tasks of all jobs that are not over.
  std::uint64_t live_tasks() const { return parts_.jobs.live_tasks(); }

  /// What the running tasks use, by the tenant of their jobs.
  const std::map<std::string, resource_sum>& used() const { return parts_.jobs.used(); }

  std::uint64_t open_attempts() const { return parts_.leases.all().size(); }

private:
  work_parts parts_;
};

} // namespace troupe
