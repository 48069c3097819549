#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace troupe {

/// A control group (version 2) for the processes of one command.
class control_group {
public:
  /// What it allows; 0: no limit.
  struct limits {
    std::int64_t memory_bytes = 0;
    double cpu = 0; ///< cores
  };

  /// Creates the group with its limits, as far as its parent passes the controllers on; the parent,
  /// too, if it is gone. Throws `std::system_error` if the directory cannot be made.
  control_group(std::filesystem::path directory, const limits& most);

  const std::filesystem::path& directory() const { return directory_; }

  /// Whether the kernel holds the group to a limit of memory.
  bool limits_memory() const { return limits_memory_; }

  /// Likewise, to a share of the processors.
  bool limits_cpu() const { return limits_cpu_; }

  /// Kills all processes in it. Returns false if the kernel cannot (before Linux 5.14).
  bool kill() const;

  bool is_empty() const;

  /// Whether there is such a group.
  static bool is_there(const std::filesystem::path& directory);

  /// Kills all processes of a group that has no supervisor any more. Returns whether none is left;
  /// it then removes the group.
  static bool end(const std::filesystem::path& directory);

  /// How many of its processes were killed for lack of memory.
  std::uint64_t oom_kills() const;

  /// Removes the group, which must be empty.
  bool remove() const;

private:
  std::filesystem::path directory_;
  bool limits_memory_ = false;
  bool limits_cpu_ = false;
};

/// Returns the text of `cpu.max` of a control group for a number of cores: a time, and the period
/// in which the processes may run for it, both in us. Less than 0.001 cores count as 0.001.
std::string cpu_quota(double cores);

/// A directory in which groups for commands may be made, and the resources that the kernel can
/// limit there.
struct group_of_commands {
  std::filesystem::path directory;
  bool limits_memory = false;
  bool limits_cpu = false;
};

/// Prepares the control group of this process for commands: if the group was delegated to it (a
/// unit of systemd with Delegate=yes, say), the process moves to a group below, as groups with
/// limits must have no processes of their own, and passes the controllers on. Returns nothing if it
/// may not make groups.
std::optional<group_of_commands> prepare_group_of_commands();

} // namespace troupe
