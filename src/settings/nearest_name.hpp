#pragma once

#include <span>
#include <string_view>

namespace troupe {

/// Returns the one of `known` that `name` is most likely a misspelling of: the one with the least
/// edit distance, in which swapped neighbours count once (Damerau 1964), the first of equals. Empty
/// if none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

} // namespace troupe
