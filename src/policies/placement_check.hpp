#pragma once

#include "policies/policy.hpp"

#include <string>

namespace troupe {

/// Returns what is wrong with `picked` as the machine for `task`: there is no such machine, the
/// view does not believe that it has room, or it does not pass the task's filter. Empty if nothing
/// is wrong.
std::string problem_with(const view& seen, const task_request& task, machine_id picked);

} // namespace troupe
