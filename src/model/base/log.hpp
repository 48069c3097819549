#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string_view>
#include <utility>

/// The log of the process. The text of a line is formatted in log.cpp: spdlog's own functions would
/// compile the formatting again in each file that writes one.
namespace troupe::log {

enum class level : std::uint8_t { debug, info, warn, error };

/// Returns whether lines of this level are written.
bool enabled(level of);

/// Writes a line.
void write(level of, std::string_view text);

/// Formats and writes a line.
template <class... Args>
void line(level of, fmt::format_string<Args...> text, Args&&... args) {
  if (enabled(of))
    write(of, fmt::vformat(text, fmt::make_format_args(args...)));
}

template <class... Args>
void debug(fmt::format_string<Args...> text, Args&&... args) {
  line(level::debug, text, std::forward<Args>(args)...);
}

template <class... Args>
void info(fmt::format_string<Args...> text, Args&&... args) {
  line(level::info, text, std::forward<Args>(args)...);
}

template <class... Args>
void warn(fmt::format_string<Args...> text, Args&&... args) {
  line(level::warn, text, std::forward<Args>(args)...);
}

template <class... Args>
void error(fmt::format_string<Args...> text, Args&&... args) {
  line(level::error, text, std::forward<Args>(args)...);
}

} // namespace troupe::log
