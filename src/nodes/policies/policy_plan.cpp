#include "nodes/policies/policy_plan.hpp"

#include "nodes/registry/policy_orders.hpp"
#include "policies/registry.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/policy_configs.hpp"
#include "settings/checks/nearest_name.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>

namespace troupe {

namespace {

/// A question that is wrong; what() tells the client why.
struct wrong_request : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const registered_plugin& policy_named(const std::string& name) {
  if (const auto* policy = find_registered(plugin_kind::placement_policy, name))
    return *policy;
  const auto known = registered_names(plugin_kind::placement_policy);
  const auto nearest = nearest_name(name, known);
  throw wrong_request{fmt::format(
    "the nodes of this cluster know no policy '{}'{}; expected one of {}", name,
    nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest), fmt::join(known, ", "))};
}

std::string key_of(const registered_plugin& policy, const setting_info& setting) {
  return fmt::format("policy.{}{}", policy.built_in() ? "" : std::string(policy.name) + '.',
                     setting.name);
}

/// Returns the setting of the policy that an assignment, "policy.x=value", is for.
const setting_info& setting_of(const registered_plugin& policy, const std::string& assignment) {
  std::vector<std::string> known;
  const auto key = assignment.substr(0, assignment.find('='));
  if (key.size() == assignment.size())
    throw wrong_request{
      fmt::format("--set {}: expected KEY=VALUE, such as policy.tau=500ms", assignment)};
  for (const auto& setting : policy.settings) {
    known.push_back(key_of(policy, setting));
    if (known.back() == key)
      return setting;
  }
  throw wrong_request{
    known.empty() ? fmt::format("--set {}: policy {} has no settings", assignment, policy.name)
                  : fmt::format("--set {}: policy {} has no setting {}; expected {}", assignment,
                                policy.name, key, fmt::join(known, " or "))};
}

/// Returns the values that the assignments give settings of the policy.
setting_values read_values(const run_settings& settings, const registered_plugin& policy,
                           const std::vector<std::string>& assignments) {
  setting_values given;
  if (assignments.empty())
    return given;
  std::vector<const setting_info*> named;
  for (const auto& assignment : assignments)
    named.push_back(&setting_of(policy, assignment));
  auto written = settings;
  written.failures.watch = watch_kind::automatic; // nodes always watch failures
  try {
    const auto tuned = parse_settings(to_toml(written), "the settings of the cluster", assignments)
                         .policy.of(policy.name);
    for (const auto* setting : named)
      given.at(setting->name, setting->standard) = *tuned.find(setting->name);
  } catch (const settings_error& e) {
    throw wrong_request{e.what()};
  }
  return given;
}

/// Policies of plugins may refuse values of their settings.
void check_values(const registered_plugin& policy, const setting_values& values) {
  if (policy.built_in())
    return;
  const auto refuse = [&](const std::string& why) {
    throw wrong_request{
      fmt::format("policy {}: its plugin {} makes no policy of these settings; {}", policy.name,
                  policy.origin, why)};
  };
  std::unique_ptr<placement_policy> made;
  try {
    made = make_policy(policy.name, values);
  } catch (const std::exception& e) {
    refuse(std::string{"make() threw: "} + e.what());
  } catch (...) {
    refuse("make() threw something that is no std::exception");
  }
  if (made == nullptr)
    refuse("make() made nothing");
}

std::vector<scheduler_id> those_with_policy(const run_settings& settings) {
  std::vector<scheduler_id> found;
  for (scheduler_id s = 0; s < settings.schedulers; ++s)
    if (policy_can_change(settings, s))
      found.push_back(s);
  return found;
}

/// Returns how a scheduler without a policy chooses machines.
std::string way_of(const run_settings& settings, scheduler_id s) {
  const auto actor = alike_of(settings, s).scheduler.actor;
  return builtin_scheduler_of(actor) ? to_string(settings.sparrow.probing) : actor;
}

std::vector<scheduler_id> addressed(const run_settings& settings, const policy_request& asked) {
  const auto able = those_with_policy(settings);
  if (able.empty())
    throw wrong_request{
      fmt::format("no scheduler of this cluster has a policy that can be changed: they choose "
                  "machines by {}; expected a cluster with scheduler.actor = \"placing\" or "
                  "\"hybrid\"",
                  way_of(settings, 0))};
  if (asked.schedulers.empty())
    return able;
  for (const auto s : asked.schedulers) {
    if (s >= settings.schedulers)
      throw wrong_request{fmt::format("there is no scheduler {}; expected a number from 0 to {}", s,
                                      settings.schedulers - 1)};
    if (!policy_can_change(settings, s))
      throw wrong_request{fmt::format("scheduler {} has no policy that can be changed: it chooses "
                                      "machines by {}; expected one of {}",
                                      s, way_of(settings, s), fmt::join(able, ", "))};
  }
  const std::set<scheduler_id> once(asked.schedulers.begin(), asked.schedulers.end());
  return {once.begin(), once.end()};
}

policy_reply plan(const run_settings& settings, const policy_request& asked, instant at) {
  const auto& policy = policy_named(asked.policy);
  const auto schedulers = addressed(settings, asked);
  const auto given = read_values(settings, policy, asked.settings);
  std::map<std::vector<std::string>, policy_order> orders;
  for (const auto s : schedulers) {
    auto values = alike_of(settings, s).policy.of(policy.name);
    for (const auto& [name, value] : given.all())
      values.at(name, value) = value;
    const auto choice = choose(policy.name, values);
    auto& order = orders[choice.settings];
    if (order.schedulers.empty()) {
      check_values(policy, values);
      order = {at, {}, choice};
    }
    order.schedulers.push_back(s);
  }
  policy_reply reply;
  for (auto& [_, order] : orders)
    reply.orders.push_back(std::move(order));
  return reply;
}

/// Returns the schedulers of a group, or of the pool, whose policy can be changed.
std::vector<scheduler_id> able_in(const run_settings& settings, std::uint32_t group) {
  std::vector<scheduler_id> found;
  const auto first = first_scheduler(settings, group);
  for (auto s = first; s < first + schedulers_of(settings, group); ++s)
    if (policy_can_change(settings, s))
      found.push_back(s);
  return found;
}

} // namespace

