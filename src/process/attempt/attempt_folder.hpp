#pragma once

#include "process/attempt/attempt_page.hpp"
#include "process/command/command_spec.hpp"

#include <filesystem>
#include <string>

namespace troupe {

/// The directory of one attempt at a task, which other users cannot read:
///
/// | file    | writer       | holds                                                      |
/// |---------|--------------|------------------------------------------------------------|
/// | `state` | both         | what is to run, lease, wish to stop, end (`attempt_page`); |
/// |         |              | locked by the supervisor while it lives                    |
/// | `out`   | the command  | its standard output                                        |
/// | `err`   | the command  | its standard error                                         |
/// | `work/` | the command  | where it runs, unless its specification names a directory  |
///
/// Once the job service has seen the end, the owner may not write `state`, by its permissions.
class attempt_folder {
public:
  explicit attempt_folder(std::filesystem::path at) : at_(std::move(at)) {}

  /// Makes the directory and its files. The command is killed at `deadline`, of `boot_clock_ns`.
  /// Throws `std::system_error`, if it exists already for one.
  attempt_page create(const command_spec& spec, std::int64_t deadline) const;

  std::filesystem::path state() const { return at_ / "state"; }
  attempt_page page() const { return attempt_page::open(state()); }

  std::filesystem::path out() const { return at_ / "out"; }
  std::filesystem::path err() const { return at_ / "err"; }
  std::filesystem::path work() const { return at_ / "work"; }
  const std::filesystem::path& path() const { return at_; }

private:
  std::filesystem::path at_;
};

} // namespace troupe
