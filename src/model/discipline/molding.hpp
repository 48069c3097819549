#pragma once

#include "model/discipline/capacity_pools.hpp"
#include "model/discipline/start_discipline.hpp"
#include "model/discipline/start_request.hpp"

namespace troupe {

/// Gives a moldable request the shape in which it is to start next if nobody else waits: the best
/// one by the rule among its shapes now and at the instants at which it is expected to fit in them.
/// Does nothing to others. Returns whether the shape changes.
bool mold_for_first_start(start_request& what, const capacity_pools& pools, width_rule by,
                          instant now);

/// Returns whether a moldable request has a shape that is narrower than the one that it has now.
bool has_narrower_shape(const start_request& what);

/// Takes from such a request the shape that it has now and all wider ones, and gives it the widest
/// that is left, or the requested one.
void drop_wide_shapes(start_request& what);

} // namespace troupe
