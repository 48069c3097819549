#include "model/discipline/molding.hpp"

#include "model/discipline/shape_choice.hpp"

#include <algorithm>
#include <cstddef>

namespace troupe {

bool mold_for_first_start(start_request& what, const capacity_pools& pools, width_rule by,
                          instant now) {
  if (what.shapes.empty())
    return false;
  shape_choice choice{by};
  auto as = what;
  for (std::size_t i = 0; i < what.shapes.size(); ++i) {
    mold(as, i);
    choice.add(i, pools.first_start(as, now), as.length());
  }
  const auto before = what.tasks;
  mold(what, choice.best() ? choice.best()->shape : what.requested);
  return what.tasks != before;
}

bool has_narrower_shape(const start_request& what) {
  return !what.shapes.empty() && what.tasks > what.shapes.front().tasks;
}

void drop_wide_shapes(start_request& what) {
  const auto tried = what.tasks;
  while (what.shapes.back().tasks >= tried)
    what.shapes.pop_back();
  what.requested = std::min(what.requested, static_cast<std::uint32_t>(what.shapes.size()) - 1);
  mold(what, what.requested);
}

} // namespace troupe
