#pragma once

#include "nodes/agent/run_node.hpp"

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>

namespace troupe {

/// The error of a gateway that cannot go on.
struct failure_note {
  std::mutex mutex;
  std::string why;

  void set(const std::string& text) {
    const std::lock_guard lock{mutex};
    if (why.empty())
      why = text;
  }

  void check() {
    const std::lock_guard lock{mutex};
    if (!why.empty())
      throw std::runtime_error(why);
  }
};

/// Reports the things that the node waits for; other threads set them.
class node_waits {
public:
  explicit node_waits(node_monitor& monitor) : monitor_(monitor) {}

  void set(const std::string& what) {
    const std::lock_guard lock{mutex_};
    what_ = what;
  }

  void look(bool workload_waits) {
    auto what = [&] {
      const std::lock_guard lock{mutex_};
      return what_;
    }();
    if (what.empty() && workload_waits)
      what = "owners and schedulers to take their places";
    const auto now = std::chrono::steady_clock::now();
    if (what == told_ && (what.empty() || now - told_at_ < std::chrono::seconds{1}))
      return;
    if (told_.empty())
      since_ = now;
    told_ = what;
    told_at_ = now;
    monitor_.waits(what, std::chrono::duration_cast<std::chrono::seconds>(now - since_));
  }

private:
  node_monitor& monitor_;
  std::mutex mutex_;
  std::string what_;
  std::string told_;
  std::chrono::steady_clock::time_point told_at_{};
  std::chrono::steady_clock::time_point since_{};
};

} // namespace troupe
