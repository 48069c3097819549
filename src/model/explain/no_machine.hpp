#pragma once

#include "model/base/resources.hpp"
#include "model/cluster/machine_description.hpp"
#include "model/jobs/constraint.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Returns why none of the machines could hold a task even if it were idle, such as "no machine has
/// 3 cores" or "no machine meets zone == b"; empty if one could.
std::string why_no_machine(std::span<const machine_description> machines, const resources& demand,
                           const std::vector<constraint>& constraints);

/// Returns why the machines could not hold so many tasks at once even if they were idle, such as
/// "all machines together hold 3 of its 4 tasks"; empty if they could. At least one machine could
/// hold a task.
std::string why_no_room(std::span<const machine_description> machines, const resources& demand,
                        const std::vector<constraint>& constraints, std::uint32_t tasks);

} // namespace troupe
