#include "nodes/agent/node_work.hpp"

#include "model/base/log.hpp"
#include "runtime/run/drive.hpp"
#include "runtime/run/results_of.hpp"

#include <exception>
#include <mutex>

namespace troupe {

namespace {

/// How often the node of the workload looks for failures and takeovers.
constexpr auto glance = std::chrono::milliseconds{100};

} // namespace

void node_work::look() {
  if (over_ || !members_.start_workload())
    return;
  const auto& settings = *members_.settings();
  const auto at = members_.work_time();
  auto& record = *members_.record();
  if (!feed_) {
    monitor_.work_begins(settings);
    feed_.emplace(settings, members_.record(), as_run_);
  }
  bool ends = false;
  {
    const std::lock_guard lock{record.mutex};
    ends = !record.error.empty() ||
           (settings.length > duration::zero() ? at >= settings.length : record.finished);
  }
  check_for_failure(record);
  if (at >= glance_at_) {
    members_.look_at_cluster();
    glance_at_ = at + glance;
    follow_policies();
  }
  if (at >= next_) {
    report_progress(settings, record, at, watch_.seconds(), *feed_);
    next_ = at + settings.interval;
  }
  if (ends)
    end(false);
}

void node_work::end(bool interrupted) {
  if (over_ || members_.work_time() == duration::zero())
    return;
  over_ = true;
  try {
    members_.flush();
  } catch (const std::exception& e) { // the measurements until then are written
    log::error("the last sample of the run is missing: {}", e.what());
  }
  const auto& settings = *members_.settings();
  if (feed_)
    feed_->pass_on(true);
  drive_outcome outcome;
  outcome.interrupted = interrupted;
  outcome.changes = members_.policy_changes();
  outcome.events = members_.cluster_history();
  auto results = results_of(settings, *members_.record(), outcome, watch_);
  if (settings.runs_commands()) // cluster.machines is a limit
    results.machines = members_.most_machines();
  monitor_.results(results, settings);
  members_.work_is_over();
}

/// The rows of the results tell the policies of groups.
void node_work::follow_policies() {
  auto changes = members_.policy_changes();
  if (changes.size() == policy_changes_)
    return;
  policy_changes_ = changes.size();
  feed_->policies_changed(changes);
}

} // namespace troupe
