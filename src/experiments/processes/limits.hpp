#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace troupe {

inline constexpr double max_seeds = 1'000'000;

/// Characters that the name of a run and its values must not contain, since they have a meaning in
/// expressions, patterns or paths.
inline constexpr std::string_view forbidden_in_names = "{}[]:,*/";

/// Returns whether a name has such characters, or cannot be that of a folder.
inline bool is_refused_name(std::string_view name) {
  return name.empty() || name == "." || name == ".." ||
         name.find_first_of(forbidden_in_names) != std::string_view::npos ||
         std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

/// What is right instead.
inline std::string names_text() {
  return "a name that can be a folder's, without control characters or any of " +
         std::string(forbidden_in_names);
}

} // namespace troupe
