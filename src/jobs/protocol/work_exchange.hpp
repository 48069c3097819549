#pragma once

#include "model/base/ids.hpp"
#include "process/command/command_end.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

/// The messages between nodes with machines and the job service. A node sends reports; the service
/// answers each with its bookings and decisions. Reports may be repeated, lost or late: all of them
/// may be handled any number of times.
namespace troupe {

/// One try to run a task of an accepted job. The number of the attempt, from 1, is the fencing
/// token: a task's attempts never run at the same time, and only the end of its latest counts.
struct attempt_key {
  std::uint64_t job = 0;
  std::uint32_t task = 0;
  std::uint32_t attempt = 0;

  friend auto operator<=>(const attempt_key&, const attempt_key&) = default;
};

/// Renders as "JOB.TASK.ATTEMPT".
inline std::string to_string(const attempt_key& key) {
  return std::to_string(key.job) + '.' + std::to_string(key.task) + '.' +
         std::to_string(key.attempt);
}

/// The end of an attempt, with its use of resources.
struct attempt_end {
  attempt_key which;
  end_reason reason = end_reason::none;
  std::int32_t exit_code = -1; ///< -1: none
  std::int32_t signal = 0;     ///< that ended the command; 0: none
  bool core = false;
  bool oom = false;            ///< it was killed for want of memory
  std::int64_t started_ns = 0; ///< UTC
  std::int64_t ended_ns = 0;   ///< UTC
  std::int64_t user_us = 0;
  std::int64_t system_us = 0;
  std::int64_t max_rss_bytes = 0;
  std::uint64_t out_bytes = 0;
  std::uint64_t err_bytes = 0;
  std::string detail; ///< of exec_failed and host_failed: the step and the error

  friend bool operator==(const attempt_end&, const attempt_end&) = default;
};

/// A report of a node to the service. A list of running attempts includes all attempts that earlier
/// processes with the same state directory have left; a report with an empty list says nothing
/// about them.
struct work_report {
  std::string node;
  std::uint64_t boot = 0;           ///< of the node's process; rises from one to the next
  std::string machine_state;        ///< identifies the node's state directory
  std::vector<task_id> wants;       ///< scheduler tasks that the node was told to start
  std::vector<attempt_key> running; ///< all that run there, or may run; or none
  std::vector<attempt_end> ended;   ///< repeated until the service has seen them

  /// Identifies the machine.
  const std::string& machine() const { return machine_state.empty() ? node : machine_state; }
};

enum class start_verdict : std::uint8_t {
  run,   ///< the attempt is booked for the node that asked
  wait,  ///< not now: an earlier attempt may still run; ask again
  refuse ///< never: the task is over, or the scheduler's job is out of date
};

/// The answer to a wish to start a task. The lease of the attempt begins when the node sent the
/// answered report: if this is too long ago, the node must not start the attempt any more.
struct start_permit {
  task_id as; ///< the scheduler's task
  start_verdict verdict = start_verdict::refuse;
  attempt_key which; ///< with `run`
  std::string spec;  ///< with `run`: an attempt_spec as JSON
};

/// An attempt has to end. It is repeated until the end is seen: a node that does not run it, and
/// will not start it, reports its end, too. With the reason `host_failed` it is a question only:
/// a node that has the attempt does nothing.
struct stop_order {
  attempt_key which;
  end_reason reason = end_reason::cancelled;
  std::int64_t grace_ms = 0; ///< between SIGTERM and SIGKILL
};

/// What the service answers to a report.
struct work_answer {
  std::vector<start_permit> permits;
  std::vector<attempt_key> seen;    ///< ends that are booked, or out of date
  std::vector<attempt_key> renewed; ///< their leases begin again at the instant of the report
  std::vector<stop_order> stops;
};

} // namespace troupe
