#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace troupe {

/// Ends the program when a run does not end in good order soon after the first SIGINT or SIGTERM,
/// as when a policy loops: it says on stderr where the run is, and exits with 128 plus the signal's
/// number. No results are written then.
class run_guard {
public:
  /// `patience`: how long the run has after the signal.
  explicit run_guard(std::chrono::milliseconds patience);
  run_guard(const run_guard&) = delete;
  run_guard& operator=(const run_guard&) = delete;
  ~run_guard();

  /// Takes what tells where the run is; nothing: the run ends in good order, and may take its time.
  void watch(std::function<std::string()> where);

  /// Ends the program at once; `where` says where the run is.
  [[noreturn]] static void end(const std::string& where);

private:
  void look();

  std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::function<std::string()> where_;
  std::thread thread_;
};

} // namespace troupe
