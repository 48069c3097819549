#pragma once

#include "model/distribution.hpp"

#include <vector>

namespace troupe {

/// Mean and quantiles of how long something takes, where some cases are not over: a task that still
/// waits has waited for its age so far, and will wait for longer (it is censored at that age).
///
/// The estimator is that of Kaplan and Meier (Nonparametric Estimation from Incomplete
/// Observations, JASA 1958), over the bins of the distributions: of the cases that have lasted up
/// to a bin, those that end in it give the share that ends there; a case that is censored leaves
/// those at risk behind its age. It assumes that what is not over goes on like what is over and has
/// lasted as long. Within a bin, ends come before censorings. Without a censored case, mean and
/// quantiles are those of the distribution of what is over.
///
/// If the longest time that was seen is that of a case that is not over, nothing is known of longer
/// ones: the mean is then restricted to that time (each longer case counts as if it lasted just so
/// long), and quantiles beyond are that time. Both are lower bounds then; `mean_is_bound` and
/// `quantile_is_bound` say so.
class kaplan_meier {
public:
  /// `ended` are the times of what is over, `open` the times so far of what is not. Both must
  /// outlive this.
  kaplan_meier(const distribution& ended, const distribution& open);

  /// Returns whether nothing was observed.
  bool empty() const { return ended_->empty() && open_->empty(); }

  /// Returns whether some cases are not over.
  bool censored() const { return !open_->empty(); }

  /// The mean, or the restricted mean; 0 while empty.
  double mean() const;

  /// The time that the share `q` in 0 .. 1 takes at most, interpolated within its bin; 0 while
  /// empty.
  double quantile(double q) const;

  /// The longest time that was seen; 0 while empty.
  double max() const;

  bool mean_is_bound() const { return left_ > 0; }
  bool quantile_is_bound(double q) const;

private:
  struct step {
    double low = 0;
    double high = 0;
    double share = 0; ///< of all cases, that end between the two
  };

  double mass_below(double q) const;

  const distribution* ended_;
  const distribution* open_;
  std::vector<step> steps_; ///< none unless something is censored
  double left_ = 0;         ///< share that lasts longer than anything seen
  double scale_ = 1;        ///< what makes the middles of bins agree with the exact sum
};

} // namespace troupe
