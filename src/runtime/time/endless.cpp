#include "runtime/time/endless.hpp"

#include "runtime/cluster/probing.hpp"
#include "runtime/faults/fault_plan.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

bool is_any_or_scheduler(const std::string& side) {
  return side == "*" || side.starts_with("scheduler.");
}

/// Returns whether a cut may lose messages between schedulers and machines.
bool cuts_probing(const cut_settings& c) {
  return (c.a == "*" && is_any_or_scheduler(c.b)) || (c.b == "*" && is_any_or_scheduler(c.a));
}

std::string why_probing_is_endless(const run_settings& s) {
  if (!any_probes(s) || watches_failures(s))
    return {};
  const bool loses = s.network.loss > 0;
  if (!loses && !std::ranges::any_of(s.network.cuts, cuts_probing))
    return {};
  return std::string{loses ? "network.loss" : "network.cuts"} +
         ": schedulers that probe machines do not repeat lost messages, so the tasks concerned are "
         "never over; expected a duration, or watched failures: failures.watch = \"on\"";
}

std::string why_offers_are_endless(const run_settings& s) {
  if (s.sync.plan != sync_plan_kind::offers || s.offers.timeout == duration::zero())
    return {};
  for (const auto& group : s.groups) {
    const auto shortest = group.scheduler.t_job + group.scheduler.t_task;
    if (s.offers.timeout <= shortest)
      return "offers.timeout = " + to_toml_value(s.offers.timeout) +
             ": offers expire before the schedulers of group " + group.name +
             " can decide on one task, which takes them " + to_toml_value(shortest) +
             " (t_job and t_task), so no task is ever placed; expected a duration";
  }
  return {};
}

} // namespace

std::string why_endless(const run_settings& settings) {
  if (settings.length > duration::zero())
    return {};
  auto why = why_probing_is_endless(settings);
  return why.empty() ? why_offers_are_endless(settings) : why;
}

} // namespace troupe
