#include "report/summary/totals.hpp"

namespace troupe {

namespace {

/// Adds up the rows that were kept.
totals sum_of(const run_results& results, instant from, instant to,
              std::optional<std::uint32_t> group) {
  totals_sum sum{group};
  for (const auto& row : results.series) {
    const auto middle = middle_of(row.from, row.to);
    const auto known = row.group < results.groups.size();
    if (middle >= from && middle < to)
      sum.add(row, known ? results.groups[row.group].schedulers : 0, results.pool > 0);
  }
  return sum.result();
}

} // namespace

totals totals_between(const run_results& results, instant from, instant to, std::uint32_t group) {
  if (results.sums)
    return from < to ? results.sums->over_phase(from, group).value_or(totals{}) : totals{};
  return sum_of(results, from, to, group);
}

totals totals_of(const run_results& results, std::optional<std::uint32_t> group) {
  if (results.sums)
    return results.sums->over_run(group);
  return sum_of(results, instant::min(), instant::max(), group);
}

} // namespace troupe
