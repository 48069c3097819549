#pragma once

#include "model/base/distribution.hpp"

#include <vector>

namespace troupe {

/// Mean and quantiles of durations of which some are not over: a task that still waits has waited
/// for its age so far, and will wait longer (it is censored at that age).
///
/// The estimator is that of Kaplan and Meier (Nonparametric Estimation from Incomplete
/// Observations, JASA 1958), over the bins of the distributions. Of the cases that have lasted up
/// to a bin, those that end in it give the share that ends there. A censored case leaves the cases
/// at risk after its age. The estimator assumes that a case that is not over continues like those
/// that have lasted as long and ended. Within a bin, ends come before censorings. Without a
/// censored case, mean and quantiles are those of the distribution of the cases that are over.
///
/// If the longest observed time is that of a case that is not over, longer times are unknown: the
/// mean is restricted to that time (each longer case counts as if it lasted just so long), and
/// greater quantiles equal that time. Both are then lower bounds; `mean_is_bound` and
/// `quantile_is_bound` return this.
class kaplan_meier {
public:
  /// `ended` are the durations of the cases that are over, `open` the durations so far of the
  /// others. Both must outlive this.
  kaplan_meier(const distribution& ended, const distribution& open);

  /// Returns whether nothing was observed.
  bool empty() const { return ended_->empty() && open_->empty(); }

  /// Returns whether some cases are not over.
  bool censored() const { return !open_->empty(); }

  /// The mean, or the restricted mean; 0 while empty.
  double mean() const;

  /// Returns the quantile `q` in 0 .. 1, interpolated within its bin; 0 while empty.
  double quantile(double q) const;

  /// The longest observed time; 0 while empty.
  double max() const;

  bool mean_is_bound() const { return left_ > 0; }
  bool quantile_is_bound(double q) const;

private:
  struct step {
    double low = 0;
    double high = 0;
    double share = 0; ///< share of all cases that end between the two
  };

  double mass_below(double q) const;

  const distribution* ended_;
  const distribution* open_;
  std::vector<step> steps_; ///< empty unless a case is censored
  double left_ = 0;         ///< share of cases that last longer than all observed times
  double scale_ = 1;        ///< corrects the middles of bins to match the exact sum
};

} // namespace troupe
