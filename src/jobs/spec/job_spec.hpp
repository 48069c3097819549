#pragma once

#include "model/base/resources.hpp"
#include "model/base/time.hpp"
#include "model/jobs/constraint.hpp"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// What a submitted job may have at most.
namespace job_limits {
inline constexpr std::uint32_t tasks = 1'000'000; ///< of a job
inline constexpr std::size_t groups = 1'000;
inline constexpr std::size_t argv = 4'096;               ///< arguments of a command
inline constexpr std::size_t command_bytes = 128 * 1024; ///< Linux' limit of one argument
inline constexpr std::size_t variables = 1'000;
inline constexpr std::size_t variable_bytes = 128 * 1024; ///< of all variables of a group
inline constexpr std::size_t constraints = 100;
inline constexpr std::size_t predecessors = 1'000;
inline constexpr std::size_t name = 200; ///< bytes of a name
inline constexpr std::size_t path = 4'095;
inline constexpr std::size_t faults = 20; ///< that a message lists
inline constexpr std::chrono::seconds shortest_lease{3};
} // namespace job_limits

/// Tasks of one job that run the same command.
struct job_group_spec {
  std::string name;                 ///< unique in the job
  std::uint32_t count = 1;          ///< number of tasks
  std::vector<std::string> entries; ///< one for each task, or none: its number in the group
  std::vector<std::string> argv;    ///< program and arguments
  std::map<std::string, std::string> env;
  std::string dir;            ///< an absolute path; empty: one of the attempt's own
  std::int32_t cpu_milli = 0; ///< 1000: one core
  std::int64_t memory_bytes = 0;
  std::int32_t gpu_milli = 0;
  std::int32_t slots = 0;
  std::vector<constraint> constraints;
  bool gang = false;                         ///< its tasks start together or not at all
  std::vector<std::uint32_t> after;          ///< groups before this one that have to succeed first
  std::uint32_t retries = 0;                 ///< further attempts after ends of the command's own
  duration time_limit{0};                    ///< of an attempt; 0: none
  duration grace = std::chrono::seconds{5};  ///< between SIGTERM and SIGKILL
  duration lease = std::chrono::seconds{60}; ///< 0: forever
  std::int64_t output_limit_bytes = std::int64_t{64} << 20; ///< 0: none

  /// What the scheduling layer has to reserve for each task; memory in whole MiB, rounded up.
  resources demand() const;

  friend bool operator==(const job_group_spec&, const job_group_spec&) = default;
};

/// A job as it is submitted.
struct job_spec {
  std::string name; ///< may be empty
  std::string tenant = "default";
  std::int32_t priority = 0;        ///< higher goes first
  std::vector<std::uint64_t> after; ///< jobs that have to succeed first
  std::vector<job_group_spec> groups;

  std::uint32_t task_count() const;

  friend bool operator==(const job_spec&, const job_spec&) = default;
};

/// A fault of a specification.
struct spec_fault {
  std::string place; ///< a JSON pointer (RFC 6901), or "FILE:LINE"
  std::string what;  ///< the value, and the expected one

  friend bool operator==(const spec_fault&, const spec_fault&) = default;
};

/// A specification has faults. what() has a line for each.
struct spec_error : std::runtime_error {
  explicit spec_error(std::vector<spec_fault> all);
  std::vector<spec_fault> faults;
};

/// Reads a job from JSON, as a store has it. Throws `spec_error` with all faults, at most
/// `job_limits::faults`.
job_spec read_job_json(std::string_view text);

/// Reads a job from JSON: the body of a submission. Throws like `read_job_json`, and also for
/// leases that are too short.
job_spec read_submission(std::string_view text);

/// Reads a job from TOML: a job file called `name`. Throws like `read_submission`.
job_spec read_job_toml(std::string_view text, const std::string& name);

/// Renders a job as JSON on one line, in a form that depends on its meaning only.
std::string to_json(const job_spec& spec);

} // namespace troupe
