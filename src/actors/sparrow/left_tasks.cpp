#include "actors/sparrow/left_tasks.hpp"

#include <algorithm>

namespace troupe {

bool left_tasks::end(machine_id machine, const machine_event& ended) {
  const auto claimed = on_.find(machine);
  if (claimed == on_.end() || std::erase(claimed->second.running, ended.end.task) == 0)
    return false;
  claimed->second.ended.push_back(ended);
  return true;
}

void left_tasks::open(const kept_job& job) {
  for (std::uint32_t i = 0; i < job.what.task_count(); ++i)
    if (!std::ranges::binary_search(job.over, i))
      open_.insert({job.what.id, i});
}

std::map<task_id, machine_id> left_tasks::places() const {
  std::map<task_id, machine_id> places;
  for (const auto& [machine, what] : on_) {
    for (const auto& task : what.running)
      places[task] = machine;
    for (const auto& e : what.ended)
      places[e.end.task] = machine;
  }
  return places;
}

std::vector<left_tasks::told_end> left_tasks::take_ends() {
  std::vector<told_end> ends;
  for (const auto& [machine, what] : std::exchange(on_, {}))
    for (const auto& e : what.ended)
      ends.push_back({machine, e, open_.contains(e.end.task)});
  open_.clear();
  return ends;
}

} // namespace troupe
