#pragma once

#include "model/view.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// Which of the machines with room for a task a scan is for.
enum class fit_order : std::uint8_t {
  tightest, ///< the one with the least room left afterwards: best fit
  roomiest, ///< the one with the most room left afterwards: worst fit
};

/// Looks at machines one by one and returns the best in this order of those that are believed to
/// have room and pass the filter, or nothing if none does.
///
/// The room left is the sum, over the resources that the task asks for, of what would remain, each
/// as a share of the greatest amount of that resource in any machine: the weighted sum norm of
/// vector bin packing (Panigrahy, Talwar, Uyeda, Wieder: Heuristics for Vector Bin Packing,
/// Microsoft Research 2011), in whole numbers: what one unit of a resource counts for is rounded.
/// Of machines with equal room the one with the best score for
/// the task's class is taken, and of equal scores the first one that is met.
///
/// The scan starts at a random machine and takes the others in their order, wrapping around. It
/// ends after `limit` machines (0: all), or later, as soon as one has been found, as kube-scheduler
/// looks at a share of the nodes only (percentageOfNodesToScore). It takes in the order of 1 ns for
/// each machine and each kind of resource in the cluster.
std::optional<machine_id> scan_for_fit(const view& seen, const task_request& task, fit_order order,
                                       std::uint32_t limit, random_stream& random);

} // namespace troupe
