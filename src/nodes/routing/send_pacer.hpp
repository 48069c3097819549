#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace troupe {

/// Says when a node sends what waits for other nodes: at once if nothing was sent during the last
/// interval, so that a single message does not wait; otherwise one interval after the last time,
/// together with all that has come by then. May be used by any thread.
class send_pacer {
public:
  using clock = std::chrono::steady_clock;

  explicit send_pacer(clock::duration interval) : interval_(interval) {}

  /// A message has come. Returns how long it waits, or nothing if it goes with an earlier one.
  std::optional<clock::duration> begin(clock::time_point now) {
    if (under_way_.exchange(true))
      return std::nullopt;
    const clock::time_point last{clock::duration{last_.load()}};
    const auto rest = last + interval_ - now;
    return rest > clock::duration::zero() ? rest : clock::duration::zero();
  }

  /// Everything is sent now.
  void sent(clock::time_point now) {
    last_ = now.time_since_epoch().count();
    under_way_ = false;
  }

private:
  clock::duration interval_;
  std::atomic<bool> under_way_{false};
  std::atomic<clock::rep> last_{0};
};

} // namespace troupe
