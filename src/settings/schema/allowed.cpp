#include "settings/schema/allowed.hpp"

#include "model/base/time.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace troupe {

bool allowed::contains(double x) const {
  return std::isfinite(x) && (above_min ? x > min : x >= min) && (below_max ? x < max : x <= max);
}

bool allowed::contains(std::string_view text) const {
  return choices.empty() || std::ranges::find(choices, text) != choices.end();
}

std::string allowed::to_text() const {
  std::string out;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0)
      out += i + 1 == choices.size() ? " or " : ", ";
    out += choices[i];
  }
  if (!choices.empty())
    return out;

  const auto shown = [this](double x) {
    const std::chrono::duration<double> seconds{x};
    return durations ? to_string(std::chrono::round<duration>(seconds)) : troupe::to_text(x);
  };
  const bool low = std::isfinite(min);
  const bool high = std::isfinite(max);
  if (low && high && !above_min && !below_max)
    return shown(min) + " .. " + shown(max);
  if (low)
    out += (above_min ? "more than " : "at least ") + shown(min);
  if (low && high)
    out += ", ";
  if (high)
    out += (below_max ? "less than " : "at most ") + shown(max);
  return out;
}

std::string to_text(double x) {
  if (std::trunc(x) == x && std::abs(x) < 1e15)
    return std::to_string(static_cast<std::int64_t>(x));
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

} // namespace troupe
