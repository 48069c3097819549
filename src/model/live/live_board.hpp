#pragma once

#include "model/live/live_book.hpp"

#include <atomic>
#include <mutex>
#include <utility>

namespace troupe {

/// The live state of a run, which the recorder writes and others read, from any thread. The
/// recorder asks members for details only while the board is watched.
class live_board {
public:
  explicit live_board(bool watched = true) : watched_(watched) {}

  bool watched() const { return watched_; }
  void watch(bool watched) { watched_ = watched; }

  /// Forgets everything and begins with this run.
  void begin(live_about about) {
    change([&](live_state& state) { state = live_state_of(std::move(about)); });
  }

  void add(const live_sample& sample) {
    change([&](live_state& state) { add_sample(state, sample); });
  }

  /// Changes the state by `function(state)`.
  template <class Function>
  void change(Function function) {
    const std::lock_guard lock{mutex_};
    function(state_);
  }

  /// Returns `function(state)`. Writers wait meanwhile.
  template <class Function>
  auto read(Function function) const {
    const std::lock_guard lock{mutex_};
    return function(std::as_const(state_));
  }

private:
  mutable std::mutex mutex_;
  std::atomic<bool> watched_;
  live_state state_;
};

} // namespace troupe
