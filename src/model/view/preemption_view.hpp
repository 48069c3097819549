#pragma once

#include "model/base/random.hpp"
#include "model/owner/held_table.hpp"
#include "model/view/view.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace troupe {

/// A scheduler's copy of the resources that tasks of lower priority hold, which a task that finds
/// no room could preempt. It is as stale as the view that it belongs to, and refreshed with it.
class preemption_view {
public:
  /// Returns whether a machine qualifies for a task.
  using machine_test = std::function<bool(machine_id)>;

  /// Starts with no running task. `machines` must outlive this.
  explicit preemption_view(const catalog& machines);

  /// Replaces the state of a partition.
  void assign(partition_id p, const std::vector<held_band>& bands) { parts_[p].assign(bands); }

  /// Records that a task of `priority` has been placed.
  void add(machine_id m, std::int32_t priority, const resources& held);

  /// Records the end of such a task.
  void remove(machine_id m, std::int32_t priority, const resources& held);

  /// Removes all preemptible resources of a machine, since its owner has refused to preempt there.
  void clear(machine_id m);

  /// Returns a machine on which `demand` fits if tasks of lower priority are preempted; nothing if
  /// there is none. Machines where the lowest priorities suffice come first. Among them, a few are
  /// drawn at random; then all are tried, starting at a random one.
  std::optional<machine_id> pick(const view& seen, std::int32_t priority, const resources& demand,
                                 random_stream& random, const machine_test& eligible = {}) const;

private:
  const catalog* machines_;
  std::vector<held_table> parts_;
};

} // namespace troupe
