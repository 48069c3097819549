#include "policies/registry.hpp"
#include "settings/checks/check.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <exception>

namespace troupe {

namespace {

/// Reports, at `key` of `prefix`, a policy that refuses its settings.
void check_policy(const std::string& policy, const policy_settings& tuned,
                  const std::string& prefix, const std::string& key, problems& found) {
  const auto* entry = find_registered(plugin_kind::placement_policy, policy);
  if (entry == nullptr || entry->built_in())
    return; // the ranges of its settings say it all
  std::string why;
  try {
    if (make_policy(policy, tuned.of(policy)) == nullptr)
      why = "made nothing";
  } catch (const std::exception& e) {
    why = std::string("threw: ") + e.what();
  } catch (...) {
    why = "threw something that is no std::exception";
  }
  if (!why.empty())
    found.conflict(prefix, key, to_toml_value(policy),
                   "settings with which its plugin " + entry->origin +
                     " makes a policy; its make() " + why);
}

/// A scheduler actor of a plugin learns of free resources only from snapshots.
void check_actor(const run_settings& s, const std::string& actor, const std::string& prefix,
                 problems& found) {
  const auto* entry = find_registered(plugin_kind::scheduler_actor, actor);
  if (entry != nullptr && !entry->built_in() && s.sync.plan == sync_plan_kind::offers)
    found.conflict(prefix, "scheduler.actor", to_toml_value(actor),
                   "placing, as a scheduler from a plugin takes no offers (sync.plan = \"offers\")",
                   {"sync.plan", "architecture"});
}

bool any_has_policy(const run_settings& s, const std::string& group) {
  if (s.pool > 0)
    return has_policy(s.scheduler);
  return std::ranges::any_of(s.groups, [&](const group_settings& g) {
    return (group.empty() || g.name == group) && has_policy(g.scheduler);
  });
}

void check_change(const run_settings& s, std::size_t i, problems& found) {
  const auto& change = s.policy_changes[i];
  const auto prefix = "policy_changes." + std::to_string(i) + ".";
  const auto named = [&](const group_settings& g) { return g.name == change.group; };
  if (change.to.empty())
    found.conflict("", prefix + "to", "\"\"", "the name of a policy", {prefix + "at"});
  if (!change.group.empty() && s.pool > 0)
    found.conflict("", prefix + "group", to_toml_value(change.group),
                   "nothing, as a pool serves all groups", {"pool", "architecture"});
  else if (!change.group.empty() && std::ranges::none_of(s.groups, named))
    found.conflict("", prefix + "group", to_toml_value(change.group),
                   "the name of one of the groups", {"groups"});
  else if (!any_has_policy(s, change.group))
    found.conflict("", prefix + "group", to_toml_value(change.group),
                   "a group of schedulers with a policy: scheduler.actor = \"placing\" or "
                   "\"hybrid\"",
                   {prefix + "to"});
  check_policy(change.to, change.policy, "", prefix + "to", found);
}

} // namespace

void check_policies(const run_settings& s, problems& found) {
  const bool given = found.document_has("groups.0");
  if (s.pool > 0) {
    check_actor(s, s.scheduler.actor, "", found);
  }
  for (std::size_t i = 0; i < s.groups.size() && s.pool == 0; ++i) {
    check_actor(s, s.groups[i].scheduler.actor, given ? "groups." + std::to_string(i) + "." : "",
                found);
  }
  if (s.pool > 0)
    check_policy(s.scheduler.policy, s.policy, "", "scheduler.policy", found);
  for (std::size_t i = 0; i < s.groups.size() && s.pool == 0; ++i)
    check_policy(s.groups[i].scheduler.policy, s.groups[i].policy,
                 given ? "groups." + std::to_string(i) + "." : "", "scheduler.policy", found);
  for (std::size_t i = 0; i < s.policy_changes.size(); ++i)
    check_change(s, i, found);
}

} // namespace troupe
