#pragma once

#include "actors/recorder/run_record.hpp"
#include "nodes/routing/node_messages.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

namespace troupe {

/// The live state of the workload for those who ask for it. Members are asked for details until
/// nobody has asked for some time. May be used by any thread.
class live_watch {
public:
  /// How long somebody who has asked counts as watching.
  static constexpr std::chrono::seconds watched_for{30};

  explicit live_watch(std::shared_ptr<live_board> board) : board_(std::move(board)) {}

  live_report read(const live_request& asked) {
    watched_until_ = std::chrono::steady_clock::now() + watched_for;
    board_->watch(true);
    return board_->read([&](const live_state& state) { return report_of(state, asked); });
  }

  /// Ends the questions for details if nobody watches any more. To be called often.
  void look() {
    if (std::chrono::steady_clock::now() > watched_until_.load())
      board_->watch(false);
  }

private:
  const std::shared_ptr<live_board> board_;
  std::atomic<std::chrono::steady_clock::time_point> watched_until_{};
};

} // namespace troupe
