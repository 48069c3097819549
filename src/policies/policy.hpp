#pragma once

#include "model/view/view.hpp"

#include <optional>
#include <span>

namespace troupe {

/// The inputs of a policy besides the view.
struct decision_context {
  instant now{0};
  random_stream& random; ///< the scheduler's own stream
  /// The time in which a whole view is refreshed once (sync.gap); 0 if there are no rounds.
  duration sync_gap{0};
  std::uint32_t partitions = 0; ///< of the cluster; 0 if unknown, as in a trial
  std::uint32_t schedulers = 0; ///< that share the cluster, including this one; 0 likewise
};

/// The outcome of a placement that the policy picked.
struct placement_outcome {
  task_id task;
  machine_id machine = 0;
  bool accepted = false;
  conflict_cause cause = conflict_cause::taken; ///< meaningful if not accepted
  duration delay{0};                            ///< since submission, if accepted
};

/// Decides where tasks run. One scheduler owns one policy object and calls it from one thread at a
/// time; a policy must not read a clock, and must draw random numbers from the context only, so
/// that equal calls have equal results.
class placement_policy {
public:
  virtual ~placement_policy() = default;

  /// Picks a machine that has room for the task in `seen`, or nothing if it finds none; the task
  /// then waits until the view has changed. The scheduler charges the pick to the view before it
  /// asks again.
  virtual std::optional<machine_id> pick(const view& seen, const task_request& task,
                                         decision_context& context) = 0;

  /// Returns whether a pick that found nothing has examined all machines. If so, the policy is not
  /// asked again before resources may have become free.
  virtual bool is_exhaustive() const { return false; }

  /// Called once per answered commit, after the view has been corrected.
  virtual void learn(std::span<const placement_outcome>) {}
};

} // namespace troupe
