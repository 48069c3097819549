#pragma once

#include "report/progress/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// What --color says.
enum class color_choice : std::uint8_t { automatic, always, never };

/// Sets the choice for the whole program; automatic before.
void choose_color(color_choice choice);

/// Returns whether what is written to the open file `descriptor`, 1 or 2, may be in colours: as
/// --color says or else, in this order, no with NO_COLOR, yes with FORCE_COLOR (both: set and not
/// empty), and yes on a terminal whose TERM is not "dumb".
bool has_color(int descriptor);

/// Returns whether lines on `descriptor` may be written over: on a terminal whose TERM is not
/// "dumb".
bool redraws(int descriptor);

/// Returns the style of progress on standard error.
progress_style progress_on_stderr();

/// Returns `text` with the words PASS and FAIL at the start of its lines in green and red if
/// standard output has colours, else as it is.
std::string with_verdicts(std::string text);

/// Returns the number of columns of the terminal that is standard output; no limit
/// (`std::string::npos`) if that is a file or a pipe.
std::size_t terminal_width();

/// Returns `text` in lines that fit standard output, each with a newline; all but the first begin
/// with `indent` spaces.
std::string in_lines(std::string_view text, std::size_t indent = 0);

/// Returns a help text with lines no wider than `width`: descriptions of options and commands
/// continue in the column where they begin, paragraphs are wrapped again, examples continue
/// indented.
std::string help_in(std::string_view help, std::size_t width);

} // namespace troupe
