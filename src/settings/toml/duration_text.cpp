#include "settings/toml/duration_text.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace troupe {

namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::int64_t nanoseconds_in(std::string_view unit) {
  constexpr struct {
    std::string_view name;
    std::int64_t nanoseconds;
  } units[] = {{"ns", 1},
               {"us", 1'000},
               {"ms", 1'000'000},
               {"s", 1'000'000'000},
               {"m", 60'000'000'000},
               {"h", 3'600'000'000'000}};
  for (const auto& u : units)
    if (u.name == unit)
      return u.nanoseconds;
  throw std::invalid_argument("a duration such as \"5s\" (units: ns, us, ms, s, m, h)");
}

/// Returns 0.`digits` of `scale`, which must be whole.
std::int64_t fraction_of(std::string_view digits, std::int64_t scale) {
  __extension__ using wide = __int128;
  while (digits.ends_with('0'))
    digits.remove_suffix(1);
  wide numerator = 0;
  wide denominator = 1;
  for (char c : digits.substr(0, 20)) {
    numerator = numerator * 10 + (c - '0');
    denominator *= 10;
  }
  if (digits.size() > 20 || numerator * scale % denominator != 0)
    throw std::invalid_argument("a duration of whole nanoseconds");
  return static_cast<std::int64_t>(numerator * scale / denominator);
}

} // namespace

duration parse_duration(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::size_t at = negative ? 1 : 0;
  const auto start = at;
  while (at < text.size() && is_digit(text[at]))
    ++at;
  const auto whole = text.substr(start, at - start);
  std::string_view fraction;
  if (!whole.empty() && at < text.size() && text[at] == '.') {
    const auto first = ++at;
    while (at < text.size() && is_digit(text[at]))
      ++at;
    fraction = text.substr(first, at - first);
    if (fraction.empty())
      nanoseconds_in("");
  }
  if (whole == "0" && fraction.empty() && at == text.size())
    return duration{0};
  const auto scale = nanoseconds_in(whole.empty() ? "" : text.substr(at));

  const auto limit = max_duration.count() / scale;
  std::int64_t count = 0;
  for (char c : whole) {
    count = count > limit / 10 ? limit + 1 : count * 10 + (c - '0');
    if (count > limit)
      throw std::invalid_argument("a duration of at most 876000h (100 years)");
  }
  const auto nanos = count * scale + fraction_of(fraction, scale);
  return duration{negative ? -nanos : nanos};
}

} // namespace troupe
