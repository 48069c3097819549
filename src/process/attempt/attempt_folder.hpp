#pragma once

#include "process/attempt/attempt_page.hpp"
#include "process/command/command_spec.hpp"

#include <filesystem>
#include <string>

namespace troupe {

/// The directory of one attempt at a task, which other users cannot read:
///
/// | file    | writer       | holds                                                     |
/// |---------|--------------|-----------------------------------------------------------|
/// | `spec`  | node         | what is to run (`command_spec`)                           |
/// | `state` | both         | lease, wish to stop, end (`attempt_page`); locked by the  |
/// |         |              | supervisor while it lives                                 |
/// | `wake`  | node         | a FIFO: a byte makes the supervisor look at `state`       |
/// | `out`   | the command  | its standard output                                       |
/// | `err`   | the command  | its standard error                                        |
/// | `work/` | the command  | where it runs, unless its specification names a directory |
class attempt_folder {
public:
  explicit attempt_folder(std::filesystem::path at) : at_(std::move(at)) {}

  /// Makes the directory and its files. The command is killed at `deadline`, of `boot_clock_ns`.
  /// Throws `std::system_error`, if it exists already for one.
  attempt_page create(const command_spec& spec, std::int64_t deadline) const;

  command_spec spec() const;
  attempt_page page() const { return attempt_page::open(at_ / "state"); }

  /// Makes the supervisor look at the page, if there is one.
  void wake() const;

  /// Opens the FIFO for the supervisor.
  unique_fd open_wake() const;

  std::filesystem::path out() const { return at_ / "out"; }
  std::filesystem::path err() const { return at_ / "err"; }
  std::filesystem::path work() const { return at_ / "work"; }
  const std::filesystem::path& path() const { return at_; }

private:
  std::filesystem::path at_;
};

} // namespace troupe
