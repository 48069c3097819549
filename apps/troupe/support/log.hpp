#pragma once

#include <string>
#include <vector>

namespace troupe {

/// Returns the levels that `start_logging` accepts, from the most to the least verbose.
std::vector<std::string> log_levels();

/// Sends the log of the whole program to stderr, from `level` upwards.
void start_logging(const std::string& level);

} // namespace troupe
