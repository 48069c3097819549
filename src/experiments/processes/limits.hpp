#pragma once

#include <string_view>

namespace troupe {

inline constexpr double max_seeds = 1'000'000;

/// Characters that the name of a run and its values must not contain, since they have a meaning in
/// expressions, patterns or paths.
inline constexpr std::string_view forbidden_in_names = "{}[]:,*/";

} // namespace troupe
