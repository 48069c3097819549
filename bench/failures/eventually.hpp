#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

namespace troupe::trials {

/// Calls `holds` until it returns true; returns whether it did within `patience`. Most calls ask a
/// cluster for its status. After each call this waits for at least `pause`, and for four times as
/// long as the call took, so the questions leave the processors to the cluster.
inline bool eventually(const std::function<bool()>& holds,
                       std::chrono::steady_clock::duration patience,
                       std::chrono::steady_clock::duration pause) {
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + patience;
  while (true) {
    const auto asked = clock::now();
    if (holds())
      return true;
    const auto answered = clock::now();
    if (answered >= until)
      return false;
    std::this_thread::sleep_for(std::max(pause, 4 * (answered - asked)));
  }
}

} // namespace troupe::trials
