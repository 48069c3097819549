#include "experiments/compare/statistics.hpp"

#include "report/text/text.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace troupe {

namespace {

/// Without long double, for which Boost prepares tables when a program starts: under Valgrind,
/// which computes with 64 bits, that ends the program.
using in_double = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// Returns the power of ten of the first digit of `x`, which is not 0.
int magnitude(double x) {
  return static_cast<int>(std::floor(std::log10(std::abs(x))));
}

std::string fixed(double x, int decimals) {
  if (decimals > 0 || std::abs(x) < 1000)
    return fmt::format("{:.{}f}", x, decimals);
  return value_text(std::round(x));
}

} // namespace

estimate estimate_of(std::span<const double> values) {
  estimate e{.count = values.size()};
  const auto n = static_cast<double>(values.size());
  // Summing the differences to one of them leaves equal values exact.
  for (const double x : values)
    e.mean += x - values.front();
  e.mean = values.front() + e.mean / n;
  if (values.size() < 2)
    return e;
  double squares = 0;
  for (const double x : values)
    squares += (x - e.mean) * (x - e.mean);
  e.stddev = std::sqrt(squares / (n - 1));
  const boost::math::students_t_distribution<double, in_double> student(n - 1);
  e.half_width = boost::math::quantile(student, 0.975) * e.stddev / std::sqrt(n);
  return e;
}

std::string to_text(const estimate& e) {
  if (!e.half_width || e.stddev == 0)
    return value_text(e.mean);
  const double size = std::max(std::abs(e.mean), *e.half_width);
  if (size < 0.001 || size >= 1e12) {
    const auto power = magnitude(size);
    const auto scale = std::pow(10.0, -power);
    return fmt::format("({:.3f} ± {:.3f})e{:+03d}", e.mean * scale, *e.half_width * scale, power);
  }
  const auto decimals =
    std::clamp(std::min(1 - magnitude(*e.half_width), 3 - magnitude(size)), 0, 6);
  const auto width = fixed(*e.half_width, decimals);
  const bool shows = width.find_first_not_of("0.") != std::string::npos;
  return fixed(e.mean, decimals) + (shows ? " ± " + width : "");
}

std::string value_text(double x) {
  constexpr double most = 1e15;
  const auto whole = std::round(x);
  if (!(std::abs(x) < most) || (whole != x && std::abs(x) < 1000))
    return number_text(x);
  x = whole;
  const auto digits = count_text(static_cast<std::uint64_t>(std::abs(x)));
  return x < 0 ? "-" + digits : digits;
}

} // namespace troupe
