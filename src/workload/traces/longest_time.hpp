#pragma once

namespace troupe {

/// The longest time in a workload or a trace, in seconds (about 31 years).
inline constexpr double longest_seconds = 1e9;

} // namespace troupe
