#include "model/cluster/machine_pools.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>

namespace troupe {

machine_pools::machine_pools(const catalog& machines)
  : machines_(&machines), gone_(machines.machines()), drawn_in_(machines.machines()) {
  for (machine_id m = 0; m < machines.machines(); ++m) {
    const auto& info = machines.machine(m);
    if (machines.grows()) {
      shape_of_.push_back(m);
      shapes_.push_back({info.kind, info.capacity});
      continue;
    }
    const auto it = std::ranges::find_if(
      shapes_, [&](const shape& s) { return s.kind == info.kind && s.capacity == info.capacity; });
    shape_of_.push_back(static_cast<std::uint32_t>(it - shapes_.begin()));
    if (it == shapes_.end())
      shapes_.push_back({info.kind, info.capacity});
  }
  latest_.pool = find({}, {});
}

machine_pools::pool_id machine_pools::find(const std::vector<constraint>& constraints,
                                           const resources& demand) {
  if (const auto known = by_constraints_.find(constraints); known != by_constraints_.end())
    return known->second;
  std::vector<bool> fits;
  for (const auto& s : shapes_)
    fits.push_back((machines_->grows() || s.capacity.fits(demand)) &&
                   machines_->meets(s.kind, constraints));
  if (machines_->grows())
    return by_constraints_[constraints] = add(constraints, std::move(fits));
  const auto [it, added] = by_shapes_.try_emplace(fits, static_cast<pool_id>(pools_.size()));
  if (added)
    add({}, std::move(fits));
  return it->second;
}

machine_pools::pool_id machine_pools::add(const std::vector<constraint>& constraints,
                                          std::vector<bool> fits) {
  auto& fresh = pools_.emplace_back();
  fresh.constraints = constraints;
  fresh.fits = std::move(fits);
  for (machine_id m = 0; m < machines_->machines(); ++m)
    if (!gone_[m] && fresh.fits[shape_of_[m]])
      fresh.members.push_back(m);
  return static_cast<pool_id>(pools_.size() - 1);
}

bool machine_pools::catch_up() {
  const auto& growth = machines_->growth();
  if (!growth || growth->version() == version_ || planted(planted_fault::unseen_machines))
    return false;
  const auto changed = growth->changed_since(version_);
  version_ += changed.size();
  for (auto& p : pools_)
    for (const auto m : changed) {
      const bool fits = growth->meets(m, p.constraints);
      if (fits == p.fits[shape_of_[m]])
        continue;
      p.fits[shape_of_[m]] = fits;
      if (!fits)
        std::erase(p.members, m);
      else if (!gone_[m])
        p.members.push_back(m);
    }
  return true;
}

machine_pools::pool_id machine_pools::pool_of(const std::vector<constraint>& constraints,
                                              const resources& demand) {
  catch_up();
  if (demand != latest_.demand || constraints != latest_.constraints)
    latest_ = {constraints, demand, find(constraints, demand)};
  return latest_.pool;
}

void machine_pools::draw(pool_id from, const resources& demand, std::size_t n, bool repeat,
                         random_stream& random, std::vector<machine_id>& out,
                         const open_classes* open) {
  auto& members = pools_[from].members;
  const auto enough = out.size() + n;
  for (bool first = true; out.size() < enough && !members.empty(); first = false) {
    const auto before = out.size();
    // The first steps of a shuffle (Fisher, Yates), from any initial order.
    for (std::size_t i = 0; i < members.size() && out.size() < enough; ++i) {
      std::swap(members[i], members[i + random.below(members.size() - i)]);
      if (leave_out(members[i]) && has_room(members[i], demand) &&
          (open == nullptr || open->contains(members[i])))
        out.push_back(members[i]);
    }
    if (out.size() == enough || !repeat || (!first && out.size() == before))
      return;
    begin();
  }
}

void machine_pools::remove(machine_id machine) {
  gone_[machine] = true;
  for (auto& p : pools_)
    std::erase(p.members, machine);
}

void machine_pools::remove_all() {
  gone_.assign(gone_.size(), true);
  for (auto& p : pools_)
    p.members.clear();
}

void machine_pools::restore(machine_id machine) {
  if (!gone_[machine])
    return;
  gone_[machine] = false;
  for (auto& p : pools_)
    if (p.fits[shape_of_[machine]])
      p.members.push_back(machine);
}

void machine_pools::resize(machine_id machine, const resources& capacity) {
  if (capacity == machines_->machine(machine).capacity)
    lesser_.erase(machine);
  else
    lesser_[machine] = capacity;
}

} // namespace troupe
