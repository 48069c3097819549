#pragma once

#include <string>
#include <vector>

namespace troupe {

/// Returns the levels that `start_logging` accepts, from the most to the least verbose.
std::vector<std::string> log_levels();

/// Sends the log of the whole program to stderr, from `level` upwards, which the user has `chosen`
/// or which is the default.
void start_logging(const std::string& level, bool chosen);

/// Leaves warnings out of the log unless the user has chosen its level: for thousands of runs at
/// random, of which many have cause for a warning.
void log_only_errors_by_default();

} // namespace troupe
