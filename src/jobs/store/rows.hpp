#pragma once

#include "jobs/protocol/work_exchange.hpp"
#include "model/base/choice.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a store keeps of jobs. All instants are UTC in ms since 1970; 0: not yet.
namespace troupe {

enum class job_state : std::uint8_t {
  queued,   ///< no task has been started
  running,  ///< a task has been started
  stopping, ///< it was cancelled, and tasks still run
  succeeded,
  failed,   ///< a task has failed
  cancelled ///< by a user, or since a job before it did not succeed
};

enum class task_state : std::uint8_t {
  waiting, ///< for groups or jobs before it
  queued,
  running, ///< an attempt is open
  succeeded,
  failed,
  cancelled
};

template <>
struct choice_names<job_state> {
  static constexpr std::array<std::string_view, 6> value{"queued",    "running", "stopping",
                                                         "succeeded", "failed",  "cancelled"};
};

template <>
struct choice_names<task_state> {
  static constexpr std::array<std::string_view, 6> value{"waiting",   "queued", "running",
                                                         "succeeded", "failed", "cancelled"};
};

constexpr std::string_view name_of(end_reason r) {
  return end_reason_names[static_cast<std::size_t>(r)];
}

constexpr bool is_over(job_state s) {
  return s >= job_state::succeeded;
}
constexpr bool is_over(task_state s) {
  return s >= task_state::succeeded;
}

/// As databases keep numbers: with a sign.
constexpr std::int64_t whole(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

/// Numbers of tasks.
struct job_task_counts {
  std::uint32_t running = 0;
  std::uint32_t succeeded = 0;
  std::uint32_t failed = 0;
  std::uint32_t cancelled = 0;

  std::uint32_t over() const { return succeeded + failed + cancelled; }
  friend bool operator==(const job_task_counts&, const job_task_counts&) = default;
};

struct job_row {
  std::uint64_t id = 0; ///< from 1
  std::string name;
  std::string tenant;
  std::int32_t priority = 0;
  job_state state = job_state::queued;
  std::uint32_t tasks = 0;
  job_task_counts counts;
  std::string reason; ///< of the state, for people; may be empty
  std::int64_t submitted_ms = 0;
  std::int64_t started_ms = 0;
  std::int64_t finished_ms = 0;
  std::int64_t cancel_ms = 0; ///< when a user asked for it
  std::string spec;           ///< a job_spec as JSON; empty where only the rest is written

  friend bool operator==(const job_row&, const job_row&) = default;
};

struct group_row {
  std::uint64_t job = 0;
  std::uint32_t number = 0;
  std::uint32_t first_task = 0;
  std::uint32_t tasks = 0;
  task_state rest = task_state::waiting; ///< of all tasks without a row of their own
  std::string rest_reason;
  job_task_counts counts;

  friend bool operator==(const group_row&, const group_row&) = default;
};

struct task_row {
  std::uint64_t job = 0;
  std::uint32_t task = 0;
  std::uint32_t group = 0;
  task_state state = task_state::queued;
  std::uint32_t attempts = 0; ///< so far: the number of the latest
  std::uint32_t retries = 0;  ///< of those that were granted, used
  std::uint32_t losses = 0;   ///< attempts whose outcome is unknown
  std::string reason;         ///< of the state, for people; may be empty

  friend bool operator==(const task_row&, const task_row&) = default;
};

struct attempt_row {
  attempt_key which;
  std::string node;
  std::uint64_t boot = 0;
  std::string machine_state;
  std::int64_t granted_ms = 0;
  bool open = true;
  bool lost = false; ///< given up without a report of its end
  attempt_end end;   ///< unless open

  friend bool operator==(const attempt_row&, const attempt_row&) = default;
};

/// The policy that a client has ordered last for a scheduler.
struct ordered_policy_row {
  std::uint32_t scheduler = 0;
  std::int64_t at_ns = 0; ///< UTC, since 1970
  std::string policy;
  std::string settings = "[]"; ///< a list in JSON of "name=value"

  friend bool operator==(const ordered_policy_row&, const ordered_policy_row&) = default;
};

/// A machine that was there for a time, as the same all the time.
struct machine_row {
  std::string node;
  std::int64_t since_ms = 0;
  std::int64_t until_ms = 0; ///< 0: it is there
  std::int32_t cpu_milli = 0;
  std::int32_t memory_mib = 0;
  std::int32_t gpu_milli = 0;
  std::int32_t slots = 0;
  std::string attributes = "{}"; ///< an object of texts in JSON

  friend bool operator==(const machine_row&, const machine_row&) = default;
};

/// Changes that become durable together. Rows replace those with the same key; of each key there is
/// one at most.
struct store_batch {
  /// A submission that may be repeated with its key.
  struct submission {
    std::string tenant;
    std::string key;
    std::uint64_t job = 0;
  };

  std::vector<job_row> jobs; ///< with a spec: new ones
  std::vector<submission> submissions;
  std::vector<group_row> groups;
  std::vector<task_row> tasks;
  std::vector<attempt_row> attempts;
  std::vector<ordered_policy_row> policies;
  std::vector<machine_row> machines;
  std::optional<std::int64_t> machines_before_ms; ///< those that had left then are removed
  std::vector<std::uint64_t> forgotten;  ///< jobs that are removed, with all that is theirs
  std::optional<std::uint64_t> next_job; ///< numbers below may have been used
  std::optional<std::uint64_t> next_scheduler_job; ///< likewise

  bool empty() const {
    return jobs.empty() && submissions.empty() && groups.empty() && tasks.empty() &&
           attempts.empty() && policies.empty() && machines.empty() && !machines_before_ms &&
           forgotten.empty() && !next_job && !next_scheduler_job;
  }
};

} // namespace troupe
