#pragma once

namespace troupe {

/// The longest time that a workload or a trace may name, in seconds (about 31 years).
inline constexpr double longest_seconds = 1e9;

} // namespace troupe
