#pragma once

#include "actors/scheduler/scheduler_setup.hpp"
#include "actors/scheduler/view/charged_view.hpp"
#include "model/discipline/start_queue.hpp"
#include "model/jobs/tenants.hpp"
#include "model/view/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace troupe {

/// Tells a queue discipline which resources its scheduler and other schedulers have, when the view
/// has changed by other causes than the scheduler's own tasks. If no other scheduler uses these
/// machines, this is the case when their capacity changes. In a cluster that grows, it also tells
/// the queue what all machines have together.
class line_capacity {
public:
  line_capacity(const scheduler_setup& setup, const charged_view& charged)
    : setup_(setup), charged_(charged) {}

  void bring_up_to_date(start_queue& queue, instant now) {
    const bool grown = look();
    if (grown)
      queue.set_cluster(std::accumulate(grown_.begin(), grown_.end(), resource_sum{}));
    else if (seen_ == charged_.changes())
      return;
    seen_ = charged_.changes();
    const auto* windows = setup_.machines.windows();
    const auto pools = windows == nullptr ? 1 : windows->classes();
    std::vector<resource_sum> own(pools);
    std::vector<resource_sum> all(pools);
    const bool others_too = !setup_.learns_from_own_tasks();
    const auto& seen = charged_.seen();
    const auto add = [&](partition_id p) {
      if (!charged_.shows_hidden() && seen.hidden(p))
        return;
      const auto& of = seen.part(p);
      const auto members = setup_.machines.members(p);
      for (std::uint32_t i = 0; i < of.size(); ++i) {
        const auto pool = windows == nullptr ? 0 : windows->class_of(members[i]);
        own[pool] += of.free(i); // negative if tasks use resources that the machine has lost
        if (others_too)
          all[pool] += capacity_of(members[i]);
      }
    };
    for (partition_id p = 0; p < seen.partitions(); ++p)
      add(p);
    for (std::uint32_t pool = 0; pool < pools; ++pool) {
      own[pool] += queue.held(pool);
      resource_sum others;
      if (others_too)
        for (std::size_t k = 0; k < resource_kinds; ++k)
          others.amount[k] = std::max<std::int64_t>(0, all[pool].amount[k] - own[pool].amount[k]);
      queue.set_capacity(own[pool], others, now, pool);
    }
  }

private:
  /// Looks at the machines of a cluster that grows. Returns whether any has changed.
  bool look() {
    const auto& growth = setup_.machines.growth();
    if (!growth || growth_ == growth->capacity_version())
      return false;
    growth_ = growth->capacity_version();
    grown_ = growth->capacities();
    return true;
  }

  const resources& capacity_of(machine_id m) const {
    return grown_.empty() ? setup_.machines.machine(m).capacity : grown_[m];
  }

  const scheduler_setup& setup_;
  const charged_view& charged_;
  std::uint64_t seen_ = ~std::uint64_t{0};
  std::uint64_t growth_ = ~std::uint64_t{0}; ///< the version of `grown_`
  std::vector<resources> grown_;             ///< in a cluster that grows, by place
};

} // namespace troupe
