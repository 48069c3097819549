#include "jobs/service/jobs/group_releaser.hpp"

#include "process/base/planted_command_fault.hpp"

#include <algorithm>

namespace troupe {

void group_releaser::release_groups(live_job& j) {
  if (!j.waits_for.empty() || is_over(j.row.state))
    return;
  for (auto& g : j.groups) {
    const auto& after = j.spec.groups[g.number].after;
    if (g.rest == task_state::waiting && !g.over() &&
        (planted(command_fault::early_release) ||
         std::ranges::all_of(after, [&](auto i) { return j.groups[i].has_succeeded(); })))
      release(j, g);
  }
}

void group_releaser::release(live_job& j, live_group& g) {
  g.rest = task_state::queued;
  tables_.changes.note(j, g);
  if (g.untouched() > 0)
    placer_.place_rest_later(j, g);
  for (std::uint32_t i = 0; i < g.tasks.size(); ++i)
    if (g.tasks[i].touched && g.tasks[i].state == task_state::waiting) {
      g.tasks[i].state = task_state::queued;
      tables_.changes.write(j, g, i, "");
      placer_.place_later(j, g, i);
    }
}

} // namespace troupe
