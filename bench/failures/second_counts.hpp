#pragma once

#include <cstdint>
#include <filesystem>

namespace troupe::trials {

/// Returns how many tasks were placed in the slowest second from `from_s` on in which jobs still
/// came, from a timeseries.csv with rows of about a second each; 0 if there is no such second.
std::uint64_t slowest_second(const std::filesystem::path& timeseries, double from_s);

} // namespace troupe::trials
