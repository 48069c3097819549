#pragma once

#include "policies/policy.hpp"

#include <string>

namespace troupe {

/// Returns why `picked` is invalid for `task`: the machine does not exist, has no room in the view,
/// or does not pass the task's filter. Empty if it is valid.
std::string problem_with(const view& seen, const task_request& task, machine_id picked);

} // namespace troupe
