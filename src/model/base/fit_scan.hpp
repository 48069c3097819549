#pragma once

#include "model/view/view.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// The order in which a scan prefers the machines that have room for a task.
enum class fit_order : std::uint8_t {
  tightest, ///< least room left afterwards: best fit
  roomiest, ///< most room left afterwards: worst fit
};

/// Looks at machines one by one. Returns the best one, in this order, that is believed to have room
/// and passes the filter; nothing if there is none.
///
/// The room left is a sum over the resources that the task asks for. Each term is the amount that
/// would remain, as a share of the greatest amount of that resource in any machine. This is the
/// weighted sum norm of vector bin packing (Panigrahy, Talwar, Uyeda, Wieder: Heuristics for Vector
/// Bin Packing, Microsoft Research 2011), in whole numbers: the weight of one unit of a resource is
/// rounded. Of machines with equal room the scan takes the one with the best score for the task's
/// class, and of equal scores the first one.
///
/// The scan starts at a random machine and takes the others in their order, wrapping around. It
/// ends after `limit` machines (0: all), or later, as soon as it has found one, as kube-scheduler
/// does (percentageOfNodesToScore). It takes in the order of 1 ns for each machine and each kind of
/// resource in the cluster. `looked_at`, if any, is set to the number of machines that it looked
/// at.
std::optional<machine_id> scan_for_fit(const view& seen, const task_request& task, fit_order order,
                                       std::uint32_t limit, random_stream& random,
                                       std::uint32_t* looked_at = nullptr);

} // namespace troupe
