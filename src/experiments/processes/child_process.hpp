#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// A child process in its own process group, so that Ctrl-C at the terminal does not reach it. Its
/// stdin is empty, its stdout is discarded, and its stderr can be read here.
class child_process {
public:
  /// Starts `program` with `arguments`. Throws `std::system_error` if it cannot be started.
  child_process(const std::filesystem::path& program, std::vector<std::string> arguments);
  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&& other) noexcept;

  /// Kills it if it is still running.
  ~child_process();

  /// The read end of the pipe from its stderr, for poll(2).
  int errors() const { return errors_; }

  /// Reads available output from stderr, and waits for it if necessary. Returns false at the end of
  /// stderr, that is, when the process has ended.
  bool read_errors();

  /// Waits for the end. Returns its exit code, or 128 plus the number of the signal that ended it.
  int wait();

  void send(int signal) const;

  /// The last lines that it wrote to stderr, without the final line end.
  std::string last_errors() const;

private:
  void end() noexcept;

  pid_t pid_ = -1;
  int errors_ = -1;
  std::string text_;
};

} // namespace troupe
