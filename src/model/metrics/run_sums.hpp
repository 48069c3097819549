#pragma once

#include "model/metrics/results.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// The measurements over a stretch of a run.
struct totals {
  /// The merged samples of the intervals; counts marked "now", and ages, are those at its end.
  scheduler_sample sample;
  offer_sample offers;        ///< likewise; only for a single group
  double utilization = 0;     ///< of the whole cluster, mean over the stretch
  double utilization_max = 0; ///< greatest of the intervals' means
  resource_uses resources{};  ///< of the whole cluster, over the stretch
  std::array<double, resource_kinds> resource_utilization_max{}; ///< of the intervals
  std::array<double, resource_kinds> fragmentation_max{};        ///< of the intervals
  double seconds = 0;  ///< length of the intervals that the stretch covers
  double busyness = 0; ///< share of their time in which schedulers decided

  /// Returns the conflicts per accepted placement, or nothing if no placement was accepted.
  std::optional<double> conflict_fraction() const;
};

/// Adds intervals one by one to the totals of a stretch, for one group or for all.
class totals_sum {
public:
  explicit totals_sum(std::optional<std::uint32_t> group = {}) : group_(group) {}

  /// Adds an interval unless it belongs to another group. The group has this number of
  /// `schedulers`; a `pooled` one shares them with all others.
  void add(const interval_record& row, std::uint32_t schedulers, bool pooled);

  /// Returns the totals of the added intervals.
  totals result() const;

private:
  std::optional<std::uint32_t> group_;
  totals total_;
  double used_seconds_ = 0;
  double scheduler_seconds_ = 0;
  std::map<std::uint32_t, scheduler_sample> present_;   ///< numbers as of now, by group
  std::optional<std::pair<instant, instant>> previous_; ///< the last interval
};

/// The use by one tenant over a stretch of a run, as shares of the cluster's capacity.
struct share_totals {
  double mean = 0; ///< over time
  double max = 0;  ///< greatest value at the end of an interval
};

/// Adds up the use by one tenant.
class share_sum {
public:
  void add(const tenant_record& row);
  share_totals result() const;

private:
  share_totals total_;
  double seconds_ = 0;
};

/// Adds up the measurements, interval by interval, over the whole run and over each phase, for each
/// group and each tenant. The intervals need not be kept.
class run_sums {
public:
  /// Has no groups and no phases: adds up the whole run only.
  run_sums() = default;

  /// `about` lists the groups, tenants and phases; the phases may end after the run.
  explicit run_sums(const run_results& about);

  void add(const interval_record& row);
  void add(const tenant_record& row);

  /// The number of added intervals.
  std::uint64_t rows() const { return rows_; }

  /// Returns the totals of the whole run or of the phase that begins at a time, for one group or
  /// for all.
  totals over_run(std::optional<std::uint32_t> group = {}) const;
  std::optional<totals> over_phase(instant from, std::uint32_t group) const;

  /// The same for a tenant.
  share_totals share_over_run(std::uint32_t tenant) const;
  std::optional<share_totals> share_over_phase(instant from, std::uint32_t tenant) const;

private:
  struct phase_sums {
    phase_info when;
    std::vector<totals_sum> groups;
    std::vector<share_sum> tenants;
  };

  phase_sums* phase_of(instant from, instant to);
  const phase_sums* phase_at(instant from) const;

  std::vector<std::uint32_t> schedulers_; ///< by group
  bool pooled_ = false;
  std::uint64_t rows_ = 0;
  totals_sum all_;
  std::vector<totals_sum> groups_;
  std::vector<share_sum> tenants_;
  std::vector<phase_sums> phases_;
};

/// Returns `d` in seconds: the number nearest to the true quotient, so that it prints with few
/// digits.
constexpr double in_seconds(duration d) {
  return static_cast<double>(d.count()) / 1e9;
}

/// The middle of an interval; an interval belongs to the stretch that contains its middle.
constexpr instant middle_of(instant from, instant to) {
  return from + (to - from) / 2;
}

} // namespace troupe
