#include "report/text/printable.hpp"

#include <fmt/core.h>

#include <cstdint>

namespace troupe {

namespace {

/// A code point, and how many bytes it takes; 0 bytes: this is not UTF-8.
struct code_point {
  std::uint32_t value = 0;
  std::size_t bytes = 0;
};

code_point read_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80)
    return {byte(0), 1};
  const std::size_t n = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < n)
    return {};
  std::uint32_t value = byte(0) & (0xFFU >> (n + 1));
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return {};
    value = value << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[n] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
    return {};
  return {value, n};
}

bool is_shown(std::uint32_t c) {
  return c >= 0x20 && !(c >= 0x7F && c < 0xA0) && !(c >= 0x200E && c <= 0x200F) &&
         !(c >= 0x2028 && c <= 0x202E) && !(c >= 0x2066 && c <= 0x2069);
}

std::string escape_of(std::uint32_t c) {
  switch (c) {
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    return c < 0x100 ? fmt::format("\\x{:02x}", c) : fmt::format("\\u{:04x}", c);
  }
}

std::string escaped(std::string_view text, bool keeps_lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto c = read_code_point(text);
    if (c.bytes == 0)
      out += escape_of(static_cast<unsigned char>(text[0]));
    else if (is_shown(c.value) || (keeps_lines && c.value == '\n'))
      out += text.substr(0, c.bytes);
    else
      out += escape_of(c.value);
    text.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return out;
}

} // namespace

std::string printable(std::string_view text, std::size_t most) {
  if (text.size() <= most)
    return escaped(text, false);
  return escaped(text.substr(0, most), false) +
         fmt::format("... ({} more bytes)", text.size() - most);
}

std::string printable_lines(std::string_view text) {
  return escaped(text, true);
}

} // namespace troupe
