#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace troupe {

/// Returns how many columns the terminal has that standard output goes to; without limit
/// (`std::string::npos`) where that is a file or a pipe.
std::size_t terminal_width();

/// Returns a help text whose lines are no wider than `width`: descriptions of options and commands
/// go on below where they began, paragraphs are broken anew, examples go on indented.
std::string help_in(std::string_view help, std::size_t width);

} // namespace troupe
