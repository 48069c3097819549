#include "runtime/run/row_feed.hpp"

#include "runtime/cluster/policy_configs.hpp"
#include "runtime/run/results_of.hpp"
#include "settings/schema/kept_records.hpp"

#include <utility>

namespace troupe {

row_feed::row_feed(const run_settings& settings, std::shared_ptr<run_record> record,
                   run_monitor& to)
  : settings_(settings), record_(std::move(record)), to_(to), so_far_(about(settings)) {
  const std::lock_guard lock{record_->mutex};
  record_->sums = run_sums{so_far_};
  if (measures_jobs(settings))
    record_->parallel = std::make_shared<parallel_jobs>(instant{settings.warmup});
}

void row_feed::pass_on(bool last) {
  std::vector<interval_record> series;
  std::vector<tenant_record> tenants;
  {
    const std::lock_guard lock{record_->mutex};
    series.swap(record_->series);
    tenants.swap(record_->tenants);
    std::swap(records_, record_->records);
    if (record_->parallel)
      for (const auto& job : records_.jobs)
        record_->parallel->add(job);
  }
  if (so_far_.records != record_level::none)
    to_.take_records(records_, so_far_);
  records_.clear();
  for (auto& row : series)
    if (!to_.take_row(row, so_far_))
      kept_series_.push_back(std::move(row));
  for (auto& row : tenants)
    if (!to_.take_row(row, so_far_))
      kept_tenants_.push_back(std::move(row));
  if (!last)
    return;
  const std::lock_guard lock{record_->mutex};
  record_->series = std::move(kept_series_);
  record_->tenants = std::move(kept_tenants_);
}

void row_feed::progress(const run_progress& at) {
  pass_on();
  to_.progress(at);
}

void row_feed::policies_changed(const std::vector<policy_change_settings>& changes) {
  auto all = settings_.policy_changes;
  all.insert(all.end(), changes.begin(), changes.end());
  so_far_.policy_changes = changes_made(all, settings_, instant::max());
}

} // namespace troupe
