#include "settings/checks/check.hpp"

#include "settings/schema/allowed.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

namespace troupe {

namespace {

std::string element(std::string_view list, std::size_t i) {
  return std::string(list) + "." + std::to_string(i) + ".";
}

constexpr std::size_t longest_name = 200; ///< bytes: with a seed, it names a folder

bool has_control_characters(const std::string& name) {
  return std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

void check_name(const std::string& name, const std::string& path, problems& found) {
  if (name.size() > longest_name)
    found.conflict("", path, "of " + std::to_string(name.size()) + " bytes",
                   "a name of at most " + std::to_string(longest_name));
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      has_control_characters(name))
    found.conflict("", path, to_toml_value(name),
                   "a name that can be a folder's, without / or control characters");
}

/// Returns whether `side` is "role.*" or "role.N" with N < count.
bool is_member(std::string_view side, role what, std::uint32_t count) {
  if (!side.starts_with(name_of(what)))
    return false;
  side.remove_prefix(name_of(what).size());
  if (side == ".*")
    return true;
  if (!side.starts_with('.'))
    return false;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(side.data() + 1, side.data() + side.size(), number);
  return error == std::errc{} && end == side.data() + side.size() && number < count;
}

void check_side(const std::string& side, const std::string& path, const run_settings& s,
                problems& found) {
  if (side == "*" || side == name_of(role::master) || side == name_of(role::allocator) ||
      is_member(side, role::owner, s.cluster.owners) ||
      is_member(side, role::scheduler, s.schedulers))
    return;
  found.conflict("", path, to_toml_value(side),
                 "*, master, allocator, owner.* or owner.N with N from 0 to " +
                   std::to_string(s.cluster.owners - 1) +
                   ", scheduler.* or scheduler.N with N from 0 to " +
                   std::to_string(s.schedulers - 1));
}

void check_cuts(const run_settings& s, problems& found) {
  for (std::size_t i = 0; i < s.network.cuts.size(); ++i) {
    const auto& cut = s.network.cuts[i];
    const auto path = element("network.cuts", i);
    if (cut.from >= cut.to)
      found.conflict("", path + "to", to_toml_value(cut.to),
                     "a time after " + path + "from, " + to_toml_value(cut.from), {path + "from"});
    check_side(cut.a, path + "a", s, found);
    check_side(cut.b, path + "b", s, found);
  }
}

void check_groups(const run_settings& s, bool given, problems& found) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.groups.size(); ++i) {
    const auto& group = s.groups[i];
    const auto prefix = given ? element("groups", i) : "";
    if (given)
      check_name(group.name, prefix + "name", found);
    if (!names.insert(group.name).second)
      found.conflict("", prefix + "name", to_toml_value(group.name),
                     "a name that no other group has");
    check_workload_settings(group.workload, s.cluster, s.length, prefix, found);
    check_scheduler_settings(group, s, prefix, found);
  }
}

/// Jobs of clients have numbers of their own, which another group could not tell from its jobs.
void check_jobs_of_clients(const run_settings& s, problems& found) {
  for (std::size_t i = 0; i < s.groups.size() && s.groups.size() > 1; ++i)
    if (s.groups[i].workload.kind == workload_kind::jobs)
      found.conflict("", element("groups", i) + "workload.kind", "\"jobs\"",
                     "phases, burst or trace, or no other group", {"workload.kind"});
  if (!s.runs_commands())
    return;
  // The machines are hosts that join at any time.
  const auto refuse = [&](const std::string& why) {
    found.conflict("", "workload.kind", "\"jobs\"", "phases, burst or trace, as " + why);
  };
  if (!s.task_classes.empty())
    refuse("classes of tasks ([[task_classes]]) need machines that are known from the beginning");
  if (!s.cluster.trace.file.empty())
    refuse("the machines of a trace (cluster.trace.file) are emulated");
}

/// Returns how long jobs are submitted, at the most; nothing if that is not known.
std::optional<duration> submitting_time(const run_settings& s) {
  duration longest{0};
  for (const auto& group : s.groups) {
    if (group.workload.kind != workload_kind::phases)
      return s.length > duration::zero() ? std::optional{s.length} : std::nullopt;
    duration phases{0};
    for (const auto& phase : group.workload.phases)
      phases += phase.length;
    longest = std::max(longest, phases);
  }
  return s.length > duration::zero() ? std::min(s.length, longest) : longest;
}

void check_warmup(const run_settings& s, problems& found) {
  const auto end = submitting_time(s);
  if (end && s.warmup > duration::zero() && s.warmup >= *end)
    found.conflict("", "warmup", to_toml_value(s.warmup),
                   "less than " + to_toml_value(*end) + ", for which jobs are submitted",
                   {"duration"});
}

void check_quotas(const run_settings& s, problems& found) {
  double sum = 0;
  for (std::size_t i = 0; i < s.tenants.size(); ++i) {
    const auto& t = s.tenants[i];
    sum += t.min;
    if (t.min > t.max)
      found.conflict("", element("tenants", i) + "min", to_text(t.min),
                     "at most " + element("tenants", i) + "max, " + to_text(t.max),
                     {element("tenants", i) + "max"});
    else if (sum > 1 + 1e-9)
      found.conflict("", element("tenants", i) + "min", to_text(t.min),
                     "minimums that together are at most 1, and they are " + to_text(sum));
  }
}

void check_tenants(const run_settings& s, problems& found) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < s.tenants.size(); ++i) {
    const auto& name = s.tenants[i].name;
    check_label(name, element("tenants", i) + "name", found);
    if (!names.insert(name).second)
      found.conflict("", element("tenants", i) + "name", to_toml_value(name),
                     "a name that no other tenant has");
  }
  check_quotas(s, found);
  for (std::size_t i = 0; i < s.groups.size(); ++i) {
    const auto& tenant = s.groups[i].workload.tenant;
    if (tenant.empty() || names.contains(tenant))
      continue;
    const bool given = found.document_has(element("groups", i) + "workload.tenant");
    found.conflict("", (given ? element("groups", i) : "") + "workload.tenant",
                   to_toml_value(tenant), "the name of one of the tenants", {"tenants"});
  }
}

} // namespace

void check_label(const std::string& name, const std::string& path, problems& found) {
  if (name.empty() || has_control_characters(name))
    found.conflict("", path, to_toml_value(name),
                   "a name that is not empty and has no control characters");
}

void check_settings(const run_settings& s, problems& found) {
  check_name(s.name, "name", found);
  check_warmup(s, found);
  check_cluster(s.cluster, found);
  const bool in_groups =
    s.sync.plan == sync_plan_kind::partitioned || s.sync.plan == sync_plan_kind::same;
  if (in_groups && s.sync.groups > s.schedulers)
    found.conflict("", "sync.groups", std::to_string(s.sync.groups),
                   "0 .. " + std::to_string(s.schedulers) + ", the number of schedulers");
  check_cuts(s, found);
  check_failures(s, found);
  check_sparrow(s, found);
  check_sharing(s, found);
  check_tenants(s, found);
  check_task_classes(s, found);
  check_groups(s, found.document_has("groups.0"), found);
  check_jobs_of_clients(s, found);
  check_policies(s, found);
}

} // namespace troupe
