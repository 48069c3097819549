#pragma once

#include "model/cluster/machine_description.hpp"
#include "model/machine/capacity_schedule.hpp"
#include "model/protocol/fault.hpp"

#include <vector>

namespace troupe {

/// How machines join and leave a cluster that grows, in virtual time: the stays of machines at each
/// place, in the order of time.
struct growth_plan {
  struct stay {
    instant from{0};
    instant to = instant::max(); ///< when the machine has left
    machine_description is;
    duration drained{0}; ///< for so long before that it takes no more tasks; 0: it just dies
  };

  std::vector<std::vector<stay>> at; ///< by place

  /// Returns the stay at a place at a time, or null.
  const stay* find(machine_id place, instant when) const;

  /// What each place has over time.
  std::vector<capacity_schedule> capacities() const;

  /// The joins and leaves as failures: a machine that leaves is killed, and restarted when the next
  /// one joins.
  std::vector<fault> joins_and_leaves() const;
};

} // namespace troupe
