#pragma once

#include "model/base/time.hpp"

#include <string_view>

namespace troupe {

/// The longest duration that a setting may have, 100 years: sums of a few stay representable.
inline constexpr duration max_duration = std::chrono::hours{876'000};

/// Reads a duration such as "5s", "250ms", "1.5s", "-1s" or "0": a decimal number followed by ns,
/// us, ms, s, m or h. Throws `std::invalid_argument` with the expected format if `text` is not a
/// duration, not a whole number of nanoseconds, or exceeds `max_duration` in absolute value.
duration parse_duration(std::string_view text);

} // namespace troupe
