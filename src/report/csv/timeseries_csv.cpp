#include "report/csv/timeseries_csv.hpp"

#include "report/columns/columns.hpp"
#include "report/csv/csv_row.hpp"
#include "report/summary/totals.hpp"

#include <string_view>

namespace troupe {

namespace {

static_assert(resource_kinds == 4);

static_assert(conflict_causes == 4);

void add_tasks(csv_row& to, const task_counts& t) {
  for (auto n : {t.submitted, t.placed, t.finished, t.failed, t.lost, t.abandoned, t.queued,
                 t.in_commit, t.running})
    to.add(n);
}

void add_conflicts(csv_row& to, const scheduler_sample& s) {
  to.add(s.conflicts);
  for (auto n : s.conflicts_by_cause)
    to.add(n);
  const auto placed = static_cast<double>(s.tasks.placed);
  to.add(static_cast<double>(s.conflicts) / placed, placed > 0);
}

void add_delay(csv_row& to, const distribution& d) {
  for (auto x : {d.mean(), d.quantile(0.5), d.quantile(0.9), d.quantile(0.99), d.max()})
    to.add(x, !d.empty());
}

void add_resource_columns(csv_row& to, const resource_uses& uses) {
  for (const auto& use : uses) {
    to.add(use.utilization(), use.capacity > 0);
    to.add(use.fragmentation(), use.capacity > use.used);
  }
}

void add_staleness_columns(csv_row& to, const scheduler_sample& s) {
  for (auto x : {s.age.mean(), s.age.min, s.age.max})
    to.add(x, s.age.seconds > 0);
  to.add(s.placement_age.mean(), s.placement_age.count > 0);
}

/// Adds what the group's schedulers were offered; nothing where there was no allocator.
void add_offer_columns(csv_row& to, const offer_sample& s, bool any) {
  for (auto n : {s.made, s.accepted, s.declined, s.timed_out, s.rescinded})
    if (any)
      to.add(n);
    else
      to.add(std::string_view());
  for (auto x : {s.locked(), s.locked_max, s.share(), s.share_max})
    to.add(x, any);
}

void add_attempts(csv_row& to, const scheduler_sample& s) {
  const auto& a = s.attempts;
  to.add(a.jobs_abandoned);
  to.add(a.wait.mean(), !a.wait.empty());
  to.add(a.transactions);
  to.add(a.conflicted);
  to.add(s.conflicts + a.aborted);
  to.add(in_seconds(a.wasted) / in_seconds(s.busy), s.busy > duration::zero());
  to.add(a.diverted);
  const auto tries = a.tries();
  to.add(tries.mean(), !tries.empty());
}

/// The policy of a group's schedulers at an instant.
std::string policy_at(const run_results& results, std::uint32_t group, instant at) {
  std::string policy = group < results.groups.size() ? results.groups[group].policy : "";
  for (const auto& change : results.policy_changes)
    if (change.group == group && change.at <= at)
      policy = change.to;
  return policy;
}

} // namespace

void write_timeseries_header(std::ostream& out, bool policies) {
  csv_row header;
  for (const auto& c : timeseries_columns())
    header.add(c.name);
  if (policies)
    header.add(std::string_view("policy"));
  header.write(out);
}

void write_timeseries_row(std::ostream& out, const interval_record& record,
                          const run_results& results, bool policies) {
  const auto& s = record.sample;
  const auto known = record.group < results.groups.size();
  const auto scheduler_seconds =
    in_seconds(record.to - record.from) * (known ? results.groups[record.group].schedulers : 0);
  csv_row line;
  line.add(in_seconds(record.from));
  line.add(in_seconds(record.to));
  line.add(known ? std::string_view(results.groups[record.group].name) : std::string_view());
  add_tasks(line, s.tasks);
  add_conflicts(line, s);
  add_delay(line, s.delay);
  line.add(s.quality.mean(), s.quality.count > 0);
  line.add(s.quality.stddev(), s.quality.count > 0);
  line.add(record.utilization);
  add_staleness_columns(line, s);
  line.add(s.jobs_submitted);
  line.add(s.jobs_finished);
  line.add(s.job_response.mean(), !s.job_response.empty());
  line.add(in_seconds(s.busy) / scheduler_seconds, scheduler_seconds > 0);
  line.add(s.commits);
  line.add(s.retransmits);
  line.add(s.snapshots);
  add_offer_columns(line, record.offers, results.has_offers);
  line.add(s.preempted.tasks);
  line.add(in_seconds(s.preempted.ran));
  add_resource_columns(line, record.resources);
  add_attempts(line, s);
  line.add(s.waiting.mean(), !s.waiting.empty());
  line.add(s.waiting.max(), !s.waiting.empty());
  line.add(s.jobs_failed);
  line.add(s.waited / in_seconds(record.to - record.from), record.to > record.from);
  if (policies)
    line.add(std::string_view(policy_at(results, record.group, record.from)));
  line.write(out);
}

void write_timeseries(std::ostream& out, const run_results& results) {
  const bool changes = !results.policy_changes.empty();
  write_timeseries_header(out, changes);
  for (const auto& record : results.series)
    write_timeseries_row(out, record, results, changes);
}

} // namespace troupe
