#include "report/summary/summary_json.hpp"

#include "report/csv/shares.hpp"
#include "report/json/json_number.hpp"
#include "report/results/results_format.hpp"
#include "report/summary/attempts_json.hpp"
#include "report/summary/below_zero.hpp"
#include "report/summary/censored_json.hpp"
#include "report/summary/parallel_json.hpp"
#include "report/summary/totals.hpp"

#include <algorithm>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

json number(double x) {
  return json_number(x);
}

json number_if(bool measured, double x) {
  return json_number_if(measured, x);
}

json ratio(double a, double b) {
  return number_if(b > 0, a / b);
}

json seconds(duration d) {
  return number(in_seconds(d));
}

json tasks_json(const task_counts& t) {
  return {{"submitted", t.submitted}, {"placed", t.placed},       {"finished", t.finished},
          {"failed", t.failed},       {"lost", t.lost},           {"abandoned", t.abandoned},
          {"queued", t.queued},       {"in_commit", t.in_commit}, {"running", t.running}};
}

json causes_json(const scheduler_sample& s) {
  auto result = json::object();
  for (std::size_t i = 0; i < conflict_causes; ++i)
    result[to_string(static_cast<conflict_cause>(i))] = s.conflicts_by_cause[i];
  return result;
}

json age_json(const view_age& age) {
  const auto some = age.seconds > 0;
  return {{"mean", number_if(some, age.mean())},
          {"min", number_if(some, age.min)},
          {"max", number_if(some, age.max)}};
}

json extremes_json(const moments& m) {
  return {{"mean", number_if(m.count > 0, m.mean())},
          {"min", number_if(m.count > 0, m.min)},
          {"max", number_if(m.count > 0, m.max)}};
}

/// Adds what means the same of a run, a phase and a group.
void add_scheduling(json& to, const totals& t) {
  const auto& s = t.sample;
  const auto fraction = t.conflict_fraction();
  to["tasks"] = tasks_json(s.tasks);
  to["conflicts"] = s.conflicts;
  to["conflicts_by_cause"] = causes_json(s);
  to["conflict_fraction"] = number_if(fraction.has_value(), fraction.value_or(0));
  to["scheduling_delay_s"] = delay_json(s);
  if (const auto n = below_zero(s.delay); n > 0)
    to["delays_below_zero"] = n;
  const bool told = s.waited > 0 || !(s.delay.sum() > 0); // a plugin's schedulers may not tell
  to["tasks_waiting"] = {{"mean", number_if(told && t.seconds > 0, s.waited / t.seconds)}};
  to["quality"] = {{"mean", number_if(s.quality.count > 0, s.quality.mean())},
                   {"stddev", number_if(s.quality.count > 0, s.quality.stddev())}};
}

void add_utilization(json& to, double mean, double max) {
  to["utilization"] = {{"mean", number(mean)}, {"max", number(max)}};
}

/// The resources that any machine has, by name.
json resources_json(const totals& t) {
  auto all = json::object();
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    const auto& use = t.resources[k];
    if (!(use.capacity > 0))
      continue;
    all[std::string(resource_name(static_cast<resource>(k)))] = {
      {"utilization",
       {{"mean", number(use.utilization())}, {"max", number(t.resource_utilization_max[k])}}},
      {"fragmentation",
       {{"mean", number_if(use.capacity > use.used, use.fragmentation())},
        {"max", number(t.fragmentation_max[k])}}}};
  }
  return all;
}

void add_staleness(json& to, const totals& t) {
  to["staleness_s"] = age_json(t.sample.age);
  to["placement_staleness_s"] = extremes_json(t.sample.placement_age);
}

json preemptions_json(const preemption_counts& p) {
  static constexpr const char* names[] = {"cpu_core_s", "memory_gib_s", "gpu_card_s", "slot_s"};
  static constexpr double units[] = {1000, 1024, 1000, 1};
  json out{{"tasks", p.tasks}, {"work_lost_s", seconds(p.ran)}};
  for (std::size_t k = 0; k < resource_kinds; ++k)
    out["lost"][names[k]] = number(p.work.amount[k] / units[k]);
  return out;
}

json sparrow_json(const sparrow_sample& s) {
  return {{"probes", s.probes},
          {"reservations", s.reservations},
          {"ratio", number_if(s.ratio.count > 0, s.ratio.mean())},
          {"requests", s.requests},
          {"noops", s.noops},
          {"cancellations", s.cancellations},
          {"stolen", s.stolen},
          {"launched", s.launched},
          {"started", s.started}};
}

json queues_json(const queue_counts& q) {
  return {{"launched", q.launched},
          {"steal_attempts", q.steal_attempts},
          {"steals", q.steals},
          {"stolen_entries", q.stolen}};
}

void add_work(json& to, const totals& t) {
  const auto& s = t.sample;
  to["oldest_partition_s"] = seconds(s.oldest_partition);
  to["jobs"] = {{"submitted", s.jobs_submitted},
                {"finished", s.jobs_finished},
                {"abandoned", s.attempts.jobs_abandoned},
                {"failed", s.jobs_failed}};
  to["job_response_s"] = response_json(s);
  to["busyness"] = number(t.busyness);
  to["commits"] = {{"sent", s.commits}, {"retransmitted", s.retransmits}};
  to["snapshots"] = s.snapshots;
  to["duplicate_grants"] = s.duplicate_grants;
  to["constraint_violations"] = s.constraint_violations;
  to["preemptions"] = preemptions_json(s.preempted);
  add_attempts(to, t);
  if (s.sparrow.launched + s.sparrow.reservations + s.sparrow.probes > 0)
    to["sparrow"] = sparrow_json(s.sparrow);
}

