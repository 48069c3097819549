#include "settings/checks/check.hpp"
#include "settings/toml/toml_text.hpp"

namespace troupe {

namespace {

void check_retry(const retry_settings& s, const run_settings& run, const std::string& prefix,
                 problems& found) {
  if (s.max_delay > duration::zero() && s.max_delay < s.delay)
    found.conflict(prefix, "scheduler.retry.max_delay", to_toml_value(s.max_delay),
                   "\"0s\", or at least scheduler.retry.delay, " + to_toml_value(s.delay),
                   {"scheduler.retry.delay"});
  if (s.wait_for_refresh && run.sync.plan == sync_plan_kind::none)
    found.conflict(prefix, "scheduler.retry.wait_for_refresh", "true",
                   "false, as no view is ever refreshed with sync.plan = \"none\"", {"sync.plan"});
}

} // namespace

void check_scheduler_settings(const group_settings& group, const run_settings& run,
                              const std::string& prefix, problems& found) {
  const auto& s = group.scheduler;
  check_retry(s.retry, run, prefix, found);
  const bool holds = group.workload.gang || s.commit == commit_kind::all_or_nothing;
  if (holds && run.owner.hold_timeout < 2 * s.commit_timeout)
    found.conflict("", "owner.hold_timeout", to_toml_value(run.owner.hold_timeout),
                   "at least twice " + prefix + "scheduler.commit_timeout, " +
                     to_toml_value(s.commit_timeout),
                   {prefix + "scheduler.commit_timeout"});
}

} // namespace troupe
