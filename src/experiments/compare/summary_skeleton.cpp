#include "experiments/compare/summary_skeleton.hpp"

#include "experiments/compare/csv_json.hpp"
#include "experiments/compare/summary_path.hpp"
#include "experiments/expectations/expression.hpp"
#include "experiments/expectations/value_error.hpp"
#include "model/metrics/parallel_jobs.hpp"
#include "report/csv/timeseries_csv.hpp"
#include "report/json/toml_json.hpp"
#include "report/summary/summary_json.hpp"
#include "settings/schema/kept_records.hpp"
#include "settings/toml/print.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

bool probes_machines(const run_settings& settings) {
  const auto probes = [](const scheduler_settings& s) {
    return builtin_scheduler_of(s.actor) != builtin_scheduler::placing;
  };
  return settings.pool > 0 ? probes(settings.scheduler)
                           : std::ranges::any_of(settings.groups, [&](const group_settings& g) {
                               return probes(g.scheduler);
                             });
}

/// Says of each kind of resource whether any machine may have it.
resource_uses resources_of(const cluster_settings& cluster) {
  std::array<bool, resource_kinds> any{};
  if (cluster.classes.empty())
    any[static_cast<std::size_t>(resource::slots)] = true;
  for (const auto& c : cluster.classes) {
    any[static_cast<std::size_t>(resource::cpu)] |= c.cpu > 0;
    any[static_cast<std::size_t>(resource::memory)] |= c.memory > 0;
    any[static_cast<std::size_t>(resource::gpu)] |= c.gpu > 0;
    any[static_cast<std::size_t>(resource::slots)] |= c.slots > 0;
  }
  resource_uses uses{};
  for (std::size_t k = 0; k < resource_kinds; ++k)
    uses[k].capacity = any[k] || !cluster.trace.file.empty() ? 1 : 0;
  return uses;
}

std::vector<phase_info> phases_of(const run_settings& settings) {
  std::vector<phase_info> longest;
  for (const auto& group : settings.groups) {
    std::vector<phase_info> phases;
    instant from{0};
    for (const auto& phase : group.workload.phases) {
      if (settings.length > duration::zero() && from >= settings.length)
        break;
      phases.push_back({from, from + phase.length});
      from += phase.length;
    }
    if (group.workload.kind == workload_kind::phases && phases.size() > longest.size())
      longest = phases;
  }
  return longest;
}

run_results results_without_values(const run_settings& settings) {
  run_results r;
  r.name = settings.name;
  r.architecture = to_string(settings.architecture);
  r.clock = settings.clock;
  r.seed = settings.seed;
  r.machines = settings.cluster.machines;
  r.phases = phases_of(settings);
  r.has_offers = settings.sync.plan == sync_plan_kind::offers;
  r.queues.machines = probes_machines(settings) ? 1 : 0;
  for (std::uint32_t g = 0; g < settings.groups.size(); ++g) {
    const auto& group = settings.groups[g];
    r.groups.push_back({group.name, "", std::max(1U, group.schedulers)});
    auto& row = r.series.emplace_back();
    row.to = std::chrono::seconds{1};
    row.group = g;
    row.resources = resources_of(settings.cluster);
    row.sample.sparrow.launched = r.queues.machines;
  }
  if (settings.tenants.size() > 1)
    for (const auto& tenant : settings.tenants)
      r.tenants.push_back({tenant.name, tenant.weight, tenant.min, tenant.max, {}});
  for (std::size_t i = 0; i < settings.policy_changes.size(); ++i)
    r.policy_changes.push_back({settings.policy_changes[i].at, 0, "", ""});
  if (settings.faults.any())
    r.failures["any"] = 0;
  if (measures_jobs(settings))
    r.parallel = std::make_shared<parallel_jobs>();
  return r;
}

std::string_view first_part(std::string_view path) {
  return path.substr(0, path.find('.'));
}

/// Returns "series.S.GROUP.COLUMN" without what says which of the intervals are meant.
std::string as_series_row(std::string_view path) {
  const auto after = path.substr(path.find('.') + 1);
  const auto interval = first_part(after);
  const bool numbers =
    !interval.empty() && interval.find_first_not_of("0123456789-") == std::string_view::npos;
  if (!numbers)
    return std::string(path);
  auto rest = after.substr(interval.size());
  if (interval.find('-') != std::string_view::npos)
    for (std::string_view what : {".mean", ".stddev", ".min", ".max"})
      if (rest.ends_with(what) && rest.size() > what.size()) {
        rest.remove_suffix(what.size());
        break;
      }
  return "series.0" + std::string(rest);
}

} // namespace

json summary_skeleton(const run_settings& settings) {
  const auto results = results_without_values(settings);
  auto skeleton = summary_json(results);
  std::ostringstream series;
  write_timeseries(series, results);
  skeleton["config"] = json_of_toml(to_toml(settings));
  skeleton["series"] = json_of_csv(series.str(), "group");
  return skeleton;
}

std::string fault_of_path(const json& skeleton, std::string_view path) {
  for (std::string_view events : {"checks", "failures", "skipped_rows"})
    if (first_part(path) == events && path != events && skeleton.contains(std::string(events)))
      return "";
  try {
    find_value(skeleton, path.starts_with("series.") ? as_series_row(path) : std::string(path));
    return "";
  } catch (const value_error& error) {
    return error.what();
  }
}

std::string fault_of_value(const json& skeleton, std::string_view value) {
  const expression e(value);
  for (const auto& r : e.references())
    if (auto fault = fault_of_path(skeleton, r.path); r.run.empty() && !fault.empty())
      return fault;
  return "";
}

} // namespace troupe
