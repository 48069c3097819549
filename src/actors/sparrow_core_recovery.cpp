#include "actors/sparrow_core.hpp"

#include <algorithm>

// How a Sparrow scheduler survives the failures of machines, and takes over from an earlier life of
// itself: that part of sparrow_core.
namespace troupe {

void sparrow_core::survive(std::uint32_t retries) {
  losses_ = std::make_unique<loss_book>(loss_book{retries});
  for (machine_id m = 0; m < machines_->machines(); ++m)
    pools_.remove(m);
}

bool sparrow_core::may_retry(const task_id& task) {
  return !losses_ || losses_->retries == 0 || ++losses_->losses[task] <= losses_->retries;
}

void sparrow_core::restore(machine_id machine, sparrow_outbox& out) {
  if (machine >= machines_->machines() || !pools_.is_gone(machine))
    return;
  pools_.restore(machine);
  std::vector<job_id> ids;
  for (const auto& [id, j] : jobs_)
    if (j.placed && waiting(j) > 0)
      ids.push_back(id);
  std::ranges::sort(ids);
  for (const auto id : ids)
    find_machines_again(*find(id), out);
  check_balance();
}

void sparrow_core::retire(machine_id machine, sparrow_outbox& out) {
  if (machine >= machines_->machines() || !leaving_.insert(machine).second)
    return;
  if (!pools_.is_gone(machine))
    pools_.remove(machine);
  for (const auto id : open_jobs()) {
    auto& j = *find(id);
    forget_reservations(j, machine);
    find_machines_again(j, out);
  }
  check_balance();
}

void sparrow_core::resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) {
  submit({left.what});
  const auto id = left.what.id;
  auto& j = *find(id);
  auto& [counts, sample] = book_of(j);
  --sample.jobs_submitted; // to the earlier life
  counts.submitted -= left.over.size();
  counts.queued -= left.over.size();
  j.unfinished -= static_cast<std::uint32_t>(left.over.size());
  for (const auto task : left.over)
    j.tasks[task].state = task_state::over;
  for (std::uint32_t task = 0; task < j.tasks.size(); ++task) {
    const auto at = runs_on.find({id, task});
    if (at == runs_on.end() || j.tasks[task].state == task_state::over)
      continue;
    j.tasks[task] = {at->second, task_state::running};
    --counts.queued;
    ++counts.running;
  }
  std::uint32_t left_waiting = 0;
  for (auto& g : j.groups) {
    const auto count = g.waiting;
    g.fresh = count;
    g.waiting = 0;
    for (auto task = g.first + count; task-- > g.first;)
      if (j.tasks[task].state == task_state::waiting) {
        g.again.push_back(task);
        ++g.waiting;
      }
    left_waiting += g.waiting;
  }
  if (left_waiting == 0) { // there is nothing to decide
    undecided_.erase({-std::int64_t{j.what.priority}, submissions_ - 1});
    j.placed = true;
  }
  check_balance();
}

} // namespace troupe
