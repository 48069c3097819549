#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace troupe {

/// Ends the program if a run does not stop soon after the first SIGINT or SIGTERM, for example
/// because a policy loops. Prints the position of the run to stderr, and exits with 128 plus the
/// number of the signal. No results are written then.
class run_watchdog {
public:
  /// `patience`: the time for the run to stop after the signal.
  explicit run_watchdog(std::chrono::milliseconds patience);
  run_watchdog(const run_watchdog&) = delete;
  run_watchdog& operator=(const run_watchdog&) = delete;
  ~run_watchdog();

  /// Sets the function that describes the position of the run. If it is empty, the run is stopping
  /// and may take any time.
  void watch(std::function<std::string()> where);

  /// Ends the program at once; `where` describes the position of the run.
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
