#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace troupe {

/// A process of our own in a process group of its own, so that Ctrl-C at the terminal does not
/// reach it. It reads nothing, its stdout is dropped, its stderr can be read here.
class child_process {
public:
  /// Starts `program` with `arguments`. Throws `std::system_error` if it cannot be started.
  child_process(const std::filesystem::path& program, std::vector<std::string> arguments);
  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&& other) noexcept;

  /// Kills it if it is still running.
  ~child_process();

  /// The end of the pipe that its stderr comes out of; for poll(2).
  int errors() const { return errors_; }

  /// Reads what there is on stderr, waiting for it if need be; false once there is no more, which
  /// is when the process has ended.
  bool read_errors();

  /// Waits for the end. Returns its exit code, or 128 plus the number of the signal that ended it.
  int wait();

  void send(int signal) const;

  /// The last that it wrote to stderr, at most some lines, without the line end.
  std::string last_errors() const;

private:
  void end() noexcept;

  pid_t pid_ = -1;
  int errors_ = -1;
  std::string text_;
};

} // namespace troupe
