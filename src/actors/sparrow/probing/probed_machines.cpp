#include "actors/sparrow/probing/probed_machines.hpp"

#include "model/base/planted_faults.hpp"

namespace troupe {

void probed_machines::begin_without_used(const open_job& j) {
  pools_.begin();
  for (const auto& r : j.reservations)
    pools_.leave_out(r.machine);
  if (!j.what.spread)
    return;
  for (const auto& t : j.tasks)
    if (t.state == open_job::task_state::sent || t.state == open_job::task_state::running)
      pools_.leave_out(t.machine);
}

bool probed_machines::heeds_windows() const {
  return machines_->windows() != nullptr && time_ && !planted(planted_fault::ignored_windows);
}

bool probed_machines::is_open_to(const open_job& j, machine_id machine) const {
  if (!heeds_windows())
    return true;
  const auto& windows = *machines_->windows();
  return windows.admits_task(windows.class_of(machine), time_(), j.what.estimate, j.what.tenant);
}

const std::vector<machine_id>& probed_machines::draw(open_job& j, std::uint32_t g, std::size_t n,
                                                     bool repeat) {
  drawn_.clear();
  const bool heeds = heeds_windows();
  if (heeds) {
    const auto& windows = *machines_->windows();
    if (!open_)
      open_.emplace(windows);
    for (std::uint32_t c = 0; c < windows.classes(); ++c)
      open_->put(c, windows.admits_task(c, time_(), j.what.estimate, j.what.tenant));
  }
  pools_.draw(j.groups[g].pool, j.what.groups[g].demand, n, repeat, random_, drawn_,
              heeds ? &*open_ : nullptr);
  j.groups[g].closed_out = heeds && drawn_.empty() && n > 0;
  return drawn_;
}

bool probed_machines::is_wrong(const open_job& j, std::uint32_t g, machine_id machine,
                               instant at) const {
  // A machine that is to be drained by now starts what it has been sent.
  const auto* windows = machines_->windows();
  return !pools_.suits(j.groups[g].pool, machine) || (j.what.spread && j.tasks_on(machine) > 1) ||
         (windows != nullptr &&
          !windows->lets_start(windows->class_of(machine), at, j.what.estimate, j.what.tenant));
}

bool probed_machines::remove(machine_id machine) {
  if (leaving_.erase(machine) > 0)
    return true;
  if (pools_.is_gone(machine))
    return false;
  pools_.remove(machine);
  return true;
}

bool probed_machines::restore(machine_id machine) {
  if (!pools_.is_gone(machine))
    return false;
  pools_.restore(machine);
  return true;
}

bool probed_machines::retire(machine_id machine) {
  if (!leaving_.insert(machine).second)
    return false;
  if (!pools_.is_gone(machine))
    pools_.remove(machine);
  return true;
}

void probed_machines::set_away(machine_id machine, bool away) {
  if (away && !pools_.is_gone(machine))
    pools_.remove(machine);
  else if (!away && !leaving_.contains(machine))
    pools_.restore(machine);
}

} // namespace troupe
