#include "actors/sparrow/sparrow_core.hpp"

#include <algorithm>

// The part of sparrow_core for failures of machines and for the takeover from an earlier
// incarnation of the scheduler.
namespace troupe {

void sparrow_core::watch_failures(std::uint32_t retries, instant begin) {
  books_.begin(begin);
  losses_ = std::make_unique<loss_book>(retries, machines_->machines());
  pools_.remove_all();
}

void sparrow_core::note_place(job_id job, machine_id machine) {
  if (losses_)
    losses_->note_place(job, machine, [this](job_id id) { return is_open(id); });
}

void sparrow_core::note_shortage(const open_job& j) {
  if (!losses_)
    return;
  const bool lacks = limits_.how == probing::late_binding
                       ? std::ranges::any_of(j.groups, &open_job::group_state::lacks_machines)
                       : j.ready() > 0;
  losses_->note_shortage(j.what.id, lacks);
}

std::vector<job_id> sparrow_core::short_jobs() {
  if (losses_)
    return losses_->short_jobs([this](job_id id) { return is_open(id); });
  std::vector<job_id> all;
  for (const auto& [id, _] : jobs_)
    all.push_back(id);
  return all;
}

std::vector<job_id> sparrow_core::jobs_to_heed(machine_id machine) {
  auto ids = short_jobs();
  if (losses_)
    for (const auto id : losses_->on(machine))
      if (is_open(id))
        ids.push_back(id);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

void sparrow_core::note_capacity(machine_id machine, const capacity_notice* notice,
                                 sparrow_outbox& out) {
  if (machine >= machines_->machines())
    return;
  pools_.catch_up();
  pools_.resize(machine, notice ? notice->capacity : machines_->machine(machine).capacity);
  if (notice)
    out.heard.push_back({machine, {id_, notice->number}});
}

void sparrow_core::restore(machine_id machine, sparrow_outbox& out, const capacity_notice* notice) {
  note_capacity(machine, notice, out);
  if (machine >= machines_->machines() || !pools_.is_gone(machine) ||
      (notice && notice->capacity.is_zero()))
    return;
  pools_.restore(machine);
  for (const auto id : short_jobs())
    find_machines_again(*find(id), out);
  check_balance();
}

void sparrow_core::move(const moved_reservation& what, machine_id from, sparrow_outbox& out) {
  auto* j = find(what.job);
  const bool is_needed = j != nullptr && what.group < j->groups.size() &&
                         j->use_reservation(from, what.group) && j->ready() > 0;
  if (!is_needed)
    return;
  if (what.to < machines_->machines() && !pools_.is_gone(what.to) &&
      may_take(*j, what.group, what.to) && is_open_to(*j, what.to)) {
    auto entry = reservation(*j, what.group, what.to);
    entry.placed_on = what.placed_on;
    entry.length_met = what.length_met;
    out.entries.emplace_back(what.to, entry);
  } else {
    reserve_what_is_missing(*j, out);
  }
  check_balance();
}

void sparrow_core::retire(machine_id machine, sparrow_outbox& out) {
  if (machine >= machines_->machines() || !leaving_.insert(machine).second)
    return;
  if (!pools_.is_gone(machine))
    pools_.remove(machine);
  for (const auto id : jobs_to_heed(machine)) {
    auto& j = *find(id);
    j.forget_reservations(machine);
    find_machines_again(j, out);
  }
  check_balance();
}

void sparrow_core::look_again(sparrow_outbox& out) {
  if (!pools_.catch_up())
    return;
  for (const auto id : short_jobs())
    find_machines_again(*find(id), out);
  check_balance();
}

void sparrow_core::resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) {
  submit({left.what});
  const auto id = left.what.id;
  auto& j = *find(id);
  auto& [counts, sample] = book_of(j);
  --sample.jobs_submitted; // to the earlier incarnation
  counts.submitted -= left.over.size();
  counts.queued -= left.over.size();
  blocked_ -= j.blocked();
  books_.wait(j.what.group, j.what.submitted, -std::int64_t{j.ready()});
  j.close_before(left.over);
  auto* book = records();
  if (book != nullptr)
    book->close_before(id, left.over, left.fate);
  j.fate = left.fate;
  for (std::uint32_t task = 0; task < j.tasks.size(); ++task) {
    const auto at = runs_on.find({id, task});
    if (at == runs_on.end() || j.tasks[task].state == task_state::over)
      continue;
    j.tasks[task] = {at->second, task_state::running};
    if (book != nullptr)
      book->run_before({id, task}, at->second);
    note_place(id, at->second);
    --counts.queued;
    ++counts.running;
  }
  const auto waiting = j.count_waiting_again();
  blocked_ += j.blocked();
  books_.wait(j.what.group, j.what.submitted, std::int64_t{j.ready()});
  if (waiting == 0) { // there is nothing to decide
    undecided_.erase({-std::int64_t{j.what.priority}, submissions_ - 1});
    j.placed = true;
  }
  check_balance();
}

} // namespace troupe
