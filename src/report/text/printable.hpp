#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace troupe {

/// Returns text from outside in a form that is safe for a terminal or for one line of a log:
/// control characters, marks that change the direction of text, and bytes that are not UTF-8 are
/// written as escapes ("\n", "\x1b", "\u202e"). Other text is unchanged. Text of more than `most`
/// bytes is cut, and its end says how many bytes are missing.
std::string printable(std::string_view text,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

/// The same, but newlines stay: for messages of several lines.
std::string printable_lines(std::string_view text);

} // namespace troupe
