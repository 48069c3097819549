#include "runtime/endless.hpp"

#include "runtime/fault_plan.hpp"
#include "runtime/wire_queues.hpp"
#include "settings/toml_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

bool is_any_or_scheduler(const std::string& side) {
  return side == "*" || side.starts_with("scheduler.");
}

/// Returns whether a cut may lose what schedulers and machines tell each other.
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
         ": schedulers that probe machines do not repeat what is lost, so the tasks that it "
         "concerns are never over; give the run a duration" +
         (any_places(s) ? "" : ", or let failures be watched: failures.watch = \"on\"");
}

std::string why_offers_are_endless(const run_settings& s) {
  if (s.sync.plan != "offers" || s.offers.timeout == duration::zero())
    return {};
  for (const auto& group : s.groups) {
    const auto shortest = group.scheduler.t_job + group.scheduler.t_task;
    if (s.offers.timeout <= shortest)
      return "offers.timeout = " + to_toml_value(s.offers.timeout) +
             ": offers end before the schedulers of group " + group.name +
             " can have decided on one task, which takes them " + to_toml_value(shortest) +
             " (t_job and t_task), so nothing of it is ever placed; give the run a duration";
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
