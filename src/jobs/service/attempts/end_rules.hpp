#pragma once

#include "jobs/protocol/work_exchange.hpp"
#include "jobs/store/rows.hpp"

#include <cstdint>
#include <string>

namespace troupe {

/// How often a task may be lost before it counts as failed.
inline constexpr std::uint32_t most_losses = 5;

/// The attempts that a task has had.
struct spent_attempts {
  std::uint32_t retries = 0;         ///< used
  std::uint32_t losses = 0;          ///< attempts with an unknown outcome
  std::uint32_t retries_allowed = 0; ///< as its group says
  bool cancelled = false;            ///< its job was cancelled meanwhile
};

/// What the end of its attempt makes of a task.
struct task_verdict {
  task_state state = task_state::queued; ///< queued: another attempt follows
  std::uint32_t retries = 0;             ///< used, with this end
  std::uint32_t losses = 0;
  std::string reason; ///< why it failed or was cancelled, or waits again
};

/// Ends of the command's own (exit, signal, a limit) use up retries. An unknown outcome counts as
/// a loss. An orderly end (drain, preemption) counts as nothing. A command that cannot be started
/// is not tried again.
task_verdict judge(const attempt_end& end, const spent_attempts& spent);

/// Says how an attempt ended, such as "exit code 3" or "signal 9 (out of memory)".
std::string end_text(const attempt_end& end);

} // namespace troupe
