#pragma once

#include "model/random.hpp"
#include "model/task_request.hpp"
#include "model/view_partition.hpp"

#include <optional>

namespace troupe {

/// Returns how many machines of partition `p` are of the kinds that a filter has.
std::size_t machines_of_kinds(const catalog& machines, partition_id p,
                              const machine_filter& filter);

/// Samples among the machines of partition `p`, believed to be as in `part`, that have room for the
/// task and pass its filter: exactly in proportion to their units, or with
/// `by_score` to their units times their weights for the task's class. A machine with room for the
/// task, but not for a unit, counts as one unit. Looks at every machine of the kinds that the
/// filter has, twice.
std::optional<std::uint32_t> sample_filtered(const catalog& machines, partition_id p,
                                             const view_partition& part, const task_request& task,
                                             bool by_score, random_stream& random);

} // namespace troupe
