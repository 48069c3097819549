#include "workload/generate/sampler.hpp"

#include "workload/traces/longest_time.hpp"

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace troupe {

namespace {

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

void check_table(const std::vector<double>& levels, const std::vector<double>& values) {
  if (levels.size() < 2 || levels.size() != values.size())
    throw std::invalid_argument{"a quantile table needs two or more levels and as many values"};
  if (levels.front() != 0 || levels.back() != 1 ||
      std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>{}) != levels.end())
    throw std::invalid_argument{"the levels of a quantile table must rise from 0 to 1"};
  if (!std::is_sorted(values.begin(), values.end()))
    throw std::invalid_argument{"the values of a quantile table must not fall"};
}

} // namespace

sampler::sampler(const distribution_settings& settings)
  : mean_(settings.value),
    mu_(settings.mu),
    sigma_(settings.sigma),
    levels_(settings.levels),
    values_(settings.values),
    min_(settings.min),
    max_(settings.max) {
  if (!(min_ <= max_))
    throw std::invalid_argument{"the min of a distribution must not be above its max"};
  switch (settings.kind) {
  case distribution_kind::fixed:
    kind_ = kind::fixed;
    break;
  case distribution_kind::exponential:
    kind_ = mean_ > 0 ? kind::exponential : kind::fixed;
    break;
  case distribution_kind::lognormal:
    kind_ = sigma_ > 0 ? kind::lognormal : kind::fixed;
    mean_ = std::exp(mu_);
    break;
  case distribution_kind::quantiles:
    check_table(levels_, values_);
    kind_ = kind::quantiles;
    break;
  }
  if (kind_ == kind::fixed) {
    fixed_ = std::clamp(mean_, min_, max_);
    fixed_duration_ = to_duration(fixed_);
    fixed_count_ = to_count(fixed_);
  }
}

duration sampler::to_duration(double seconds) {
  return std::max(from_seconds(std::clamp(seconds, 0.0, longest_seconds)), duration{1});
}

std::uint32_t sampler::to_count(double x) {
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::clamp(std::floor(x + 0.5), 1.0, most));
}

double sampler::draw(random_stream& random) const {
  double x = fixed_;
  switch (kind_) {
  case kind::fixed:
    break;
  case kind::exponential:
    x = boost::random::exponential_distribution<double>{1 / mean_}(random);
    break;
  case kind::lognormal:
    x = boost::random::lognormal_distribution<double>{mu_, sigma_}(random);
    break;
  case kind::quantiles:
    x = quantile(random.unit());
    break;
  }
  return std::clamp(x, min_, max_);
}

double sampler::quantile(double level) const {
  const auto above = std::upper_bound(levels_.begin() + 1, levels_.end() - 1, level);
  const auto i = static_cast<std::size_t>(above - levels_.begin());
  const double part = (level - levels_[i - 1]) / (levels_[i] - levels_[i - 1]);
  return values_[i - 1] + part * (values_[i] - values_[i - 1]);
}

// The probability of a draw of at least x, before clamping.
double sampler::failover(double x) const {
  switch (kind_) {
  case kind::fixed:
    break;
  case kind::exponential:
    return x <= 0 ? 1 : std::exp(-x / mean_);
  case kind::lognormal:
    return x <= 0 ? 1 : normal_cdf((mu_ - std::log(x)) / sigma_);
  case kind::quantiles: {
    const auto at = std::lower_bound(values_.begin(), values_.end(), x);
    if (at == values_.begin())
      return 1;
    if (at == values_.end())
      return 0;
    const auto i = static_cast<std::size_t>(at - values_.begin());
    const double part = (x - values_[i - 1]) / (values_[i] - values_[i - 1]);
    return 1 - (levels_[i - 1] + part * (levels_[i] - levels_[i - 1]));
  }
  }
  return x <= fixed_ ? 1 : 0;
}

// The mean of the draws clamped to [low, high], in closed form.
double sampler::mean_clamped(double low, double high) const {
  switch (kind_) {
  case kind::fixed:
    break;
  case kind::exponential: {
    const double a = std::max(low, 0.0);
    const double b = std::max(high, 0.0);
    return std::min(a, high) + mean_ * (std::exp(-a / mean_) - std::exp(-b / mean_));
  }
  case kind::lognormal: {
    if (high <= 0)
      return high;
    const double a = low > 0 ? (std::log(low) - mu_) / sigma_ : -HUGE_VAL;
    const double b = (std::log(high) - mu_) / sigma_;
    const double between =
      std::exp(mu_ + sigma_ * sigma_ / 2) * (normal_cdf(b - sigma_) - normal_cdf(a - sigma_));
    return std::max(low, 0.0) * normal_cdf(a) + between + high * normal_cdf(-b);
  }
  case kind::quantiles: {
    // Splits each straight piece where it crosses a bound; a straight piece's mean is its middle.
    double sum = 0;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
      const double from = values_[i - 1];
      const double to = values_[i];
      const double width = levels_[i] - levels_[i - 1];
      const double c = std::clamp(from, low, high);
      const double d = std::clamp(to, low, high);
      if (from == to) {
        sum += width * c;
        continue;
      }
      const double per_value = width / (to - from);
      const double below = std::max(0.0, std::min(to, low) - from);
      const double above = std::max(0.0, to - std::max(from, high));
      sum += per_value * (below * low + above * high + (d - c) * (c + d) / 2);
    }
    return sum;
  }
  }
  return std::clamp(fixed_, low, high);
}

// A count is 1 plus one for each k >= 2 that a draw reaches when rounded. The far end of that sum
// is the midpoint rule of an integral that the clamped mean gives.
double sampler::mean_count() const {
  if (kind_ == kind::fixed)
    return fixed_count_;
  const double largest = std::floor(max_ + 0.5);
  const double exact_to = std::min(largest, 100'000.0);
  double sum = 1;
  for (double k = 2; k <= exact_to; ++k)
    sum += k - 0.5 <= min_ ? 1 : failover(k - 0.5);
  if (largest > exact_to)
    sum += mean_clamped(std::max(min_, exact_to), max_) - exact_to;
  return sum;
}

} // namespace troupe
