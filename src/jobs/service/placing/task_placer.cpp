#include "jobs/service/placing/task_placer.hpp"

#include <algorithm>

namespace troupe {

void task_placer::place_all() {
  for (auto& [where, tasks] : std::exchange(to_place_, {})) {
    auto* const j = tables_.jobs.find_open(where.first);
    if (j == nullptr)
      continue;
    auto& g = j->groups[where.second];
    const bool rest = std::ranges::find(tasks, g.count) != tasks.end();
    std::erase_if(tasks, [&](std::uint32_t i) {
      return i == g.count || g.tasks[i].state != task_state::queued || g.tasks[i].placed_by != 0;
    });
    if (rest && g.touched == 0) {
      tables_.handed.hand_out(*j, g, {});
      continue;
    }
    if (rest)
      for (std::uint32_t i = 0; i < g.count; ++i)
        if (!g.tasks[i].touched)
          tasks.push_back(i);
    std::ranges::sort(tasks);
    tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
    if (!tasks.empty())
      tables_.handed.hand_out(*j, g, std::move(tasks));
  }
}

} // namespace troupe
