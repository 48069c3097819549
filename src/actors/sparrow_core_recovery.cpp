#include "actors/sparrow_core.hpp"

#include <algorithm>

// How a Sparrow scheduler survives the failures of machines, and takes over from an earlier life of
// itself: that part of sparrow_core.
namespace troupe {

void sparrow_core::survive(std::uint32_t retries, instant begin) {
  books_.begin(begin);
  losses_ = std::make_unique<loss_book>(loss_book{retries});
  losses_->on.resize(machines_->machines());
  pools_.remove_all();
}

void sparrow_core::note_place(job_id job, machine_id machine) {
  if (!losses_)
    return;
  auto& [ids, full] = losses_->on[machine];
  if (ids.size() >= full) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    std::erase_if(ids, [&](job_id id) { return !jobs_.contains(id); });
    full = std::max<std::size_t>(16, 2 * ids.size());
  }
  ids.push_back(job);
}

void sparrow_core::note_shortage(const open_job& j) {
  if (!losses_)
    return;
  const bool lacks = limits_.how == probing::late_binding
                       ? std::ranges::any_of(j.groups, lacks_machines)
                       : waiting(j) > 0;
  if (lacks)
    losses_->short_of_machines.insert(j.what.id);
  else
    losses_->short_of_machines.erase(j.what.id);
}

std::vector<job_id> sparrow_core::short_jobs() {
  auto& ids = losses_->short_of_machines;
  std::erase_if(ids, [&](job_id id) { return !jobs_.contains(id); });
  return {ids.begin(), ids.end()};
}

std::vector<job_id> sparrow_core::jobs_to_heed(machine_id machine) {
  std::vector<job_id> ids;
  if (losses_) {
    ids = short_jobs();
    for (const auto id : losses_->on[machine].ids)
      if (jobs_.contains(id))
        ids.push_back(id);
  } else {
    for (const auto& [id, _] : jobs_)
      ids.push_back(id);
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

bool sparrow_core::may_retry(const task_id& task) {
  return !losses_ || losses_->retries == 0 || ++losses_->losses[task] <= losses_->retries;
}

void sparrow_core::restore(machine_id machine, sparrow_outbox& out) {
  if (machine >= machines_->machines() || !pools_.is_gone(machine))
    return;
  pools_.restore(machine);
  for (const auto id : short_jobs())
    find_machines_again(*find(id), out);
  check_balance();
}

void sparrow_core::retire(machine_id machine, sparrow_outbox& out) {
  if (machine >= machines_->machines() || !leaving_.insert(machine).second)
    return;
  if (!pools_.is_gone(machine))
    pools_.remove(machine);
  for (const auto id : jobs_to_heed(machine)) {
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
  books_.wait(j.what.group, j.what.submitted, -static_cast<std::int64_t>(left.over.size()));
  j.unfinished -= static_cast<std::uint32_t>(left.over.size());
  j.fate = left.fate;
  for (const auto task : left.over)
    j.tasks[task].state = task_state::over;
  for (std::uint32_t task = 0; task < j.tasks.size(); ++task) {
    const auto at = runs_on.find({id, task});
    if (at == runs_on.end() || j.tasks[task].state == task_state::over)
      continue;
    j.tasks[task] = {at->second, task_state::running};
    note_place(id, at->second);
    --counts.queued;
    ++counts.running;
    books_.wait(j.what.group, j.what.submitted, -1);
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
