#pragma once

#include <string_view>

namespace troupe {

/// Returns whether `name` matches `pattern`, in which each * stands for any characters except
/// brackets and commas: "N[500ms,5]" matches "N[*,5]".
bool fits(std::string_view pattern, std::string_view name);

} // namespace troupe
