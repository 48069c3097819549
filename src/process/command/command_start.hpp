#pragma once

#include "process/command/command_spec.hpp"

#include <string>
#include <sys/types.h>

namespace troupe {

/// What a supervisor gives to a command.
struct command_place {
  int out = -1; ///< its standard output
  int err = -1;
  /// The directory that it gets if its specification names none. Its user need not be able to reach
  /// it by its path.
  std::string own_dir{};
};

/// A command that was started, or why it was not.
struct started_command {
  pid_t pid = -1;
  std::string error; ///< the step that failed, and why; empty: it was started
  /// The host failed, and not the command: it may start later, or elsewhere. So with a full table
  /// of processes; not so with a program or a directory that is not there.
  bool host_failed = false;
};

/// Starts a command in a session of its own, with an empty standard input and no other descriptors
/// than its three streams. The kernel kills it if this process, the calling thread to be exact, is
/// killed. Limits and the directory are those of `spec`; its control group must exist. To be called
/// by a process with one thread.
started_command start_command(const command_spec& spec, const command_place& place);

} // namespace troupe
