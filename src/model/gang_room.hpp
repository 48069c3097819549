#pragma once

#include "model/resource_sum.hpp"
#include "model/view.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// What the tasks of a gang ask for, all together.
struct gang_need {
  struct part {
    std::uint32_t count = 0;
    resources demand;                ///< of each of its tasks
    const kind_set* kinds = nullptr; ///< of machines that they may run on; null: all kinds
  };

  std::vector<part> parts;
  resource_sum total;
  bool spread = false; ///< no two of its tasks on one machine
};

/// Returns whether the machines of some partitions could hold a gang if they were idle. It may say
/// yes where the parts of a gang fit one by one and not together, and never says no to one that
/// fits. Looks at each machine at most once for each part.
bool idle_machines_hold(const catalog& machines, std::span<const partition_id> partitions,
                        const gang_need& need);

/// Upper bounds for the room in a view, to tell without an attempt that a gang has no place.
///
/// The bounds are for the view as it was looked at, less what was taken since: they hold until the
/// view gains. A look costs a few ns for each machine; a question costs as much for each demand
/// that is asked about for the first time since, and next to nothing otherwise.
class gang_room {
public:
  /// Looks at a view, unless it has gained nothing since the last look. Hidden partitions count as
  /// well if they may be shown again before the gang is tried: if `hidden_too`.
  void look(const view& seen, bool hidden_too);

  /// Forgets the last look, so that the next one sees what has been taken since.
  void forget() { gains_ = ~std::uint64_t{0}; }

  /// What is free in all, at most.
  const resource_sum& free() const { return free_; }

  /// Returns whether there may be room for all tasks of a gang, in the view that was looked at. A
  /// gang of equal tasks that may be held can be held.
  bool may_hold(const view& seen, const gang_need& need);

  /// Notes that a task has been placed.
  void take(const resources& demand);

private:
  struct known_count {
    resources demand;
    const kind_set* kinds = nullptr;
    bool spread = false;
    std::uint64_t tasks = 0; ///< that may find room, at most
  };

  std::uint64_t count(const view& seen, const gang_need::part& part, bool spread);

  std::vector<known_count> counts_;
  resource_sum free_;
  std::uint64_t gains_ = ~std::uint64_t{0};
  bool hidden_too_ = true;
};

} // namespace troupe
