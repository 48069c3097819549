#include "model/owner/partition_state.hpp"

#include <algorithm>
#include <tuple>

// Part of `partition_state`: machines whose capacity changes.
namespace troupe {

resources partition_state::capacity_of(machine_id machine) const {
  const auto i = index_of(machine);
  if (!states_[i].present)
    return {};
  if (!reduced_.empty())
    if (const auto it = reduced_.find(i); it != reduced_.end())
      return it->second;
  return machines_->machine(machine).capacity;
}

void partition_state::close(machine_id machine, bool closed) {
  auto& state = states_[index_of(machine)];
  closed_ += closed;
  closed_ -= state.closed;
  state.closed = closed;
}

held_table partition_state::held_where_open() const {
  auto held = held_;
  for (std::uint32_t i = 0; i < size(); ++i)
    if (states_[i].closed)
      held.clear(i);
  return held;
}

bool partition_state::would_fit_by_catalog(std::uint32_t index, const placement& wanted) const {
  const auto it = reduced_.find(index);
  if (it == reduced_.end() || machines_->grows())
    return false;
  const auto missing = machines_->machine(wanted.machine).capacity - it->second;
  return (table_.at(index) + missing).fits(wanted.demand);
}

std::vector<grant_number> partition_state::surplus(machine_id machine,
                                                   const resources& capacity) const {
  const auto index = index_of(machine);
  resources held;
  std::vector<grant_number> all;
  for (grant_number g = 0; g < entries_.size(); ++g)
    if (entries_[g].machine == index) {
      all.push_back(g);
      held += entries_[g].what.demand;
    }
  std::ranges::sort(all, [this](grant_number a, grant_number b) {
    return ranks_kept_ && ranks_[a].priority != ranks_[b].priority
             ? ranks_[a].priority < ranks_[b].priority
             : a > b;
  });
  std::size_t n = 0;
  for (; n < all.size() && (capacity.is_zero() || !capacity.fits(held)); ++n)
    held -= entries_[all[n]].what.demand;
  all.resize(n);
  return all;
}

running_task partition_state::expel(grant_number grant, bool launched, bool told) {
  const auto index = entries_[grant].machine;
  const auto machine = machines_->members(partition_)[index];
  const auto task = erase(grant);
  change(index, [&] { table_.give(index, task.demand); });
  used_ -= task.demand;
  if (launched) {
    free_entries_.pop_back();
    entries_[grant].machine = has_left;
    const auto owes = told ? no_scheduler : task.scheduler;
    leaving_.emplace(grant, evicted_task{task.task, owes, machine, grant, duration{0}, true});
  }
  return task;
}

void partition_state::set_capacity(machine_id machine, const resources& capacity) {
  const auto i = index_of(machine);
  auto& state = states_[i];
  const auto before = capacity_of(machine);
  const auto free = table_.at(i);
  const auto& whole = machines_->machine(machine).capacity;
  capacity_ -= before;
  capacity_ += capacity;
  present_count_ -= state.present;
  state.present = !capacity.is_zero();
  present_count_ += state.present;
  ++state.version;
  if (!state.present || capacity == whole)
    reduced_.erase(i);
  else
    reduced_[i] = capacity;
  change(i, [&] { table_.set(i, free + capacity - before); });
}

} // namespace troupe
