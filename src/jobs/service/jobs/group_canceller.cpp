#include "jobs/service/jobs/group_canceller.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

void group_canceller::cancel(live_job& j, const std::string& reason) {
  for (auto& g : j.groups)
    cancel_group(j, g, reason);
}

void group_canceller::cancel_group(live_job& j, live_group& g, const std::string& reason) {
  if (g.over())
    return;
  if (j.row.reason.empty())
    j.row.reason = reason;
  hand_out_book::task_numbers withdrawn;
  for (std::uint32_t i = 0; i < g.tasks.size(); ++i) {
    auto& t = g.tasks[i];
    if (!t.touched || (t.state != task_state::waiting && t.state != task_state::queued))
      continue;
    ++withdrawn[std::exchange(t.placed_by, 0)];
    t.state = task_state::cancelled;
    ++g.counts.cancelled;
    ++j.row.counts.cancelled;
    tables_.changes.write(j, g, i, reason);
  }
  if (g.rest != task_state::cancelled) {
    g.counts.cancelled += g.untouched();
    j.row.counts.cancelled += g.untouched();
    g.rest = task_state::cancelled;
    g.rest_reason = reason;
    withdrawn[std::exchange(g.rest_placed_by, 0)] += g.untouched();
  }
  tables_.handed.withdraw(withdrawn);
  g.broken = g.counts.failed + g.counts.cancelled > 0;
  tables_.changes.note(j, g);
}

void group_canceller::break_group(live_job& j, live_group& g) {
  if (g.broken)
    return;
  g.broken = true;
  for (std::size_t i = g.number + 1; i < j.groups.size(); ++i) {
    const auto& after = j.spec.groups[i].after;
    const auto bad = std::ranges::find_if(after, [&](auto n) { return j.groups[n].broken; });
    if (bad != after.end() && !j.groups[i].broken)
      cancel_group(j, j.groups[i], "group " + j.spec.groups[*bad].name + " did not succeed");
  }
}

} // namespace troupe
