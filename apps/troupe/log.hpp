#pragma once

#include <string>
#include <vector>

namespace troupe {

/// The levels that `start_logging` knows, from the most to the least talkative.
std::vector<std::string> log_levels();

/// Sends the log of the whole program to stderr, from `level` upwards.
void start_logging(const std::string& level);

} // namespace troupe
