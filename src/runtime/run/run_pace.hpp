#pragma once

#include "model/base/time.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace troupe {

/// How fast the virtual time of a run passes, which people change while they watch it. The run
/// waits between intervals only, so its results do not depend on any of this. All functions may be
/// called from any thread.
class run_pace {
public:
  using wall = std::chrono::steady_clock;

  /// The state, for display.
  struct reading {
    bool paused = false;
    double speed = 0; ///< virtual seconds in a second; 0: as fast as possible
  };

  run_pace() = default;
  explicit run_pace(const reading& at_first) : now_(at_first) {}

  void pause();
  void go_on();

  /// Pauses, and lets this number of further intervals pass.
  void step(std::uint64_t intervals);

  /// Sets the speed; 0: as fast as possible. A run that cannot keep up does not catch up.
  void set_speed(double speed);

  reading read() const;

  /// Returns how long the run has to wait at `now` before the interval from `from` to `to` may
  /// pass; nothing: until a client lets it continue. Each call that returns 0 uses up a step.
  std::optional<wall::duration> next(instant from, instant to, wall::time_point now);

  /// Waits until the interval may pass or `stop` returns true, which is polled. Calls `waiting`
  /// before it waits, and when the run is paused meanwhile, with whether it is paused.
  void wait(instant from, instant to, const std::function<bool()>& stop,
            const std::function<void(bool paused)>& waiting);

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  reading now_;
  std::uint64_t steps_ = 0;
  std::optional<wall::time_point> since_; ///< when the run was at `at_`, at this speed
  instant at_{0};
};

} // namespace troupe
