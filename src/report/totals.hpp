#pragma once

#include "model/results.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// What was measured over a stretch of a run.
struct totals {
  /// The intervals' samples put together; the task counts that say "now" are of the stretch's end.
  scheduler_sample sample;
  offer_sample offers;        ///< likewise; of a single group only
  double utilization = 0;     ///< of the whole cluster, mean over the stretch
  double utilization_max = 0; ///< greatest of the intervals' means
  resource_uses resources{};  ///< of the whole cluster, over the stretch
  std::array<double, resource_kinds> resource_utilization_max{}; ///< of the intervals
  std::array<double, resource_kinds> fragmentation_max{};        ///< of the intervals
  double seconds = 0;  ///< length of the intervals that the stretch covers
  double busyness = 0; ///< share of their time that the schedulers spent deciding

  /// Returns the conflicts per accepted placement, or nothing if there was none.
  std::optional<double> conflict_fraction() const;
};

/// Returns the totals of one group, or of all of them, over the intervals whose middle lies in
/// `from` .. `to`.
totals totals_between(const run_results& results, instant from, instant to,
                      std::optional<std::uint32_t> group = {});

/// Returns the totals of one group, or of all of them, over the whole run.
totals totals_of(const run_results& results, std::optional<std::uint32_t> group = {});

/// Returns `d` in seconds: the number nearest to the true quotient, so that it prints well.
constexpr double in_seconds(duration d) {
  return static_cast<double>(d.count()) / 1e9;
}

} // namespace troupe
