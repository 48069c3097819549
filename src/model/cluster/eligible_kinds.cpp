#include "model/cluster/eligible_kinds.hpp"

#include <algorithm>

namespace troupe {

eligible_kinds::eligible_kinds(const catalog& machines, std::span<const partition_id> within)
  : machines_(&machines) {
  if (within.empty())
    return;
  capacities_.resize(machines.kinds().size());
  for (const auto p : within)
    for (const auto m : machines.members(p)) {
      auto& known = capacities_[machines.machine(m).kind];
      const auto& capacity = machines.machine(m).capacity;
      if (std::find(known.rbegin(), known.rend(), capacity) == known.rend())
        known.push_back(capacity);
    }
}

const kind_set& eligible_kinds::of(const std::vector<constraint>& all) {
  catch_up();
  const auto [it, added] = known_.try_emplace(all, machines_->kinds().size());
  if (added)
    for (std::uint32_t k = 0; k < machines_->kinds().size(); ++k)
      if (machines_->meets(k, all))
        it->second.add(k);
  return it->second;
}

void eligible_kinds::evaluate_changes() {
  const auto changed = machines_->growth()->changed_since(version_);
  version_ += changed.size();
  for (auto& [all, kinds] : known_)
    for (const auto place : changed)
      kinds.put(place, machines_->meets(place, all));
}

bool eligible_kinds::holds(std::uint32_t kind, const resources& demand) const {
  const auto& all = capacities_.empty() ? machines_->capacities_of_kind(kind) : capacities_[kind];
  return std::ranges::any_of(all, [&](const auto& capacity) { return capacity.fits(demand); });
}

bool eligible_kinds::any_holds(const kind_set& kinds, const resources& demand) const {
  for (std::uint32_t k = 0; k < machines_->kinds().size(); ++k)
    if (kinds.contains(k) && holds(k, demand))
      return true;
  return false;
}

bool eligible_kinds::any_holds(const resources& demand) const {
  for (std::uint32_t k = 0; k < machines_->kinds().size(); ++k)
    if (holds(k, demand))
      return true;
  return false;
}

} // namespace troupe