bool policy_can_change(const run_settings& settings, scheduler_id scheduler) {
  return has_policy(alike_of(settings, scheduler).scheduler) && !probes(settings, scheduler);
}

policy_reply plan_policies(const run_settings& settings, const policy_request& asked, instant at) {
  try {
    return plan(settings, asked, at);
  } catch (const wrong_request& e) {
    return {{}, e.what(), true};
  }
}

instant last_planned_change(const run_settings& settings, scheduler_id scheduler, instant now) {
  instant last{0};
  for (const auto& [at, _] : changes_of(alike_of(settings, scheduler), settings))
    if (at <= now)
      last = std::max(last, at);
  return last;
}

std::vector<scheduler_policy> policies_at(const run_settings& settings,
                                          std::span<const policy_order> orders, instant now) {
  std::vector<scheduler_policy> all;
  for (scheduler_id s = 0; s < settings.schedulers; ++s) {
    const auto alike = alike_of(settings, s);
    scheduler_policy one;
    one.scheduler = s;
    one.group = settings.pool > 0 ? "" : alike.name;
    one.changes = policy_can_change(settings, s);
    if (!one.changes) {
      one.policy.policy = way_of(settings, s);
      all.push_back(std::move(one));
      continue;
    }
    one.policy = choose(alike.scheduler.policy, alike.policy.of(alike.scheduler.policy));
    for (const auto& [at, choice] : changes_of(alike, settings))
      if (at <= now) {
        one.since = at;
        one.policy = choice;
      }
    if (const auto* order = order_for(orders, s); order != nullptr && order->at >= one.since) {
      one.ordered = true;
      one.since = order->at;
      one.policy = order->to;
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<policy_change_settings> changes_of_groups(const run_settings& settings,
                                                      std::span<const policy_order> orders,
                                                      instant begin) {
  std::vector<policy_change_settings> changes;
  const auto groups = settings.pool > 0 ? 1 : settings.groups.size();
  for (const auto& order : orders)
    for (std::uint32_t g = 0; g < groups; ++g) {
      const auto able = able_in(settings, g);
      if (!able.empty() && std::ranges::includes(order.schedulers, able))
        changes.push_back({std::max(instant{0}, order.at - begin),
                           settings.pool > 0 ? "" : settings.groups[g].name,
                           order.to.policy,
                           {}});
    }
  return changes;
}

void name_policies(live_about& about, std::span<const scheduler_policy> all) {
  const auto names = [&](auto is_meant) {
    std::vector<std::string> found;
    for (const auto& p : all)
      if (is_meant(p) && std::ranges::find(found, p.policy.policy) == found.end())
        found.push_back(p.policy.policy);
    return fmt::format("{}", fmt::join(found, "+"));
  };
  about.policy = names([](const scheduler_policy&) { return true; });
  for (auto& g : about.groups)
    g.policy =
      names([&](const scheduler_policy& p) { return p.group.empty() || p.group == g.name; });
}

} // namespace troupe
