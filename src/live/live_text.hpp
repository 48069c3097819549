#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// Renders a number with five significant digits for JSON; "null" unless it is finite.
std::string live_number(double x);

/// Renders a text for JSON, with its quotes.
std::string live_quoted(std::string_view text);

} // namespace troupe
