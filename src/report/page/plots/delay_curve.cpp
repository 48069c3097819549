#include "report/page/plots/delay_curve.hpp"

#include <algorithm>
#include <map>

namespace troupe {

namespace {

constexpr double visible_step = 0.002;
constexpr double visible_tail = 0.8;

struct bin_counts {
  double placed = 0;
  double others = 0;
};

/// Returns the counts of the bins, by their upper ends.
std::map<double, bin_counts> bins_of(const csv_columns& delays, std::string_view group) {
  std::map<double, bin_counts> bins;
  const auto& groups = delays.text("group");
  const auto& ends = delays.number("to_s");
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!group.empty() && groups[i] != group)
      continue;
    auto& bin = bins[ends[i]];
    bin.placed += delays.number("placed")[i];
    bin.others += delays.number("waiting")[i] + delays.number("abandoned")[i];
  }
  return bins;
}

} // namespace

delay_curve delay_curve_of(const csv_columns& delays, std::string_view group) {
  const auto bins = bins_of(delays, group);
  double at_risk = 0;
  for (const auto& [end, bin] : bins)
    at_risk += bin.placed + bin.others;
  delay_curve curve;
  double longer = 1; // share of tasks with a longer delay
  double shown = 1;
  for (auto it = bins.begin(); it != bins.end(); ++it) {
    const auto& [end, bin] = *it;
    if (at_risk > 0)
      longer *= 1 - bin.placed / at_risk;
    at_risk -= bin.placed + bin.others;
    const bool last = std::next(it) == bins.end();
    if (!curve.share.empty() && !last && shown - longer < visible_step &&
        longer > visible_tail * shown)
      continue;
    shown = longer;
    curve.delay_s.push_back(end);
    curve.share.push_back(std::clamp(1 - longer, 0.0, 1.0));
  }
  return curve;
}

} // namespace troupe
