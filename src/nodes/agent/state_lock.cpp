#include "nodes/agent/state_lock.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

namespace troupe {

namespace {

constexpr auto pause_for_lock = std::chrono::milliseconds{100};

/// Locks the whole file. Children do not inherit such a lock. Returns the process that has it, or 0
/// if this one has it now.
pid_t lock_or_holder(int fd) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  auto ask = whole;
  if (fcntl(fd, F_SETLK, &whole) == 0)
    return 0;
  return fcntl(fd, F_GETLK, &ask) == 0 && ask.l_type != F_UNLCK ? ask.l_pid : -1;
}

} // namespace

state_lock::state_lock(const std::filesystem::path& state, node_monitor& monitor) {
  const auto file = state / "node.lock";
  fd_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd_ < 0)
    throw std::runtime_error(file.string() + ": cannot be written: " + std::strerror(errno));
  const auto since = std::chrono::steady_clock::now();
  auto told_at = since - std::chrono::seconds{1};
  bool told = false;
  while (!monitor.stop_requested()) {
    const auto holder = lock_or_holder(fd_);
    if (holder == 0) {
      held_ = true;
      break;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - told_at >= std::chrono::seconds{1} && now - since >= pause_for_lock) {
      const auto who = holder > 0 ? "process " + std::to_string(holder) : "another process";
      monitor.waits(who + " to end, which is a node with the same state " + state.string(),
                    std::chrono::duration_cast<std::chrono::seconds>(now - since));
      told_at = now;
      told = true;
    }
    std::this_thread::sleep_for(pause_for_lock);
  }
  if (told)
    monitor.waits("", {});
}

state_lock::~state_lock() {
  close(fd_);
}

} // namespace troupe
