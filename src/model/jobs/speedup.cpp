#include "model/jobs/speedup.hpp"

namespace troupe {

namespace {

double low_variance(double n, double a, double sigma) {
  if (n <= a)
    return a * n / (a + sigma / 2 * (n - 1));
  if (n <= 2 * a - 1)
    return a * n / (sigma * (a - 0.5) + n * (1 - sigma / 2));
  return a;
}

double high_variance(double n, double a, double sigma) {
  return n <= a + a * sigma - sigma ? n * a * (sigma + 1) / (sigma * (n + a - 1) + a) : a;
}

} // namespace

double speedup_model::at(std::uint32_t processors) const {
  const double n = processors;
  switch (kind) {
  case speedup_kind::linear:
    break;
  case speedup_kind::amdahl:
    return 1 / (serial_fraction + (1 - serial_fraction) / n);
  case speedup_kind::downey:
    return sigma <= 1 ? low_variance(n, parallelism, sigma) : high_variance(n, parallelism, sigma);
  }
  return n;
}

} // namespace troupe
