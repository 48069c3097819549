#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Returns the number of columns of the terminal that is standard output; no limit
/// (`std::string::npos`) if that is a file or a pipe.
std::size_t terminal_width();

/// Returns a help text with lines no wider than `width`: descriptions of options and commands
/// continue in the column where they begin, paragraphs are wrapped again, examples continue
/// indented.
std::string help_in(std::string_view help, std::size_t width);

} // namespace troupe
