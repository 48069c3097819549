#pragma once

#include "jobs/service/jobs/queued_job.hpp"
#include "jobs/service/jobs/tenant_limit.hpp"
#include "jobs/service/work_book.hpp"
#include "jobs/store/job_database.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace troupe {

/// The clocks of a service.
struct service_clock {
  std::function<instant()> steady;      ///< monotonic, in ns
  std::function<std::int64_t()> utc_ms; ///< since 1970
  static service_clock real();
};

struct service_options {
  service_clock clock = service_clock::real();
  /// With a thread of its own, which also looks at leases; without, everything is done within the
  /// calls, and the caller calls `tick`.
  bool own_thread = true;
  std::chrono::milliseconds keep_finished = std::chrono::hours{24 * 7}; ///< jobs that are over
  std::size_t keep_at_most = 100'000;                                   ///< likewise
  std::uint64_t most_live_tasks = 10'000'000;
  std::vector<std::string> tenants{}; ///< who may submit jobs; empty: everyone, as equals
  /// Dominant shares of the machines that tenants may use at most; only for the reasons of jobs.
  std::map<std::string, double> maxima{};
  std::size_t most_waiters = 64; ///< beyond, `wait_for` answers at once
  /// Called once, from any thread, when the store does not work and this process cannot continue
  /// with it. If the store only does not answer, the service asks it again.
  std::function<void(const std::string& why)> on_broken{};
};

/// What came of a submission.
struct submit_outcome {
  enum class kind {
    made,
    repeated,       ///< the key is known: the same job was accepted earlier
    other_job,      ///< the key is known, but of another job
    no_predecessor, ///< `id` of `after` is unknown
    too_many,       ///< there are too many tasks already
    unavailable     ///< the store does not work now
  } what = kind::unavailable;
  std::uint64_t id = 0;
};

/// What came of a command on a job.
struct command_outcome {
  enum class kind { done, over, not_over, unknown, unavailable } what = kind::unavailable;
  std::uint32_t tasks = 0; ///< of a retry: that run again
};

/// What came of waiting for a job.
struct wait_outcome {
  bool available = true;      ///< the store works
  std::optional<job_row> job; ///< none: there is no such job
};

/// Accepted jobs: a book of decisions, a store that keeps them, and the requests that wait for
/// them. No request is answered before its result is durable. Thread-safe; callbacks run in the
/// thread of the service, or within the call.
class job_service {
public:
  /// Continues with the contents of the store. Throws the exceptions of the store.
  job_service(std::shared_ptr<job_database> store, service_options options = {});
  job_service(const job_service&) = delete;
  job_service& operator=(const job_service&) = delete;

  /// Finishes the commit under way. Waiting requests are told that the service is unavailable.
  ~job_service();

  /// Returns the jobs that the scheduling layer has to place, since the last call. Their numbers
  /// have 40 bits and are never used twice; of numbers that come back, only these bits count.
  std::vector<job> take_new();

  /// Returns the numbers of such jobs none of whose tasks has to be placed any more.
  std::vector<job_id> take_withdrawn();

  /// Sets the function that is called when there are more of them.
  void on_new(std::function<void()> call);

  /// Handles a node's report; calls `answer` once all that it says is durable. While the store does
  /// not work, an answer only renews leases.
  void hear(const work_report& report, std::function<void(work_answer)> answer);

  /// The same; waits for the answer. Not within a callback.
  work_answer hear(const work_report& report);

  /// The scheduling layer is done with a task: it has ended there, was lost, or given up.
  void scheduled_over(const task_id& as, task_fate fate);

  void submit(job_spec spec, const std::string& key, std::function<void(submit_outcome)> answer);
  void cancel(std::uint64_t id, std::function<void(command_outcome)> answer);
  void retry(std::uint64_t id, std::function<void(command_outcome)> answer);

  /// Gives up the attempt of a task that may still run; for leases that never end.
  void give_up(std::uint64_t id, std::uint32_t task, std::function<void(command_outcome)> answer);

