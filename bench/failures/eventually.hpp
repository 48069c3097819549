#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

namespace troupe::trials {

/// The pauses between questions: four times as long as a question took, within these limits.
struct question_pace {
  std::chrono::steady_clock::duration shortest;
  std::chrono::steady_clock::duration longest;
};

/// Calls `holds` until it returns true; returns whether it did within `patience`. Most calls ask a
/// cluster for its status, which takes the processors from it.
inline bool eventually(const std::function<bool()>& holds,
                       std::chrono::steady_clock::duration patience, question_pace pace) {
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + patience;
  while (true) {
    const auto asked = clock::now();
    if (holds())
      return true;
    const auto answered = clock::now();
    if (answered >= until)
      return false;
    std::this_thread::sleep_for(std::clamp(4 * (answered - asked), pace.shortest, pace.longest));
  }
}

} // namespace troupe::trials
