#include "actors/sparrow/jobs/open_jobs.hpp"

#include <stdexcept>
#include <string>

namespace troupe {

open_job& open_jobs::add(job what, machine_pools& pools) {
  const auto id = what.id;
  if (what.task_count() == 0)
    throw std::invalid_argument("job " + std::to_string(id) + " has no tasks");
  has_stages(what); // throws if their order makes no sense
  const auto [it, added] = all_.try_emplace(id);
  if (!added)
    throw std::invalid_argument("job " + std::to_string(id) + " was submitted twice");
  auto& open = it->second;
  open.begin(std::move(what), pools);
  open.number = submissions_++;
  undecided_.emplace(place_of(open), id);
  return open;
}

open_job* open_jobs::decide_next() {
  if (undecided_.empty())
    return nullptr;
  const auto first = undecided_.begin();
  deciding_ = first->second;
  undecided_.erase(first);
  return find(*deciding_);
}

open_job* open_jobs::decided() {
  auto* const j = find(*deciding_);
  deciding_.reset();
  return j;
}

task_places open_jobs::places() const {
  using task_state = open_job::task_state;
  task_places in;
  in.told = true;
  for (const auto& [_, j] : all_)
    for (const auto& t : j.tasks) {
      in.queued += t.state == task_state::waiting;
      in.in_commit += t.state == task_state::sent;
      in.running += t.state == task_state::running;
    }
  return in;
}

void open_jobs::visit_running(const std::function<void(const task_id&, machine_id)>& tell) const {
  for (const auto& [id, j] : all_)
    for (std::uint32_t i = 0; i < j.tasks.size(); ++i)
      if (j.tasks[i].state == open_job::task_state::running)
        tell({id, i}, j.tasks[i].machine);
}

} // namespace troupe
