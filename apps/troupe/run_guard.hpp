#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace troupe {

/// Ends the program when a run does not stop soon after the first SIGINT or SIGTERM, for example
/// because a policy loops: it prints to stderr where the run is, and exits with 128 plus the number
/// of the signal. No results are written then.
class run_guard {
public:
  /// `patience`: how long the run has after the signal.
  explicit run_guard(std::chrono::milliseconds patience);
  run_guard(const run_guard&) = delete;
  run_guard& operator=(const run_guard&) = delete;
  ~run_guard();

  /// Takes a function that describes where the run is; nothing: the run is stopping, without limit.
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
