#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace troupe::trials {

/// A process of a cluster under test. It reads nothing; its output goes to files.
class cluster_process {
public:
  /// Starts `words`, a program and its arguments, in `directory`. `out` and `log` are files there:
  /// for stdout, overwritten, and for stderr, appended. Throws `std::runtime_error` if it cannot be
  /// started.
  cluster_process(const std::filesystem::path& directory, const std::vector<std::string>& words,
                  const std::string& out, const std::string& log);
  cluster_process(const cluster_process&) = delete;
  cluster_process& operator=(const cluster_process&) = delete;

  /// Kills the process if it is still running.
  ~cluster_process();

  pid_t pid() const { return pid_; }

  /// Has no effect after the end of the process.
  void send(int signal) const;

  /// Returns whether the process has ended, without waiting.
  bool has_ended();

  /// Waits for the end of the process. Returns its exit code, or -N if signal N has killed it.
  int wait();

  /// What the process, with its own children, has used; zero before its end.
  const rusage& usage() const { return usage_; }

private:
  void look(int options);

  pid_t pid_ = -1;
  std::optional<int> code_;
  rusage usage_{};
};

/// Runs `words` in `directory` until it ends. Returns its output if its exit code is 0.
std::optional<std::string> output_of(const std::filesystem::path& directory,
                                     const std::vector<std::string>& words);

std::string read_text(const std::filesystem::path& file);

} // namespace troupe::trials
