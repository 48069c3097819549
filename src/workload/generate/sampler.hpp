#pragma once

#include "model/base/random.hpp"
#include "model/base/time.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Draws numbers from a distribution of the settings, clamped to its [min, max]. The same stream
/// gives the same numbers everywhere (Boost.Random; quantile tables by inverse transform, linear
/// between the points of the table).
class sampler {
public:
  /// Throws `std::invalid_argument` if the kind is unknown or a quantile table is not a pair of
  /// equally long lists, of levels rising from 0 to 1 and of values that never fall.
  explicit sampler(const distribution_settings& settings);

  double operator()(random_stream& random) const {
    return kind_ == kind::fixed ? fixed_ : draw(random);
  }

  /// Draws a duration in seconds, clamped to 1 ns .. 10^9 s, so that every task takes some time.
  duration draw_duration(random_stream& random) const {
    return kind_ == kind::fixed ? fixed_duration_ : to_duration(draw(random));
  }

  /// Draws a count: rounded to the nearest integer (halves upwards), at least 1.
  std::uint32_t draw_count(random_stream& random) const {
    return kind_ == kind::fixed ? fixed_count_ : to_count(draw(random));
  }

  /// Returns the exact mean of the draws of `operator()`, including the clamping.
  double mean() const { return mean_clamped(min_, max_); }

  /// Returns the mean of the draws of `draw_count`, including the rounding. It is exact except for
  /// numbers above 100,000, whose rounding is ignored.
  double mean_count() const;

  /// Returns whether every draw gives the same number.
  bool is_constant() const { return kind_ == kind::fixed; }

private:
  enum class kind : std::uint8_t { fixed, exponential, lognormal, quantiles };

  static duration to_duration(double seconds);
  static std::uint32_t to_count(double x);

  double draw(random_stream& random) const;
  double quantile(double level) const;
  double failover(double x) const;
  double mean_clamped(double low, double high) const;

  kind kind_ = kind::fixed;
  double mean_ = 0;
  double mu_ = 0;
  double sigma_ = 0;
  std::vector<double> levels_;
  std::vector<double> values_;
  double min_ = 0;
  double max_ = 0;
  double fixed_ = 0;
  duration fixed_duration_{0};
  std::uint32_t fixed_count_ = 0;
};

} // namespace troupe
