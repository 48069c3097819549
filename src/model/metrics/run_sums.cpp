#include "model/metrics/run_sums.hpp"

#include <algorithm>

namespace troupe {

namespace {

double ratio_of(double a, double b) {
  return b > 0 ? a / b : 0;
}

void add_resources(totals& to, const resource_uses& uses) {
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    to.resources[k].merge(uses[k]);
    to.resource_utilization_max[k] =
      std::max(to.resource_utilization_max[k], uses[k].utilization());
    to.fragmentation_max[k] = std::max(to.fragmentation_max[k], uses[k].fragmentation());
  }
}

} // namespace

std::optional<double> totals::conflict_fraction() const {
  if (sample.tasks.placed == 0)
    return {};
  return static_cast<double>(sample.conflicts) / static_cast<double>(sample.tasks.placed);
}

// -- one stretch --------------------------------------------------------------------------------

void totals_sum::add(const interval_record& row, std::uint32_t schedulers, bool pooled) {
  if (group_ && row.group != *group_)
    return;
  const auto length = in_seconds(row.to - row.from);
  total_.sample.merge_growing(row.sample);
  total_.offers.merge(row.offers);
  auto& now = present_[row.group];
  now = {};
  now.merge_present(row.sample);
  const std::pair interval{row.from, row.to};
  const bool next = std::exchange(previous_, interval) != interval;
  // A pool is the same for all groups of one interval.
  if (!pooled || next)
    scheduler_seconds_ += length * schedulers;
  // The groups of one interval all carry the cluster's utilization.
  if (!next)
    return;
  used_seconds_ += length * row.utilization;
  total_.seconds += length;
  total_.utilization_max = std::max(total_.utilization_max, row.utilization);
  add_resources(total_, row.resources);
}

totals totals_sum::result() const {
  auto total = total_;
  for (const auto& [_, sample] : present_)
    total.sample.merge_present(sample);
  total.utilization = ratio_of(used_seconds_, total.seconds);
  total.busyness = ratio_of(in_seconds(total.sample.busy), scheduler_seconds_);
  return total;
}

void share_sum::add(const tenant_record& row) {
  const auto length = in_seconds(row.to - row.from);
  total_.mean += row.mean * length;
  total_.max = std::max(total_.max, row.last);
  seconds_ += length;
}

share_totals share_sum::result() const {
  return {seconds_ > 0 ? total_.mean / seconds_ : 0, total_.max};
}

// -- the run ------------------------------------------------------------------------------------

run_sums::run_sums(const run_results& about) : pooled_(about.pool > 0) {
  for (const auto& g : about.groups) {
    groups_.emplace_back(static_cast<std::uint32_t>(schedulers_.size()));
    schedulers_.push_back(g.schedulers);
  }
  tenants_.resize(about.tenants.size());
  for (const auto& p : about.phases)
    phases_.push_back({p, groups_, tenants_});
}

run_sums::phase_sums* run_sums::phase_of(instant from, instant to) {
  const auto middle = middle_of(from, to);
  const auto it = std::ranges::find_if(
    phases_, [=](const phase_sums& p) { return p.when.from <= middle && middle < p.when.to; });
  return it == phases_.end() ? nullptr : &*it;
}

const run_sums::phase_sums* run_sums::phase_at(instant from) const {
  const phase_sums* found = nullptr;
  for (const auto& p : phases_)
    if (p.when.from == from)
      found = &p; // earlier phases that begin at this time are empty
  return found;
}

void run_sums::add(const interval_record& row) {
  ++rows_;
  const auto schedulers = row.group < schedulers_.size() ? schedulers_[row.group] : 0;
  all_.add(row, schedulers, pooled_);
  if (row.group >= groups_.size())
    return;
  groups_[row.group].add(row, schedulers, pooled_);
  if (auto* phase = phase_of(row.from, row.to))
    phase->groups[row.group].add(row, schedulers, pooled_);
}

void run_sums::add(const tenant_record& row) {
  if (row.tenant >= tenants_.size())
    return;
  tenants_[row.tenant].add(row);
  if (auto* phase = phase_of(row.from, row.to))
    phase->tenants[row.tenant].add(row);
}

totals run_sums::over_run(std::optional<std::uint32_t> group) const {
  return group ? groups_.at(*group).result() : all_.result();
}

std::optional<totals> run_sums::over_phase(instant from, std::uint32_t group) const {
  const auto* phase = phase_at(from);
  return phase ? std::optional{phase->groups.at(group).result()} : std::nullopt;
}

share_totals run_sums::share_over_run(std::uint32_t tenant) const {
  return tenants_.at(tenant).result();
}

std::optional<share_totals> run_sums::share_over_phase(instant from, std::uint32_t tenant) const {
  const auto* phase = phase_at(from);
  return phase ? std::optional{phase->tenants.at(tenant).result()} : std::nullopt;
}

} // namespace troupe
