#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace troupe::fuzz {

/// A regular file in memory, for readers that take paths.
class memory_file {
public:
  memory_file() : file_(::memfd_create("input", 0)) {
    if (file_ < 0)
      throw std::runtime_error("memfd_create failed");
  }
  ~memory_file() { ::close(file_); }

  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  /// Replaces the content.
  void write(std::span<const std::uint8_t> bytes) {
    if (::ftruncate(file_, 0) != 0 ||
        ::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<::ssize_t>(bytes.size()))
      throw std::runtime_error("a file in memory cannot be written");
  }

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
  int file_;
};

} // namespace troupe::fuzz
