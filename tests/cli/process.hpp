#pragma once

#include "support/contains.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace troupe::test {

/// How a program ended.
struct outcome {
  int code = 0; ///< its exit code, or -N if signal N killed it
  std::string out;
  std::string err;
};

/// The `troupe` binary, started in a given directory with its standard input closed.
class program {
public:
  /// Starts `troupe ARGUMENTS`, in `directory`, which outlives it.
  program(std::filesystem::path directory, const std::vector<std::string>& arguments);
  program(const program&) = delete;
  program& operator=(const program&) = delete;
  ~program();

  /// Reads its stderr until `text` has appeared; returns false if it ends without that.
  bool wait_for(std::string_view text);

  /// What has been read of its stderr.
  const std::string& said() const { return err_; }

  void send_signal(int number);

  pid_t pid() const { return pid_; }

  /// Reads what is left and waits for the end.
  outcome wait();

private:
  bool read_more();

  std::filesystem::path directory_;
  std::string stdout_name_;
  pid_t pid_ = -1;
  int err_pipe_ = -1;
  std::string err_;
};

/// A directory of its own for a test, removed at the end.
class scratch {
public:
  scratch();
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch();

  const std::filesystem::path& path() const { return path_; }

  /// Writes `text` into the file `name` and returns the name.
  std::string write(const std::string& name, std::string_view text) const;

  /// Runs `troupe ARGUMENTS` here until it ends.
  outcome run(const std::vector<std::string>& arguments) const;

  /// Names of all files and directories in here, sorted, relative.
  std::vector<std::string> entries() const;

private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);

/// The user of the test, who may use its directory.
std::string own_user();

} // namespace troupe::test
