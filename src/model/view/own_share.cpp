#include "model/view/own_share.hpp"

#include <algorithm>

namespace troupe {

own_share own_share::dealt(sharing how, scheduler_id scheduler, std::uint32_t schedulers,
                           std::uint32_t partitions) {
  std::vector<partition_id> own;
  if (how != sharing::none)
    for (partition_id p = 0; p < partitions; ++p)
      if (p % schedulers == scheduler)
        own.push_back(p);
  return {how, std::move(own)};
}

void own_share::begin(view& seen) {
  if (how_ == sharing::none)
    return;
  others_.clear();
  for (partition_id p = 0; p < seen.partitions(); ++p)
    if (std::ranges::find(own_, p) == own_.end())
      others_.push_back(p);
  narrow(seen);
}

bool own_share::has_room(const view& seen) const {
  return std::ranges::any_of(own_, [&](partition_id p) { return seen.units(p) > 0; });
}

void own_share::narrow(view& seen) {
  for (auto p : others_)
    seen.hide(p, true);
  wide_ = false;
}

void own_share::widen(view& seen) {
  for (auto p : others_)
    seen.hide(p, false);
  wide_ = true;
}

} // namespace troupe
