#pragma once

#include "process/attempt/attempt_folder.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// A command whose supervisor is gone, and the marks of its processes.
struct lost_command {
  attempt_folder folder;
  std::string control_group{};          ///< its directory; empty: none
  pid_t leader = 0;                     ///< of its session: the command itself; 0: not known
  std::uint64_t leader_started = 0;     ///< as of `process_entry`; 0: not known
  std::vector<std::string> variables{}; ///< NAME=VALUE: those by which a command knows itself
};

/// What the page of an attempt says. Throws `std::exception` if it cannot be read.
lost_command lost_command_of(const attempt_folder& folder, const attempt_page& page);

/// Kills all processes of the command. Returns whether none is left; to be called again if not.
///
/// These are the processes of its control group, of the session that the command leads, those that
/// write to the files of the attempt, and their descendants. Without a control group, a process
/// that has left the session, writes elsewhere and has lost its parents is not found. Numbers of
/// sessions are used again: one counts only if its leader began when the command did, or if one of
/// its processes has the variables of the command or writes to its files.
bool end_lost_command(const lost_command& lost);

} // namespace troupe
