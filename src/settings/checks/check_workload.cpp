#include "model/jobs/constraint.hpp"
#include "settings/checks/check.hpp"
#include "settings/checks/store_address.hpp"
#include "settings/schema/allowed.hpp"
#include "settings/toml/duration_text.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <functional>

namespace troupe {

namespace {

void check_phases(const workload_settings& s, const std::string& prefix, problems& found) {
  if (s.kind == workload_kind::phases && s.phases.empty())
    found.conflict(prefix, "workload.phases", "none",
                   "at least one [[workload.phases]] with a length and a rate or a load",
                   {"workload.kind", "workload"});
  const auto own = found.document_has(prefix + "workload.phases") ? prefix : "";
  for (std::size_t i = 0; i < s.phases.size(); ++i) {
    const auto key = "workload.phases." + std::to_string(i);
    const auto& phase = s.phases[i];
    if (phase.rate > 0 && phase.load > 0)
      found.conflict(prefix, key + ".load", to_text(phase.load),
                     "only one of rate and load, and rate is " + to_text(phase.rate));
    const auto written = [&](const std::string& name) {
      return found.document_has(own + key + name);
    };
    if (!written(".rate") && !written(".load"))
      found.conflict(prefix, key, "without rate and load", "one of them");
  }
}

void check_bursts(const workload_settings& s, const std::string& prefix, problems& found) {
  const auto last = to_seconds(s.burst_start) + to_seconds(s.burst_interval) * (s.bursts - 1.0);
  if (s.kind == workload_kind::burst && last > to_seconds(max_duration))
    found.conflict(prefix, "workload.bursts", std::to_string(s.bursts),
                   "so few that the last one comes within 100 years",
                   {"workload.burst_interval", "workload.burst_start"});
}

void check_quantiles(const distribution_settings& s, const std::string& prefix,
                     const std::string& key, problems& found) {
  const auto& levels = s.levels;
  if (levels.size() < 2 || levels.front() != 0 || levels.back() != 1 ||
      std::ranges::adjacent_find(levels, std::greater_equal{}) != levels.end())
    found.conflict(prefix, key + ".levels", std::to_string(levels.size()) + " numbers",
                   "two or more numbers that rise from 0 to 1", {key + ".kind"});
  else if (s.values.size() != levels.size())
    found.conflict(prefix, key + ".values", std::to_string(s.values.size()) + " numbers",
                   std::to_string(levels.size()) + " numbers, one for each level",
                   {key + ".levels"});
  else if (!std::ranges::is_sorted(s.values))
    found.conflict(prefix, key + ".values", "a list that falls", "numbers that never fall");
}

void check_distribution(const distribution_settings& s, const std::string& prefix,
                        const std::string& key, problems& found) {
  if (s.kind == distribution_kind::quantiles)
    check_quantiles(s, prefix, key, found);
  if (s.min > s.max)
    found.conflict(prefix, key + ".min", to_text(s.min),
                   "at most " + key + ".max, " + to_text(s.max), {key + ".max"});
}

void check_trace(const workload_settings& s, const std::string& prefix, problems& found) {
  if (s.kind == workload_kind::trace && s.file.empty())
    found.conflict(prefix, "workload.file", "\"\"",
                   "the path of a trace, as in --set workload.file=jobs.tr", {"workload.kind"});
  if (s.trace.to != duration{0} && s.trace.from >= s.trace.to)
    found.conflict(prefix, "workload.trace.to", to_toml_value(s.trace.to),
                   "a time after workload.trace.from, " + to_toml_value(s.trace.from) +
                     ", or \"0s\"",
                   {"workload.trace.from"});
}

/// Reports a model of parallel jobs that has no end.
void check_lublin(const workload_settings& s, duration length, const std::string& prefix,
                  problems& found) {
  if (s.kind != workload_kind::lublin)
    return;
  if (s.jobs == 0 && length == duration::zero())
    found.conflict(prefix, "workload.jobs", "0",
                   "a number of jobs, or a duration of the run, as the model has no end",
                   {"workload.kind", "duration"});
  if (s.stages > 1)
    found.conflict(prefix, "workload.stages", std::to_string(s.stages),
                   "1, as the tasks of parallel jobs start together", {"workload.kind"});
}

void check_store(const workload_settings& s, const std::string& prefix, problems& found) {
  if (s.store.empty())
    return;
  if (const auto fault = fault_of_store_address(s.store))
    found.conflict(prefix, "workload.store", fault->is, fault->expected);
  else if (s.kind != workload_kind::jobs)
    found.conflict(prefix, "workload.store", to_toml_value(s.store),
                   "none, unless workload.kind is \"jobs\"", {"workload.kind"});
}

/// Reads constraints, those that cannot be read left out.
std::vector<constraint> readable(const std::vector<std::string>& texts) {
  std::vector<constraint> all;
  for (const auto& text : texts)
    try {
      all.push_back(parse_constraint(text));
    } catch (const std::invalid_argument&) {
      continue; // reported where it stands
    }
  return all;
}

/// Reports a request that no machine can hold: its tasks would wait for ever. It stands at `key`;
/// `constraints` are all that its machines must meet.
void check_request(const request_settings& asked, const std::vector<constraint>& constraints,
                   const cluster_settings& cluster, const std::string& prefix,
                   const std::string& key, problems& found) {
  const bool nothing = asked.cpu == 0 && asked.memory == 0 && asked.gpu == 0 && asked.slots == 0;
  const auto slots = nothing ? 1 : asked.slots;
  const auto fits = [&](const machine_class& c) {
    return asked.cpu <= c.cpu && asked.memory <= c.memory && asked.gpu <= c.gpu &&
           slots <= c.slots && std::ranges::all_of(constraints, [&](const constraint& what) {
             return meets(c.attributes, what);
           });
  };
  const auto classes =
    cluster.classes.empty() ? std::vector{machine_class{.slots = cluster.slots}} : cluster.classes;
  if (std::ranges::any_of(classes, fits))
    return;
  auto value = "cpu " + to_text(asked.cpu) + ", memory " + to_text(asked.memory) + ", gpu " +
               to_text(asked.gpu) + ", slots " + std::to_string(slots);
  for (const auto& what : constraints)
    value += ", " + to_string(what);
  found.conflict(prefix, key, value,
                 constraints.empty() ? "what some machine has room for"
                                     : "what some machine has room for and meets",
                 {"cluster.classes"});
}

void check_demand(const workload_settings& s, const cluster_settings& cluster,
                  const std::string& prefix, problems& found) {
  // The demands in a trace, and the machines of one, are known only when it is read.
  const bool says_itself = s.kind == workload_kind::trace && s.trace.format != trace_format::tr &&
                           !(s.trace.format == trace_format::automatic &&
                             (s.file.ends_with(".tr") || s.file.ends_with(".tr.gz")));
  if (says_itself || s.kind == workload_kind::jobs || !cluster.trace.file.empty())
    return;
  const auto common = readable(s.constraints);
  if (s.requests.empty())
    check_request({1, s.cpu, s.memory, s.gpu, s.slots}, common, cluster, prefix, "workload", found);
  for (std::size_t i = 0; i < s.requests.size(); ++i) {
    auto all = readable(s.requests[i].constraints);
    all.insert(all.end(), common.begin(), common.end());
    check_request(s.requests[i], all, cluster, prefix, "workload.requests." + std::to_string(i),
                  found);
  }
}

void check_constraints(const std::vector<std::string>& texts, const std::string& prefix,
                       const std::string& key, problems& found) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    try {
      parse_constraint(texts[i]);
    } catch (const std::invalid_argument& why) {
      found.conflict(prefix, key + "." + std::to_string(i),
                     to_toml_value(std::string_view(texts[i])), why.what());
    }
}

} // namespace

