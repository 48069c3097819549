#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Formats numbers and text for a terminal.
namespace troupe {

/// Renders "8,520,000", and numbers of more than nine digits in compact form; at most eleven
/// characters.
std::string count_text(std::uint64_t n);

/// Renders with three significant digits: "2.00", "0.816", "1.00e+06", "0".
std::string number_text(double x);

/// Renders with three significant digits and a magnitude if needed: "999", "12.3k", "8.52M".
std::string compact_text(double x);

/// Renders a time span given in s with three significant digits in a suitable unit: "0 s", "850
/// us", "3.40 ms", "12.3 s", "16.7 min", "2.78 h".
std::string seconds_text(double seconds);

/// Renders 0.667 as "66.7 %".
std::string percent_text(double share);

/// Returns the number of columns of UTF-8 text, counting one for each code point.
std::size_t columns(std::string_view text);

/// Returns `text` with its control characters replaced by "?", cut to `width` columns; "~" at the
/// end marks a cut.
std::string fit(std::string_view text, std::size_t width);

/// Returns `text` in lines of at most `width` columns, broken at spaces if possible.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

} // namespace troupe
