#pragma once

namespace troupe {

/// Returns whether a command line is that of `troupe supervise`, by which nodes start supervisors
/// of commands. It is in no help, and is looked for before all else, so that it costs little.
bool is_supervise(int argc, char** argv);

/// Runs `troupe supervise --end-with PID --folder DIR --socket FD` and returns its exit code.
int supervise(int argc, char** argv);

} // namespace troupe