void check_workload_settings(const workload_settings& s, const cluster_settings& cluster,
                             duration length, const std::string& prefix, problems& found) {
  check_phases(s, prefix, found);
  check_bursts(s, prefix, found);
  check_distribution(s.duration, prefix, "workload.duration", found);
  check_distribution(s.tasks_per_job, prefix, "workload.tasks_per_job", found);
  check_trace(s, prefix, found);
  check_lublin(s, length, prefix, found);
  check_store(s, prefix, found);
  if (s.gang && s.stages > 1)
    found.conflict(prefix, "workload.stages", std::to_string(s.stages),
                   "1, as the tasks of a gang start together", {"workload.gang"});
  if (s.array_limit > 0 && (s.gang || s.stages > 1))
    found.conflict(prefix, "workload.array_limit", std::to_string(s.array_limit),
                   "0, as the tasks of a gang start together and those of stages by stages",
                   {"workload.gang", "workload.stages"});
  check_demand(s, cluster, prefix, found);
  check_constraints(s.constraints, prefix, "workload.constraints", found);
  for (std::size_t i = 0; i < s.requests.size(); ++i)
    check_constraints(s.requests[i].constraints, prefix,
                      "workload.requests." + std::to_string(i) + ".constraints", found);
}

} // namespace troupe
