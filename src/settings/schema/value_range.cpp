#include "settings/schema/value_range.hpp"

#include "model/base/time.hpp"
#include "settings/toml/duration_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace troupe {

namespace {

constexpr std::string_view dots = "..";
constexpr std::int64_t most_values = 1'000'000;
constexpr std::size_t most_digits = 15;

struct scaled {
  std::int64_t n = 0;
  value_scale scale;
};

/// Parses "-12" or "0.25", exactly.
std::optional<scaled> decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  const auto dot = text.find('.');
  std::string digits(text.substr(0, dot));
  scaled result;
  if (dot != std::string_view::npos) {
    const auto fraction = text.substr(dot + 1);
    if (digits.empty() || fraction.empty())
      return std::nullopt;
    digits += fraction;
    result.scale.decimals = static_cast<int>(fraction.size());
  }
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.n);
  if (digits.empty() || digits.front() == '-' || digits.size() > most_digits ||
      error != std::errc{} || end != digits.data() + digits.size())
    return std::nullopt;
  result.n = negative ? -result.n : result.n;
  return result;
}

std::optional<scaled> parse_scaled(std::string_view text) {
  if (auto number = decimal(text))
    return number;
  try {
    return scaled{parse_duration(text).count(), {.durations = true}};
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  while (exponent-- > 0)
    power *= 10;
  return power;
}

[[noreturn]] void refuse(std::string_view text, const std::string& expected) {
  throw std::invalid_argument("'" + std::string(text) + "': expected " + expected);
}

std::int64_t rescaled(const scaled& value, int decimals, std::string_view text) {
  constexpr std::int64_t limit = 1'000'000'000'000'000'000;
  const auto factor = power_of_ten(decimals - value.scale.decimals);
  if (std::abs(value.n) > limit / factor)
    refuse(text, "numbers of at most 18 digits in all");
  return value.n * factor;
}

/// A bare 0 is a duration, too.
bool agree(scaled& a, scaled& b) {
  for (auto* x : {&a, &b})
    if (auto& other = x == &a ? b : a; x->n == 0 && other.scale.durations)
      x->scale = other.scale;
  return a.scale.durations == b.scale.durations;
}

} // namespace

std::string value_scale::text(std::int64_t n) const {
  if (durations)
    return to_string(duration{n});
  auto digits = std::to_string(std::abs(n));
  const auto after = static_cast<std::size_t>(decimals);
  if (digits.size() <= after)
    digits.insert(0, after + 1 - digits.size(), '0');
  if (after > 0)
    digits.insert(digits.size() - after, ".");
  return (n < 0 ? "-" : "") + digits;
}

double value_scale::number(std::int64_t n) const {
  return durations ? to_seconds(duration{n})
                   : static_cast<double>(n) / static_cast<double>(power_of_ten(decimals));
}

std::int64_t parse_distance(std::string_view text, value_range& range) {
  const auto value = parse_scaled(text);
  if (!value || value->n <= 0 || value->scale.durations != range.scale.durations)
    refuse(text, range.scale.durations ? "a duration of more than 0, as the range has durations"
                                       : "a number of more than 0, as the range has numbers");
  const auto decimals = std::max(value->scale.decimals, range.scale.decimals);
  const auto finer = [&](std::int64_t n) { return rescaled({n, range.scale}, decimals, text); };
  range.from = finer(range.from);
  range.to = finer(range.to);
  if (range.step)
    range.step = finer(*range.step);
  range.scale.decimals = decimals;
  return rescaled(*value, decimals, text);
}

std::optional<value_range> parse_range(std::string_view text) {
  const auto middle = text.find(dots);
  if (middle == std::string_view::npos)
    return std::nullopt;
  const auto rest = text.substr(middle + dots.size());
  const auto slash = rest.find('/');
  auto from = parse_scaled(text.substr(0, middle));
  auto to = parse_scaled(rest.substr(0, slash));
  if (!from || !to)
    return std::nullopt;
  if (!agree(*from, *to))
    refuse(text, "two numbers or two durations");
  const auto decimals = std::max(from->scale.decimals, to->scale.decimals);
  value_range range{rescaled(*from, decimals, text),
                    rescaled(*to, decimals, text),
                    std::nullopt,
                    {decimals, from->scale.durations}};
  if (range.from > range.to)
    refuse(text, "a range that goes up, as in 1..10");
  if (slash != std::string_view::npos)
    range.step = parse_distance(rest.substr(slash + 1), range);
  return range;
}

std::vector<std::string> values_of(const value_range& range) {
  const bool whole = range.scale.decimals == 0 && !range.scale.durations;
  const auto name = range.scale.text(range.from) + ".." + range.scale.text(range.to);
  if (!range.step && !whole)
    refuse(name, "a step, as in " + name + "/" + (range.scale.durations ? "1s" : "0.1"));
  const auto step = range.step.value_or(1);
  if ((range.to - range.from) / step >= most_values)
    refuse(name, "at most 1,000,000 values");
  std::vector<std::string> values;
  for (auto n = range.from; n <= range.to; n += step)
    values.push_back(range.scale.text(n));
  return values;
}

} // namespace troupe
