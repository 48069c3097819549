#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace troupe {

/// Returns text that comes from outside as it may be shown on a terminal or written as one line of
/// a log: control characters, marks that change the direction of text, and bytes that are not UTF-8
/// are written as escapes ("\n", "\x1b", "\u202e"). Other text stays as it is. What is longer than
/// `most` bytes is cut, and the end says by how much.
std::string printable(std::string_view text,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

/// The same, but newlines stay: for messages of several lines.
std::string printable_lines(std::string_view text);

} // namespace troupe
