#pragma once

#include <chrono>
#include <filesystem>
#include <stdexcept>

namespace troupe {

/// Another process uses a directory. what() is a message for the user.
struct directory_in_use : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Keeps a directory for this process. It leaves no file behind, child processes do not inherit it,
/// and it ends with the process, also if that is killed.
class directory_lock {
public:
  /// Keeps nothing.
  directory_lock() = default;

  /// Creates the directory, with its parents, if it does not exist. Keeps nothing if it cannot be
  /// opened, or if its file system has no locks. Throws `directory_in_use` if another process still
  /// keeps it after `patience`.
  explicit directory_lock(const std::filesystem::path& directory,
                          std::chrono::milliseconds patience = std::chrono::milliseconds{0});

  directory_lock(directory_lock&& other) noexcept;
  directory_lock& operator=(directory_lock&& other) noexcept;
  ~directory_lock();

private:
  int fd_ = -1;
};

} // namespace troupe
