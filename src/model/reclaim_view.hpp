#pragma once

#include "model/held_table.hpp"
#include "model/random.hpp"
#include "model/view.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace troupe {

/// What a scheduler believes that tasks of lower priority hold: where a task that finds no room
/// could have theirs. As stale as the view that it belongs to, and refreshed with it.
class reclaim_view {
public:
  /// Returns whether a machine comes into question for a task at all.
  using machine_test = std::function<bool(machine_id)>;

  /// Starts with nothing running. `machines` must outlive this.
  explicit reclaim_view(const catalog& machines);

  /// Replaces what is believed of a partition.
  void assign(partition_id p, const std::vector<held_band>& bands) { parts_[p].assign(bands); }

  /// Notes that a task of `priority` has been placed.
  void add(machine_id m, std::int32_t priority, const resources& held);

  /// Notes that it is over.
  void remove(machine_id m, std::int32_t priority, const resources& held);

  /// Believes that there is nothing to be had on a machine, as its owner has refused it.
  void clear(machine_id m);

  /// Returns a machine on which `demand` fits if tasks of lower priority give way; nothing if there
  /// is none. Machines where the lowest priorities suffice come first; among them, any one: a few
  /// are drawn at random, then all are tried from a random one on.
  std::optional<machine_id> pick(const view& seen, std::int32_t priority, const resources& demand,
                                 random_stream& random, const machine_test& eligible = {}) const;

private:
  const catalog* machines_;
  std::vector<held_table> parts_;
};

} // namespace troupe
