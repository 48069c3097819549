#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace troupe {

/// A program to be started with posix_spawn(3), and the descriptors that it inherits.
struct spawn_plan {
  std::filesystem::path program;
  std::vector<std::string> arguments; ///< without the name of the program

  /// What a standard stream of the program is: a file of this process, or a file that is opened.
  struct stream {
    int fd = -1;                ///< a descriptor of this process; below 0: `file`
    std::filesystem::path file; ///< empty: /dev/null
    bool append = false;        ///< to `file`, which is made empty otherwise
  };

  stream out;
  stream err;
  /// Further descriptors of this process, and their numbers in the program. All other descriptors
  /// that are not close-on-exec are inherited as well.
  std::vector<std::pair<int, int>> passed{};
  /// In a session of its own, or only in a process group of its own. Neither gets a Ctrl-C of the
  /// terminal.
  bool own_session = false;
};

/// Starts a program, whose standard input is empty. Returns its process id. Throws
/// `std::system_error` if it cannot be started.
pid_t spawn(const spawn_plan& plan);

} // namespace troupe
