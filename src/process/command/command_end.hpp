#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace troupe {

/// Why a command ended.
enum class end_reason : std::uint8_t {
  none,            ///< by itself
  cancelled,       ///< on request of a user
  time_limit,      ///< it ran longer than it may
  output_limit,    ///< it wrote more than it may
  memory_limit,    ///< it used more memory than it may
  lease,           ///< its lease was not renewed
  drain,           ///< its machine is to be empty
  preempted,       ///< another task takes its place
  exec_failed,     ///< it could not be started; `detail` says why
  supervisor_lost, ///< its supervisor was killed; the exit code is not known
  reboot,          ///< its host was started again; the exit code is not known
  host_failed,     ///< it was not started, as its host could not; `detail` says why
};

inline constexpr std::string_view end_reason_names[] = {
  "none",  "cancelled", "time_limit",  "output_limit",    "memory_limit", "lease",
  "drain", "preempted", "exec_failed", "supervisor_lost", "reboot",       "host_failed"};

inline std::string to_string(end_reason reason) {
  const auto i = static_cast<std::size_t>(reason);
  return std::string{i < std::size(end_reason_names) ? end_reason_names[i] : "?"};
}

/// How a command ended, and the resources that it used, together with all processes that it
/// started.
struct command_end {
  end_reason reason = end_reason::none;
  std::int32_t exit_code = -1;    ///< -1: none, since a signal ended it or it is not known
  std::int32_t signal = 0;        ///< that ended it; 0: none
  bool core = false;              ///< it left a core dump
  bool oom = false;               ///< the kernel, or its supervisor, killed it for lack of memory
  std::int64_t started_ns = 0;    ///< since 1970; 0: it never started
  std::int64_t ended_ns = 0;      ///< since 1970
  std::int64_t user_us = 0;       ///< CPU time in user mode
  std::int64_t system_us = 0;     ///< CPU time in the kernel
  std::int64_t max_rss_bytes = 0; ///< the largest resident set of one of its processes
  std::uint64_t out_bytes = 0;    ///< written to standard output
  std::uint64_t err_bytes = 0;    ///< written to standard error
  std::uint32_t strays = 0;       ///< processes that outlived it, and were killed
  std::string detail;             ///< for `exec_failed` and `host_failed`: the step and the error
};

} // namespace troupe
