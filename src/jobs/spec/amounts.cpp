#include "jobs/spec/amounts.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>

namespace troupe {

namespace {

struct unit {
  std::string_view name;
  double bytes;
};

constexpr unit units[] = {{"TiB", 1099511627776.0},
                          {"GiB", 1073741824.0},
                          {"MiB", 1048576.0},
                          {"KiB", 1024.0},
                          {"TB", 1e12},
                          {"GB", 1e9},
                          {"MB", 1e6},
                          {"kB", 1e3},
                          {"B", 1}};

} // namespace

std::int64_t parse_bytes(std::string_view text, std::int64_t most) {
  auto number = text;
  double factor = 1;
  for (const auto& u : units)
    if (text.ends_with(u.name)) {
      number.remove_suffix(u.name.size());
      factor = u.bytes;
      break;
    }
  double value = 0;
  const auto [end, error] =
    std::from_chars(number.data(), number.data() + number.size(), value, std::chars_format::fixed);
  const auto bytes = value * factor;
  if (error != std::errc{} || end != number.data() + number.size() || !(bytes >= 0) ||
      bytes > static_cast<double>(most) || bytes != std::floor(bytes))
    throw std::invalid_argument{"an amount of bytes up to " + bytes_text(most) +
                                " such as 256MiB, 1.5GiB or 500MB"};
  return static_cast<std::int64_t>(bytes);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr const char* names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int at = 0;
  while (at < 4 && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++at;
  }
  return std::to_string(bytes) + names[at];
}

} // namespace troupe
