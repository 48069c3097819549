#pragma once

#include "model/base/random.hpp"
#include "model/jobs/task_request.hpp"
#include "model/view/view_partition.hpp"

#include <optional>

namespace troupe {

/// Returns how many machines of partition `p` are of the filter's kinds.
std::size_t machines_of_kinds(const catalog& machines, partition_id p,
                              const machine_filter& filter);

/// Samples among the machines of partition `p`, in the state `part`, that have room for the task
/// and pass its filter. The probability is exactly proportional to their units, or with `by_score`
/// to their units times their weights for the task's class. A machine with room for the task, but
/// not for a unit, counts as one unit. Looks twice at every machine of the filter's kinds.
std::optional<std::uint32_t> sample_filtered(const catalog& machines, partition_id p,
                                             const view_partition& part, const task_request& task,
                                             bool by_score, random_stream& random);

} // namespace troupe
