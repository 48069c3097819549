#pragma once

#include "model/base/time.hpp"
#include "model/jobs/job.hpp"

namespace troupe {

/// Returns the length of the longest chain of tasks of a job that wait for each other: the least
/// time in which the job can end.
duration longest_chain(const job& of);

} // namespace troupe
