#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// How a process ended.
struct process_end {
  int code = 0;   ///< its exit code, unless a signal ended it
  int signal = 0; ///< number of the signal; 0: none
};

/// Renders "ended with exit code 1", "was killed by signal 9 (Killed)".
std::string to_string(const process_end& end);

/// A process of this program in its own process group, so that Ctrl-C at the terminal does not
/// reach it. It reads nothing; its output goes to files.
class node_process {
public:
  /// Starts this program with `arguments`. The kernel kills it when this process ends for any
  /// reason. Must be called from the main thread. `out` is overwritten, `log` is appended to.
  /// Throws `std::system_error` if it cannot be started.
  node_process(std::vector<std::string> arguments, const std::filesystem::path& out,
               const std::filesystem::path& log);
  node_process(const node_process&) = delete;
  node_process& operator=(const node_process&) = delete;

  /// Kills the process if it is still running.
  ~node_process();

  pid_t pid() const { return pid_; }

  /// Returns how the process ended, or nothing while it runs; does not wait.
  std::optional<process_end> ended();

  /// Has no effect after the end of the process.
  void send(int signal) const;

private:
  void wait(int options);

  pid_t pid_ = -1;
  std::optional<process_end> end_;
};

} // namespace troupe