void add_offers(json& to, const offer_sample& s) {
  to["offers"] = {{"made", s.made},
                  {"accepted", s.accepted},
                  {"declined", s.declined},
                  {"timed_out", s.timed_out},
                  {"rescinded", s.rescinded},
                  {"locked", {{"mean", number(s.locked())}, {"max", number(s.locked_max)}}},
                  {"dominant_share", {{"mean", number(s.share())}, {"max", number(s.share_max)}}}};
}

json phases_json(const run_results& results) {
  auto rows = json::array();
  for (const auto& phase : results.phases)
    for (std::uint32_t g = 0; g < results.groups.size(); ++g) {
      const auto t = totals_between(results, phase.from, phase.to, g);
      json row{{"from_s", seconds(phase.from)},
               {"to_s", seconds(phase.to)},
               {"group", results.groups[g].name}};
      add_scheduling(row, t);
      add_utilization(row, t.utilization, t.utilization_max);
      row["resources"] = resources_json(t);
      add_staleness(row, t);
      add_work(row, t);
      if (results.has_offers)
        add_offers(row, t.offers);
      rows.push_back(std::move(row));
    }
  return rows;
}

json groups_json(const run_results& results) {
  auto rows = json::array();
  for (std::uint32_t g = 0; g < results.groups.size(); ++g) {
    const auto& group = results.groups[g];
    const auto t = totals_of(results, g);
    json row{{"name", group.name}, {"policy", group.policy}, {"schedulers", group.schedulers}};
    add_scheduling(row, t);
    add_staleness(row, t);
    add_work(row, t);
    if (results.has_offers)
      add_offers(row, t.offers);
    rows.push_back(std::move(row));
  }
  return rows;
}

json share_json(const share_totals& t) {
  return {{"mean", number(t.mean)}, {"max", number(t.max)}};
}

json tenants_json(const run_results& results) {
  auto rows = json::array();
  for (std::uint32_t t = 0; t < results.tenants.size(); ++t) {
    const auto& tenant = results.tenants[t];
    const auto share = share_between(results, t, instant::min(), instant::max());
    scheduler_sample sum;
    for (auto g : tenant.groups)
      sum.merge(totals_of(results, g).sample);
    json row{{"name", tenant.name},
             {"weight", number(tenant.weight)},
             {"min", number(tenant.min)},
             {"max", number(tenant.max)},
             {"share", share_json(share)},
             {"overshoot_max", number(std::max(share.max - tenant.max, 0.0))},
             {"tasks", tasks_json(sum.tasks)},
             {"scheduling_delay_s", delay_json(sum)},
             {"phases", json::array()}};
    for (const auto& phase : results.phases)
      row["phases"].push_back(
        {{"from_s", seconds(phase.from)},
         {"to_s", seconds(phase.to)},
         {"share", share_json(share_between(results, t, phase.from, phase.to))}});
    rows.push_back(std::move(row));
  }
  return rows;
}

json policy_changes_json(const run_results& results) {
  auto rows = json::array();
  for (const auto& change : results.policy_changes)
    rows.push_back({{"at_s", seconds(change.at)},
                    {"group", results.groups[change.group].name},
                    {"from", change.from},
                    {"to", change.to}});
  return rows;
}

json checks_json(const run_results& results) {
  auto rows = json::array();
  for (const auto& check : results.checks)
    rows.push_back({{"name", check.name}, {"passed", check.passed}, {"detail", check.detail}});
  return rows;
}

json host_json(const run_results& results, std::uint64_t placed) {
  const auto& host = results.host;
  const auto wall = host.wall_seconds;
  return {{"wall_seconds", number(wall)},
          {"cpu_seconds", number(host.cpu_seconds)},
          {"peak_memory_bytes", host.peak_memory_bytes},
          {"speed", ratio(in_seconds(results.simulated), wall)},
          {"tasks_per_second", ratio(static_cast<double>(placed), wall)},
          {"messages_per_second", ratio(static_cast<double>(results.messages), wall)},
          {"version", host.version}};
}

} // namespace

nlohmann::ordered_json summary_json(const run_results& results) {
  const auto total = totals_of(results);
  json out{{"format", results_format},
           {"name", results.name},
           {"architecture", results.architecture},
           {"policy", results.policy},
           {"clock", to_string(results.clock)},
           {"seed", results.seed},
           {"simulated_seconds", seconds(results.simulated)},
           {"interrupted", results.interrupted},
           {"machines", results.machines}};
  add_scheduling(out, total);
  add_utilization(out, total.utilization, results.utilization_max);
  out["resources"] = resources_json(total);
  add_staleness(out, total);
  add_work(out, total);
  if (results.has_offers)
    add_offers(out, results.offers);
  if (results.queues.machines > 0)
    out["queues"] = queues_json(results.queues);
  if (results.parallel)
    out["parallel_jobs"] = parallel_json(*results.parallel, total);
  out["messages"] = results.messages;
  out["skipped_rows"] = results.skipped_rows;
  if (results.moved > duration{0})
    out["trace_moved_s"] = json_number(to_seconds(results.moved));
  out["phases"] = phases_json(results);
  out["groups"] = groups_json(results);
  if (!results.failures.empty())
    out["failures"] = results.failures;
  if (!results.policy_changes.empty())
    out["policy_changes"] = policy_changes_json(results);
  if (!results.tenants.empty())
    out["tenants"] = tenants_json(results);
  out["checks"] = checks_json(results);
  out["host"] = host_json(results, total.sample.tasks.placed);
  return out;
}

std::string summary_text(const run_results& results) {
  // Names may hold bytes that are no UTF-8; they are replaced, not refused, at this late hour.
  return summary_json(results).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace troupe
