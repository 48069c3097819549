#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// Returns the process ids of the children of `parent`, and of their children, and so on. Zombies
/// are among them.
std::vector<pid_t> descendants_of(pid_t parent);

/// What the kernel says of a process, as of proc(5).
struct process_entry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  std::uint64_t started = 0; ///< in ticks since the start of the host; tells it from a later one
  bool is_alive = false;     ///< it is no zombie
};

/// Nothing if there is none.
std::optional<process_entry> look_at_process(pid_t pid);

/// All processes of the host that can be seen.
std::vector<process_entry> all_processes();

/// Sends a signal to all descendants of this process.
void signal_descendants(int signal);

/// Kills all descendants of this process: stops them first, so that none of them can start others
/// meanwhile, and looks again until it finds no new ones. To be called again until none is left,
/// since a process that is being started may be missed.
void kill_descendants();

/// The memory of the descendants of this process that is theirs alone, in bytes.
std::int64_t memory_of_descendants();

} // namespace troupe
