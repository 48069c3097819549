#pragma once

#include "actors/scheduler/scheduler_setup.hpp"
#include "actors/scheduler/view/charged_view.hpp"
#include "model/discipline/start_queue.hpp"
#include "model/jobs/tenants.hpp"
#include "model/view/view.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace troupe {

/// Tells a queue discipline what its scheduler and others have of the machines, when the view has
/// changed by anything else than the scheduler's own tasks. Where nobody else places tasks on these
/// machines, that is when their capacity changes.
class line_capacity {
public:
  line_capacity(const scheduler_setup& setup, const charged_view& charged)
    : setup_(setup), charged_(charged) {}

  void bring_up_to_date(start_queue& queue, instant now) {
    if (seen_ == charged_.changes())
      return;
    seen_ = charged_.changes();
    const bool all = charged_.shows_hidden();
    auto own = free_of(charged_.seen(), all);
    own += queue.runs().held();
    resource_sum others;
    if (!setup_.learns_from_own_tasks()) {
      others = all ? total_capacity(setup_.machines)
                   : total_capacity(setup_.machines, setup_.limits.share.own());
      for (std::size_t k = 0; k < resource_kinds; ++k)
        others.amount[k] = std::max<std::int64_t>(0, others.amount[k] - own.amount[k]);
    }
    queue.set_capacity(own, others, now);
  }

private:
  /// Less than nothing is free on a machine that has lost what its tasks still use.
  static resource_sum free_of(const view& seen, bool hidden_too) {
    resource_sum sum;
    for (partition_id p = 0; p < seen.partitions(); ++p) {
      if (!hidden_too && seen.hidden(p))
        continue;
      const auto& of = seen.part(p);
      for (std::uint32_t i = 0; i < of.size(); ++i)
        sum += of.free(i);
    }
    return sum;
  }

  const scheduler_setup& setup_;
  const charged_view& charged_;
  std::uint64_t seen_ = ~std::uint64_t{0};
};

} // namespace troupe