  /// Keeps the policies that a client has ordered for schedulers; calls `answer` once they are
  /// durable, or cannot be.
  void keep_policies(std::vector<ordered_policy_row> policies,
                     std::function<void(bool durable)> answer);

  /// The policies that the store had when this began, by scheduler.
  const std::vector<ordered_policy_row>& kept_policies() const { return kept_policies_; }

  /// Keeps which machines there were when; calls `answer` as for policies.
  void keep_machines(std::vector<machine_row> machines, std::function<void(bool durable)> answer);

  /// The machines that were there by the store when this began, by node.
  const std::vector<machine_row>& kept_machines() const { return kept_machines_; }

  /// Calls `answer` with the job when it is over, or at the end of the time.
  void wait_for(std::uint64_t id, duration at_most, std::function<void(wait_outcome)> answer);

  /// Those who may submit jobs; empty: everyone.
  const std::vector<std::string>& tenants() const { return options_.tenants; }

  /// Returns the maximum of a job's tenant, and its use now; nothing: it has none.
  std::optional<tenant_limit> limit_of(const std::string& tenant) const;

  /// Returns those of these jobs that are queued now, by number.
  std::map<std::uint64_t, queued_job> queued_among(const std::vector<std::uint64_t>& ids) const;

  /// What the store has: for readers, in any thread.
  job_database& stored() { return *store_; }

  /// Checks leases, waiting requests and old jobs.
  void tick();

  bool available() const;
  std::uint64_t open_attempts() const;

private:
  using action = std::function<void(bool durable)>;

  struct waiter {
    std::uint64_t id = 0;
    instant deadline{0};
    std::function<void(wait_outcome)> answer;
  };

  service_time now() const;
  void start_book(live_jobs stored);
  void load_again(std::unique_lock<std::mutex>& lock);
  void run();
  void flush(std::unique_lock<std::mutex>& lock);
  void flush_once(std::unique_lock<std::mutex>& lock);
  void fail(std::unique_lock<std::mutex>& lock, std::vector<action> actions, bool for_good,
            const std::string& why);
  void after(std::unique_lock<std::mutex>& lock, action then);
  void answer_waiters(std::vector<waiter> due);
  std::vector<waiter> due_waiters(const std::vector<std::uint64_t>& ended);
  void forget_old(service_time at);
  std::map<std::uint64_t, job_state> states_of(const std::vector<std::uint64_t>& ids,
                                               std::uint64_t& unknown);

  std::shared_ptr<job_database> store_;
  service_options options_;
  mutable std::mutex mutex_;
  std::condition_variable wakes_;
  std::unique_ptr<work_book> book_;
  /// `has_to_load`: the store is full or does not answer; its contents are read when it answers
  /// again.
  enum class health { works, has_to_load, broken } health_ = health::works;
  std::vector<action> actions_; ///< for after the next commit
  bool committing_ = false;
  bool changed_ = false; ///< the book may have changes
  bool stop_ = false;
  /// Submissions with keys that are not durable yet: the job, and its text.
  std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, std::string>> new_keys_;
  std::map<std::uint32_t, ordered_policy_row> new_policies_; ///< not committed yet, by scheduler
  std::map<std::pair<std::string, std::int64_t>, machine_row> new_machines_; ///< likewise, by key
  std::vector<ordered_policy_row> kept_policies_;
  std::vector<machine_row> kept_machines_;
  std::optional<std::int64_t> forgets_machines_before_; ///< with the next commit
  std::set<std::uint64_t> being_forgotten_;             ///< jobs whose removal is not durable yet
  std::vector<job> new_jobs_;
  std::vector<job_id> withdrawn_;
  std::function<void()> on_new_;
  std::vector<waiter> waiters_;
  instant next_cleaning_{0};
  instant next_machine_cleaning_{0};
  instant next_load_{0};
  std::thread thread_;
};

} // namespace troupe
