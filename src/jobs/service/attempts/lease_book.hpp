#pragma once

#include "jobs/protocol/work_exchange.hpp"
#include "model/base/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// A task of an accepted job.
struct job_task {
  std::uint64_t job = 0;
  std::uint32_t task = 0;
  friend auto operator<=>(const job_task&, const job_task&) = default;
};

/// An attempt that runs, or may run.
struct open_attempt {
  attempt_key which;
  task_id as; ///< the scheduler's task that it was granted for; job 0: unknown
  std::string node;
  std::uint64_t boot = 0;
  std::string machine_state;
  std::int64_t granted_ms = 0;
  duration lease{0}; ///< 0: forever
  instant deadline{0};
  bool stop = false;      ///< its job was cancelled
  bool confirmed = false; ///< its node has listed it to this process of the service

  /// Whether the present process of its node, `boot`, may never have received it: an earlier
  /// process of the service, or of the node, may have ended before the grant arrived.
  bool is_uncertain(std::uint64_t present) const {
    return boot < present || (boot == present && as.job == 0 && !confirmed);
  }

  /// Identifies the machine.
  const std::string& machine() const { return machine_state.empty() ? node : machine_state; }
};

/// The open attempts with their leases, by task and by machine. Instants are those of a monotonic
/// clock.
class lease_book {
public:
  void open(open_attempt attempt, instant now);

  open_attempt* find(const job_task& task);

  /// Begins the lease of an attempt again.
  void renew(open_attempt& attempt, instant now) { attempt.deadline = end_of(attempt.lease, now); }

  void close(const job_task& task);

  /// Returns the attempts whose leases are over; they stay open.
  std::vector<attempt_key> expired(instant now);

  /// Returns an instant up to which no lease runs out; nothing if none does.
  std::optional<instant> next_expiry() const;

  /// The open attempts of a machine.
  const std::set<job_task>& on(const std::string& machine) const;

  const std::map<job_task, open_attempt>& all() const { return open_; }

  /// The time in which a new process of a node has to report the attempts of earlier ones.
  static constexpr duration settling = std::chrono::seconds{10};

  /// Notes that a process of a machine's node has listed its running attempts. Returns whether this
  /// is the first list of the latest process after `settling`.
  bool hear(const std::string& machine, std::uint64_t boot, instant now);

private:
  struct latest_process {
    std::uint64_t boot = 0;
    instant heard{0}; ///< first
    bool settled = false;
  };

  static instant end_of(duration lease, instant now);

  std::map<job_task, open_attempt> open_;
  std::map<std::string, std::set<job_task>> by_machine_;
  std::map<std::string, latest_process> latest_;
  /// When to look at an attempt again: never later than its deadline.
  std::priority_queue<std::pair<instant, job_task>, std::vector<std::pair<instant, job_task>>,
                      std::greater<>>
    looks_;
};

} // namespace troupe
