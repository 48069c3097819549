#pragma once

#include <cstdint>

/// The processes of a timeline, in their order.
namespace troupe::timeline_process {

inline constexpr std::uint32_t cluster = 1;
inline constexpr std::uint32_t master = 2;
inline constexpr std::uint32_t owners = 3;
inline constexpr std::uint32_t schedulers = 4;
inline constexpr std::uint32_t jobs = 5;
inline constexpr std::uint32_t machines = 1000; ///< and the number of the machine

} // namespace troupe::timeline_process
