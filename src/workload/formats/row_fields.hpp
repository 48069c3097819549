#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Functions that split the rows of traces.
namespace troupe {

/// Writes the fields of a line, which are separated by `separator`, to `out`, as many as fit, and
/// returns their total number.
inline std::size_t split(std::string_view line, char separator, std::span<std::string_view> out) {
  std::size_t n = 0;
  const char* begin = line.data();
  const char* const end = begin + line.size();
  for (const char* at = begin;; ++at)
    if (at == end || *at == separator) {
      if (n < out.size())
        out[n] = {begin, static_cast<std::size_t>(at - begin)};
      ++n;
      if (at == end)
        return n;
      begin = at + 1;
    }
}

inline constexpr bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Removes the next field from the front of `rest`, in which any number of blanks separates fields;
/// it is empty if there is none.
inline std::string_view take_field(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin]))
    ++begin;
  auto end = begin;
  while (end < rest.size() && !is_blank(rest[end]))
    ++end;
  const auto field = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return field;
}

/// Returns the finite number that the whole field represents, or nothing.
inline std::optional<double> to_number(std::string_view field) {
  double x = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), x);
  if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(x))
    return std::nullopt;
  return x;
}

/// Returns the whole number that the whole field represents, or nothing.
template <class Integer = std::int64_t>
std::optional<Integer> to_integer(std::string_view field) {
  Integer x = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), x);
  if (error != std::errc{} || end != field.data() + field.size())
    return std::nullopt;
  return x;
}

/// Renders a field for a message: in quotes, cut, without control characters.
inline std::string quote(std::string_view field) {
  constexpr std::size_t longest = 40;
  std::string text{field.substr(0, longest)};
  for (char& c : text)
    if (c < ' ' || c > '~')
      c = '?';
  return '"' + text + (field.size() > longest ? "...\"" : "\"");
}

} // namespace troupe
