#include "jobs/service/placing/task_pauses.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace troupe {

void task_pauses::scheduled_over(task_id as, task_fate fate, instant now) {
  const auto latest = tables_.handed.latest_of(as);
  if (!latest)
    return;
  auto& j = *latest->of;
  auto& g = j.group_of(latest->task);
  const auto in_group = latest->task - g.first;
  if (g.state_of(in_group) != task_state::queued)
    return;
  if (!g.is_touched(in_group))
    tables_.changes.note(j, g);
  auto& t = g.touch(in_group);
  tables_.handed.leave(std::exchange(t.placed_by, 0));
  const auto pause = std::min(longest_pause, first_pause * (1 << std::min<int>(t.pauses, 6)));
  ++t.pauses;
  paused_.emplace(now + pause, job_task{j.row.id, latest->task});
  const bool fits_nowhere = fate == task_fate::abandoned;
  tables_.changes.write(j, g, in_group, fits_nowhere ? std::string{no_machine_fits} : "");
  if (fits_nowhere && j.row.reason.empty()) {
    j.row.reason = std::string{no_machine_fits} + " task " + std::to_string(latest->task);
    tables_.changes.note(j);
  }
}

void task_pauses::end_pauses(instant now) {
  while (!paused_.empty() && paused_.begin()->first <= now) {
    const auto task = paused_.begin()->second;
    paused_.erase(paused_.begin());
    auto* const j = tables_.jobs.find_open(task.job);
    if (j == nullptr)
      continue;
    auto& g = j->group_of(task.task);
    const auto in_group = task.task - g.first;
    const auto& t = g.tasks[in_group];
    if (t.state == task_state::queued && t.placed_by == 0)
      placer_.place_later(*j, g, in_group);
  }
}

std::optional<instant> task_pauses::next_end() const {
  return paused_.empty() ? std::nullopt : std::optional{paused_.begin()->first};
}

} // namespace troupe
