#pragma once

#include "model/jobs/job_book.hpp"
#include "model/protocol/protocol.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace troupe {

/// A task and the machine that was picked for it.
struct decided_placement {
  waiting_task task;
  machine_id machine = 0;
  std::uint32_t version = 0;
  duration age{0};       ///< of the partition it was decided on
  bool preempts = false; ///< others are to give way to it
  std::uint64_t transaction = 0;
  std::vector<alternative> others{}; ///< where it may go instead; without their index
  /// The view and the versions of later placements count on its grant. Under coarse detection
  /// they do not once its machine is known to have another version than it has seen.
  bool foreseen = true;
  bool diverted = false; ///< the owner will grant another machine than the one picked
};

/// The placements that were decided on and are not handed out yet, and how many tasks the next
/// decision may be about. That number is halved when a decision is withdrawn, since the same
/// decision would take as long again, and doubles with each one that is committed.
class decided_batch {
public:
  /// At most `most` tasks are decided on at a time.
  explicit decided_batch(std::size_t most) : most_(most), quota_(most) {}

  bool empty() const { return placements_.empty(); }
  std::size_t size() const { return placements_.size(); }
  decided_placement& operator[](std::size_t i) { return placements_[i]; }
  const decided_placement& front() const { return placements_.front(); }
  decided_placement& back() { return placements_.back(); }
  auto begin() { return placements_.begin(); }
  auto end() { return placements_.end(); }
  auto begin() const { return placements_.begin(); }
  auto end() const { return placements_.end(); }

  void add(decided_placement placement) { placements_.push_back(std::move(placement)); }
  void drop_last() { placements_.pop_back(); }

  /// Returns whether the decision may be about `tasks` more.
  bool has_room(std::size_t tasks = 1) const { return placements_.size() + tasks <= quota_; }

  /// Ends the batch: it has been committed.
  void committed() {
    placements_.clear();
    quota_ = std::min(2 * quota_, most_);
  }

  /// Notes that the batch is going to be withdrawn.
  void shorten() { quota_ = std::max<std::size_t>(1, placements_.size() / 2); }

  void clear() { placements_.clear(); }

  /// Notes that a grant on a machine will not be made. Placements here were foreseen to follow it.
  void foresee_without_grant(machine_id machine) {
    for (auto& d : placements_) {
      if (d.machine == machine && d.version > 0)
        --d.version;
      for (auto& other : d.others)
        if (other.machine == machine && other.seen_version > 0)
          --other.seen_version;
    }
  }

private:
  std::size_t most_;
  std::size_t quota_;
  std::vector<decided_placement> placements_;
};

} // namespace troupe
