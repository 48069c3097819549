#pragma once

#include "model/base/resource_sum.hpp"
#include "model/view/view.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// The resources that the tasks of a gang need together.
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

/// Returns whether the machines of these partitions could hold a gang if they were idle. May return
/// true for a gang whose parts fit one by one but not together. Never returns false for a gang that
/// fits. Looks at each machine at most once for each part.
bool idle_machines_hold(const catalog& machines, std::span<const partition_id> partitions,
                        const gang_need& need);

/// Upper bounds for the room in a view, which show without an attempt that a gang does not fit.
///
/// The bounds come from the view at the last look, minus the placements since then. They hold until
/// the view gains resources. A look costs a few ns for each machine. A question costs as much for
/// each demand that is asked about for the first time since the last look, and almost nothing
/// otherwise.
class gang_room {
public:
  /// Looks at a view, unless it has gained nothing since the last look. With `hidden_too`, hidden
  /// partitions count as well: they may be shown again before the gang is tried.
  void look(const view& seen, bool hidden_too);

  /// Forgets the last look, so that the next one includes the placements since.
  void forget() { gains_ = ~std::uint64_t{0}; }

  /// An upper bound for the free resources in all.
  const resource_sum& free() const { return free_; }

  /// Returns whether there may be room for all tasks of a gang, in the view of the last look. For a
  /// gang of equal tasks, true means that the gang fits.
  bool may_hold(const view& seen, const gang_need& need);

  /// Notes that a task has been placed.
  void take(const resources& demand);

private:
  struct known_count {
    resources demand;
    const kind_set* kinds = nullptr;
    bool spread = false;
    std::uint64_t tasks = 0; ///< upper bound of the tasks that find room
  };

  std::uint64_t count(const view& seen, const gang_need::part& part, bool spread);

  std::vector<known_count> counts_;
  resource_sum free_;
  std::uint64_t gains_ = ~std::uint64_t{0};
  bool hidden_too_ = true;
};

} // namespace troupe
