#pragma once

#include "model/view.hpp"

#include <optional>
#include <span>

namespace troupe {

/// What a policy may use besides the view.
struct decision_context {
  instant now{0};
  random_stream& random; ///< the scheduler's own stream
  /// The time in which each view is wholly refreshed once (sync.gap); 0 where there are no rounds.
  duration sync_gap{0};
  std::uint32_t partitions = 0; ///< of the cluster; 0 where nobody says, as in a trial
  std::uint32_t schedulers = 0; ///< that share the cluster, this one included; 0 likewise
};

/// What became of a placement that the policy picked.
struct placement_outcome {
  task_id task;
  machine_id machine = 0;
  bool accepted = false;
  conflict_cause cause = conflict_cause::taken; ///< meaningful if not accepted
  duration delay{0};                            ///< since submission, if accepted
};

/// Decides where tasks run. One scheduler owns one policy object and calls it from one thread at a
/// time; a policy reads no clock and draws random numbers from the context only, so that equal
/// calls have equal results.
class placement_policy {
public:
  virtual ~placement_policy() = default;

  /// Picks a machine that `seen` believes to fit the task, or nothing if there is none: the task
  /// then waits until the view has changed. The scheduler charges the pick to the view before it
  /// asks again.
  virtual std::optional<machine_id> pick(const view& seen, const task_request& task,
                                         decision_context& context) = 0;

  /// Whether a pick that found nothing has looked at all machines: the policy is not asked again
  /// before something may have become free.
  virtual bool is_exhaustive() const { return false; }

  /// Told once per answered commit, after the view has been corrected.
  virtual void learn(std::span<const placement_outcome>) {}
};

} // namespace troupe
