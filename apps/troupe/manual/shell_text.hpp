#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Returns `text` in single quotes, as one word of bash and zsh.
std::string posix_quoted(std::string_view text);

/// The same for fish.
std::string fish_quoted(std::string_view text);

/// Returns `text` with a backslash before each character in `special`.
std::string escaped(std::string_view text, std::string_view special);

/// Returns `words` with `separator` between them.
std::string joined(const std::vector<std::string>& words, std::string_view separator = " ");

/// Returns the first clause of a meaning, up to a semicolon or a colon, for a list.
std::string short_meaning(std::string_view meaning);

} // namespace troupe
