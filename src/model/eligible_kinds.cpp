#include "model/eligible_kinds.hpp"

#include <algorithm>

namespace troupe {

const kind_set& eligible_kinds::of(const std::vector<constraint>& all) {
  const auto [it, added] = known_.try_emplace(all, machines_->kinds().size());
  if (added)
    for (std::uint32_t k = 0; k < machines_->kinds().size(); ++k)
      if (std::ranges::all_of(
            all, [&](const constraint& c) { return meets(machines_->kinds()[k].attributes, c); }))
        it->second.add(k);
  return it->second;
}

bool eligible_kinds::any_holds(const kind_set& kinds, const resources& demand) const {
  for (std::uint32_t k = 0; k < machines_->kinds().size(); ++k)
    if (kinds.contains(k) &&
        std::ranges::any_of(machines_->capacities_of_kind(k),
                            [&](const auto& capacity) { return capacity.fits(demand); }))
      return true;
  return false;
}

} // namespace troupe
