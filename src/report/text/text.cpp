#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace troupe {

namespace {

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Rounds to three significant digits.
double rounded(double x) {
  if (x == 0 || !std::isfinite(x))
    return x;
  const auto scale = std::pow(10.0, 2 - std::floor(std::log10(std::abs(x))));
  return std::isfinite(scale) && scale > 0 ? std::round(x * scale) / scale : x;
}

/// Renders a number that has been rounded.
std::string digits(double x) {
  const auto size = std::abs(x);
  if (size >= 100'000 || (size > 0 && size < 0.001))
    return fmt::format("{:.2e}", x);
  if (size >= 100 || size == 0 || !std::isfinite(x))
    return fmt::format("{:.0f}", x);
  int decimals = 1;
  for (auto limit = 10.0; size < limit && decimals < 5; limit /= 10)
    ++decimals;
  return fmt::format("{:.{}f}", x, decimals);
}

/// Returns the first `width` columns of `text`.
std::string_view head(std::string_view text, std::size_t width) {
  std::size_t i = 0;
  for (std::size_t seen = 0; i < text.size(); ++i)
    if (!continues(text[i]) && seen++ == width)
      break;
  return text.substr(0, i);
}

} // namespace

std::string count_text(std::uint64_t n) {
  if (n >= 1'000'000'000)
    return compact_text(static_cast<double>(n));
  auto text = std::to_string(n);
  for (auto i = text.size(); i > 3; i -= 3)
    text.insert(i - 3, 1, ',');
  return text;
}

std::string number_text(double x) {
  return digits(rounded(x));
}

std::string compact_text(double x) {
  static constexpr std::array suffixes{"", "k", "M", "G", "T", "P"};
  auto value = rounded(x);
  std::size_t i = 0;
  while (std::abs(value) >= 1000 && i + 1 < suffixes.size()) {
    value = rounded(value / 1000);
    ++i;
  }
  if (i == 0 && value == std::floor(value))
    return fmt::format("{:.0f}", value);
  return digits(value) + suffixes[i];
}

std::string seconds_text(double seconds) {
  const auto size = std::abs(seconds);
  if (size == 0)
    return "0 s";
  if (size < 0.9995e-6)
    return digits(rounded(seconds * 1e9)) + " ns";
  if (size < 0.9995e-3)
    return digits(rounded(seconds * 1e6)) + " us";
  if (size < 0.9995)
    return digits(rounded(seconds * 1e3)) + " ms";
  if (size < 999.5)
    return digits(rounded(seconds)) + " s";
  if (size < 999.5 * 60 / 10)
    return digits(rounded(seconds / 60)) + " min";
  return digits(rounded(seconds / 3600)) + " h";
}

std::string percent_text(double share) {
  return digits(rounded(share * 100)) + " %";
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
    std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); }));
}

std::string fit(std::string_view text, std::size_t width) {
  std::string result(text);
  for (auto& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      c = '?';
  if (columns(result) <= width)
    return result;
  return width == 0 ? "" : std::string(head(result, width - 1)) + "~";
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (columns(text) > width) {
    auto line = head(text, width);
    const auto space = text[line.size()] == ' ' ? line.size() : line.rfind(' ');
    if (space != std::string_view::npos && space > 0)
      line = line.substr(0, space);
    lines.emplace_back(line);
    text.remove_prefix(line.size());
    if (text.starts_with(' '))
      text.remove_prefix(1);
  }
  lines.emplace_back(text);
  return lines;
}

} // namespace troupe
