#pragma once

#include <span>
#include <string_view>

namespace troupe {

/// Returns the name in `known` of which `name` is most likely a misspelling: the one with the least
/// edit distance, in which swapped neighbours count once (Damerau 1964), and the first of equal
/// ones. Empty if none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

} // namespace troupe
