#pragma once

#include <string_view>

namespace troupe {

inline constexpr double max_seeds = 1'000'000;

/// What the name of a run and the values in it may not hold, as it would be read as something else
/// in an expression, a pattern or a path.
inline constexpr std::string_view forbidden_in_names = "{}[]:,*/";

} // namespace troupe
