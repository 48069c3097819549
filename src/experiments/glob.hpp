#pragma once

#include <string_view>

namespace troupe {

/// Returns whether `name` fits `pattern`, in which each * stands for any characters but brackets
/// and commas: "N[*,5]" fits "N[500ms,5]".
bool fits(std::string_view pattern, std::string_view name);

} // namespace troupe
