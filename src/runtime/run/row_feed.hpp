#pragma once

#include "actors/recorder/run_record.hpp"
#include "runtime/run/run.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Passes on each row that the recorder has measured to the monitor, so that a run keeps no rows,
/// however long it is.
class row_feed final : public run_monitor {
public:
  /// Makes the record add up the measurements by the groups, tenants and phases of the settings.
  row_feed(const run_settings& settings, std::shared_ptr<run_record> record, run_monitor& to);

  /// Passes on the rows since the last call. If `last`, rows that the monitor does not take go back
  /// to the record.
  void pass_on(bool last = false);

  void progress(const run_progress& at) override;
  member_events* members() override { return to_.members(); }
  void before_interval(instant from, instant to) override { to_.before_interval(from, to); }
  bool stop_requested() override { return to_.stop_requested(); }
  void watch(std::function<std::string()> where) override { to_.watch(std::move(where)); }
  void cannot_end(const std::string& where) override { to_.cannot_end(where); }
  std::optional<run_settings> new_settings() override { return to_.new_settings(); }
  void policies_changed(const std::vector<policy_change_settings>& changes) override;

private:
  const run_settings& settings_;
  std::shared_ptr<run_record> record_;
  run_monitor& to_;
  run_results so_far_;
  record_batch records_; ///< empty between calls; its memory is used again
  std::vector<interval_record> kept_series_;
  std::vector<tenant_record> kept_tenants_;
};

} // namespace troupe
