#include "model/metrics/kaplan_meier.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

kaplan_meier::kaplan_meier(const distribution& ended, const distribution& open)
  : ended_(&ended), open_(&open) {
  if (!censored())
    return;
  const auto ends = ended.bins();
  const auto censorings = open.bins();
  auto at_risk = static_cast<double>(ended.count() + open.count());
  double binned_sum = 0;
  left_ = 1;
  auto gone = censorings.begin();
  for (const auto& [bin, n] : ends) {
    for (; gone != censorings.end() && gone->first < bin; ++gone)
      at_risk -= static_cast<double>(gone->second);
    const auto count = static_cast<double>(n);
    const auto low = std::clamp(distribution::lower_edge(bin), ended.min(), ended.max());
    const auto high = std::clamp(distribution::lower_edge(bin + 1), ended.min(), ended.max());
    const auto share = left_ * count / at_risk;
    steps_.push_back({low, high, share});
    left_ = count < at_risk ? left_ - share : 0;
    at_risk -= count;
    binned_sum += count * (low + high) / 2;
  }
  // If the longest time is an end, nothing is unknown, even if a censoring shares its bin.
  if (!steps_.empty() && ended.max() >= open.max())
    steps_.back().share += std::exchange(left_, 0.0);
  if (binned_sum > 0)
    scale_ = ended.sum() / binned_sum;
}

double kaplan_meier::max() const {
  return empty() ? 0 : std::max(ended_->max(), open_->max());
}

double kaplan_meier::mean() const {
  if (!censored())
    return ended_->mean();
  double sum = 0;
  for (const auto& s : steps_)
    sum += s.share * (s.low + s.high) / 2;
  return scale_ * sum + left_ * max();
}

double kaplan_meier::mass_below(double q) const {
  const auto n = static_cast<double>(ended_->count() + open_->count());
  return (q * (n - 1) + 0.5) / n;
}

double kaplan_meier::quantile(double q) const {
  if (!censored())
    return ended_->quantile(q);
  if (q >= 1)
    return max();
  const auto wanted = mass_below(q);
  double below = 0;
  for (const auto& s : steps_) {
    if (wanted < below + s.share)
      return s.low + (s.high - s.low) * (wanted - below) / s.share;
    below += s.share;
  }
  return max();
}

bool kaplan_meier::quantile_is_bound(double q) const {
  return left_ > 0 && (q >= 1 || mass_below(q) >= 1 - left_);
}

} // namespace troupe
