#pragma once

#include "process/base/unique_fd.hpp"
#include "process/command/command_spec.hpp"

#include <cstdint>
#include <filesystem>

namespace troupe {

/// A file that a command appends its output to. If it grows beyond a limit, the oldest bytes are
/// given back to the file system; the others keep their positions (fallocate(2),
/// FALLOC_FL_PUNCH_HOLE).
class output_file {
public:
  /// Creates the file, or appends to it. `limit` 0: all is kept. Throws `std::system_error`.
  output_file(const std::filesystem::path& file, std::uint64_t limit);

  int fd() const { return fd_.get(); }

  /// Makes the user of the command the owner of the file: without that, the command could not open
  /// /dev/stdout or /dev/stderr. Throws `std::system_error`.
  void give_to(const command_user& user);

  /// All that was written, in bytes; 0 if the command has made the file empty.
  std::uint64_t size() const;

  /// Gives bytes back if there are more than the limit. Returns false if the file system cannot do
  /// that.
  bool trim();

private:
  unique_fd fd_;
  std::uint64_t limit_;
  std::uint64_t dropped_ = 0; ///< bytes at the front
};

} // namespace troupe
