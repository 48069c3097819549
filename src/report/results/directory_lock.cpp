#include "report/results/directory_lock.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace {

constexpr std::chrono::milliseconds between_attempts{10};

} // namespace

directory_lock::directory_lock(const std::filesystem::path& directory,
                               std::chrono::milliseconds patience) {
  std::error_code ignored;
  std::filesystem::create_directories(directory, ignored);
  fd_ = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd_ < 0)
    return;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR)
      continue;
    const bool in_use = errno == EWOULDBLOCK;
    if (in_use && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(between_attempts);
      continue;
    }
    close(std::exchange(fd_, -1));
    if (in_use)
      throw directory_in_use{directory.string() +
                             ": it is in use by another run or batch of runs; expected another "
                             "directory, or the end of the other"};
    return;
  }
}

directory_lock::directory_lock(directory_lock&& other) noexcept
  : fd_{std::exchange(other.fd_, -1)} {}

directory_lock& directory_lock::operator=(directory_lock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

directory_lock::~directory_lock() {
  if (fd_ >= 0)
    close(fd_);
}

} // namespace troupe
