#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

/// Returns the path of a log in the Standard Workload Format, with sessions of jobs that follow
/// others. It is written when it is asked for first.
std::string_view swarm_log();

/// The greatest number of processors of a job in that log.
inline constexpr std::uint32_t widest_swarm_job = 7;

/// Returns the path of a table of windows: of maintenance (all of a partition, with time to spare),
/// of one machine, of many short ones, or of a reservation for the tenant x.
std::string_view swarm_windows(std::string_view name);

} // namespace troupe
