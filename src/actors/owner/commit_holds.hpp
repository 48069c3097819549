#pragma once

#include "actors/owner/owned_partitions.hpp"

#include <map>
#include <optional>
#include <vector>

namespace troupe {

/// The placements that commits of mode `hold` were granted. They are charged to their machines, and
/// are not launched until a later commit settles them.
///
/// A scheduler repeats its commits until it settles them. If it is silent for long, it is gone, and
/// its holds are released. A hold on a machine that is lost is noted, and is lost at its launch.
class commit_holds {
public:
  explicit commit_holds(std::uint32_t schedulers) : holders_(schedulers) {}

  bool any() const { return commits_ > 0; }

  /// Records a message of a scheduler.
  void heard(scheduler_id scheduler, instant now) { holders_.at(scheduler).heard = now; }

  void add(scheduler_id scheduler, commit_id commit, std::vector<granted_placement> held) {
    commits_ += holders_[scheduler].held.emplace(commit, std::move(held)).second;
  }

  /// Returns the placements that a commit holds, to be launched, or nothing if it holds none.
  /// Placements on lost machines have no grant number.
  std::optional<std::vector<granted_placement>> take(scheduler_id scheduler, commit_id commit);

  /// Frees the resources that one commit, or all commits of a scheduler, hold.
  void release(scheduler_id scheduler, commit_id commit, owned_partitions& on);
  void release_all(scheduler_id scheduler, owned_partitions& on);

  /// Frees the resources that are held for schedulers which have been silent since `heard_before`.
  /// Returns the number of their commits.
  std::size_t release_silent(instant heard_before, owned_partitions& on);

  /// Notes that a task has lost its machine. Returns false if it is not held.
  bool lose(const running_task& task, machine_id machine);

private:
  struct holder {
    std::map<commit_id, std::vector<granted_placement>> held;
    instant heard{0};
  };

  std::vector<holder> holders_; ///< by scheduler
  std::size_t commits_ = 0;     ///< of all holders
};

} // namespace troupe
