#include "experiments/statistics.hpp"

#include "report/text.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <cstdint>

namespace troupe {

estimate estimate_of(std::span<const double> values) {
  estimate e{.count = values.size()};
  const auto n = static_cast<double>(values.size());
  for (const double x : values)
    e.mean += x / n;
  if (values.size() < 2)
    return e;
  double squares = 0;
  for (const double x : values)
    squares += (x - e.mean) * (x - e.mean);
  e.stddev = std::sqrt(squares / (n - 1));
  const boost::math::students_t_distribution<double> student(n - 1);
  e.half_width = boost::math::quantile(student, 0.975) * e.stddev / std::sqrt(n);
  return e;
}

std::string to_text(const estimate& e) {
  const auto mean = e.stddev == 0 ? value_text(e.mean) : number_text(e.mean);
  if (!e.half_width || e.stddev == 0)
    return mean;
  return mean + " ± " + number_text(*e.half_width);
}

std::string value_text(double x) {
  constexpr double most = 1e15;
  if (std::trunc(x) != x || std::abs(x) > most)
    return number_text(x);
  const auto digits = count_text(static_cast<std::uint64_t>(std::abs(x)));
  return x < 0 ? "-" + digits : digits;
}

} // namespace troupe
