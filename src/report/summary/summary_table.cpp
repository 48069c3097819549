#include "report/summary/summary_table.hpp"

#include "model/metrics/kaplan_meier.hpp"
#include "report/summary/below_zero.hpp"
#include "report/summary/censored_json.hpp"
#include "report/summary/parallel_json.hpp"
#include "report/summary/totals.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace troupe {

namespace {

constexpr std::size_t page = 80;
constexpr std::size_t label_width = 20;
constexpr std::size_t value_width = 12;

std::string left(std::string_view text, std::size_t width) {
  auto result = fit(text, width);
  return result.append(width - columns(result), ' ');
}

std::string right(std::string_view text, std::size_t width) {
  const auto result = fit(text, width);
  return std::string(width - columns(result), ' ') + result;
}

void write_row(std::ostream& out, std::string_view label, const std::vector<std::string>& values) {
  out << left(label, label_width);
  for (const auto& value : values)
    out << right(value, value_width);
  out << '\n';
}

/// Writes a label and a text beside it, over several lines if need be.
void write_text(std::ostream& out, std::string_view label, std::string_view text) {
  for (const auto& line : wrap(fit(text, text.size()), page - label_width)) {
    out << left(label, label_width) << line << '\n';
    label = "";
  }
}

std::string number_of(std::uint64_t n, std::string_view what) {
  return count_text(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const auto& part : parts)
    result += (result.empty() ? "" : ", ") + part;
  return result;
}

std::string fraction_text(const totals& t) {
  const auto fraction = t.conflict_fraction();
  return fraction ? percent_text(*fraction) : "-";
}

/// Marks a lower bound.
std::string at_least(bool bound, double x) {
  return (bound ? "≥ " : "") + seconds_text(x);
}

std::string mean_text(const kaplan_meier& of) {
  return of.empty() ? "-" : at_least(of.mean_is_bound(), of.mean());
}

std::string quantile_text(const kaplan_meier& of, double q) {
  return of.empty() ? "-" : at_least(of.quantile_is_bound(q), of.quantile(q));
}

std::vector<std::string> delay_values(const kaplan_meier& of) {
  return {mean_text(of), quantile_text(of, 0.5), quantile_text(of, 0.9), quantile_text(of, 0.99),
          quantile_text(of, 1)};
}

/// Returns "745 wait, for 60.1 s in the mean, 119 s at most", or nothing if there are none.
std::string ages_text(const distribution& ages, std::string_view what) {
  if (ages.empty())
    return "";
  return fmt::format("{} {}, for {} in the mean, {} at most", count_text(ages.count()), what,
                     seconds_text(ages.mean()), seconds_text(ages.max()));
}

/// Writes which cases that were not over the figures above include.
void write_censored(std::ostream& out, std::string_view label, const std::string& open,
                    const std::string& ended_otherwise) {
  auto text = open;
  if (!ended_otherwise.empty())
    text += (text.empty() ? "" : "; ") + ended_otherwise;
  if (!text.empty())
    write_text(out, label, text + " (included above as censored)");
}

void write_heading(std::ostream& out, const run_results& results) {
  std::uint64_t schedulers = 0;
  for (const auto& group : results.groups)
    schedulers += group.schedulers;
  auto cluster = number_of(results.machines, "machine") + ", " + number_of(schedulers, "scheduler");
  if (results.groups.size() > 1)
    cluster += " in " + number_of(results.groups.size(), "group");
  // A scheduler of a plugin is both.
  const auto how = results.architecture == results.policy
                     ? results.policy
                     : results.architecture + ", " + results.policy;
  write_text(out, "Run",
             fmt::format("{}: {}, {} time, seed {}", results.name, how, name_of(results.clock),
                         results.seed));
  write_text(out, "Cluster", cluster);
  const auto length = in_seconds(results.simulated);
  const auto wall = results.host.wall_seconds;
  auto time = seconds_text(length);
  if (results.clock != clock_kind::real_time) {
    time += " simulated in " + seconds_text(wall);
    if (wall > 0)
      time += ", " + compact_text(length / wall) + " times real time";
  }
  write_text(out, "Time", time);
  if (results.interrupted)
    write_text(out, "", "interrupted: the figures are those until then");
}

void write_tasks(std::ostream& out, const totals& t) {
  const auto& tasks = t.sample.tasks;
  write_row(out, "", {"submitted", "placed", "finished", "queued", "running"});
  write_row(out, "Tasks",
            {count_text(tasks.submitted), count_text(tasks.placed), count_text(tasks.finished),
             count_text(tasks.queued), count_text(tasks.running)});
  if (t.sample.jobs_submitted > 0)
    write_row(out, "Jobs",
              {count_text(t.sample.jobs_submitted), "", count_text(t.sample.jobs_finished)});
  std::vector<std::string> others;
  if (tasks.in_commit > 0)
    others.push_back(count_text(tasks.in_commit) + " in commit");
  if (tasks.failed > 0)
    others.push_back(count_text(tasks.failed) + " failed");
  if (tasks.lost > 0)
    others.push_back(count_text(tasks.lost) + " lost");
  if (tasks.abandoned > 0)
    others.push_back(
      count_text(tasks.abandoned) + " abandoned" +
      (t.sample.attempts.jobs_abandoned > 0
         ? " of " + number_of(t.sample.attempts.jobs_abandoned, "job")
         : "") +
      (t.sample.attempts.gangs_impossible > 0
         ? " (" + number_of(t.sample.attempts.gangs_impossible, "gang") + " that could never start)"
         : ""));
  if (!others.empty())
    write_text(out, "Other tasks", joined(others));
  if (const auto n = t.sample.attempts.unplaceable; n > 0)
    write_text(out, "Unplaceable",
               number_of(n, "task") + " abandoned, as no machine that " +
                 (n == 1 ? "its scheduler" : "their schedulers") +
                 " may use has the room or the attributes");
  if (t.sample.jobs_failed > 0)
    write_text(out, "Other jobs", count_text(t.sample.jobs_failed) + " failed");
}

void write_conflicts(std::ostream& out, const totals& t) {
  const auto& s = t.sample;
  auto text = count_text(s.conflicts);
  if (t.conflict_fraction())
    text += ", " + fraction_text(t) + " of the placements";
  std::vector<std::string> causes;
  for (std::size_t i = 0; i < conflict_causes; ++i)
    if (s.conflicts_by_cause[i] > 0)
      causes.push_back(count_text(s.conflicts_by_cause[i]) + " " +
                       to_string(static_cast<conflict_cause>(i)));
  if (!causes.empty())
    text += ": " + joined(causes);
  write_text(out, "Conflicts", text);
  const auto& a = s.attempts;
  if (a.conflicted == 0)
    return;
  const auto wasted = s.conflicts + a.aborted;
  auto waste =
    percent_text(static_cast<double>(wasted) / static_cast<double>(s.tasks.placed + wasted)) +
    " of the decisions";
  if (s.busy > duration::zero())
    waste +=
      ", " + percent_text(in_seconds(a.wasted) / in_seconds(s.busy)) + " of the time for them";
  if (a.aborted > 0)
    waste += "; " + count_text(a.aborted) + " aborted with another one";
  write_text(out, "Wasted", waste);
}

/// Writes how the resources were used where machines have several kinds.
void write_resources(std::ostream& out, const totals& t) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (const auto& use = t.resources[k]; use.capacity > 0)
      lines.push_back(fmt::format(
        "{} {} in use, {} of the rest stranded", resource_name(static_cast<resource>(k)),
        percent_text(use.utilization()), percent_text(use.fragmentation())));
  if (lines.size() < 2)
    return;
  std::string_view label = "Resources";
  for (const auto& line : lines) {
    write_text(out, label, line);
    label = "";
  }
}

std::vector<std::string> values_of(const distribution& of, std::string (*text)(double)) {
  if (of.empty())
    return std::vector<std::string>(5, "-");
  return {text(of.mean()), text(of.quantile(0.5)), text(of.quantile(0.9)), text(of.quantile(0.99)),
          text(of.max())};
}

void write_parallel(std::ostream& out, const parallel_jobs& jobs, const totals& t) {
  write_row(out, "Job wait", values_of(jobs.all().wait, seconds_text));
  write_row(out, "Bounded slowdown", values_of(jobs.all().slowdown, number_text));
  if (jobs.open() > 0)
    write_text(out, "", number_of(jobs.open(), "open job") + " left out of these two");
  const auto processors = processors_of(jobs, t);
  const auto use = processors ? jobs.use(processors->amount) : std::nullopt;
  if (!use || !(use->seconds > 0))
    return;
  write_text(out, "Makespan",
             fmt::format("{}, {} of the processor time used, {} lost while a job waited that "
                         "would have fitted, {} while any job waited",
                         seconds_text(use->seconds), percent_text(use->busy),
                         percent_text(use->lost), percent_text(use->idle_while_waiting)));
}

void write_measures(std::ostream& out, const run_results& results, const totals& t) {
  const auto& s = t.sample;
  write_row(out, "", {"mean", "p50", "p90", "p99", "max"});
  const auto waits = censored_delays(s);
  const auto others = censored_responses(s);
  write_row(out, "Scheduling delay", delay_values({s.delay, waits}));
  if (!s.job_response.empty() || !others.empty())
    write_row(out, "Job response", delay_values({s.job_response, others}));
  write_censored(out, "Tasks not placed", ages_text(s.waiting, "wait"),
                 ages_text(s.given_up, "were given up"));
  write_censored(out, "Jobs not finished", ages_text(s.open_jobs, "are open"),
                 ages_text(s.broken_jobs, "ended otherwise"));
  if (const auto n = below_zero(s.delay); n > 0)
    write_text(out, "",
               count_text(n) + " delays below zero, the least " + seconds_text(s.delay.min()) +
                 ": the clocks of hosts differ");
  if (results.parallel)
    write_parallel(out, *results.parallel, t);
  out << '\n';
  write_conflicts(out, t);
  if (s.quality.count > 0)
    write_text(out, "Quality",
               fmt::format("mean {}, standard deviation {}", number_text(s.quality.mean()),
                           number_text(s.quality.stddev())));
  write_text(out, "Utilization",
             fmt::format("mean {}, max {}", percent_text(t.utilization),
                         percent_text(results.utilization_max)));
  write_resources(out, t);
  if (s.age.seconds > 0)
    write_text(out, "View staleness",
               fmt::format("mean {}, from {} to {}", seconds_text(s.age.mean()),
                           seconds_text(s.age.min), seconds_text(s.age.max)));
  if (results.messages > 0)
    write_text(out, "Messages", count_text(results.messages));
  std::vector<std::string> skipped;
  for (const auto& [reason, n] : results.skipped_rows)
    skipped.push_back(count_text(n) + " " + reason);
  if (!skipped.empty())
    write_text(out, "Skipped rows", joined(skipped));
  if (results.moved >= std::chrono::seconds{1})
    write_text(out, "Trace",
               "starts with its first job, " + seconds_text(to_seconds(results.moved)) +
                 " after the beginning of the window; workload.trace.keep_times = true keeps "
                 "the times");
}

std::string phase_text(const phase_info& phase) {
  const auto to = in_seconds(phase.to);
  const auto hours = to >= 100'000;
  const auto unit = hours ? 3600.0 : 1.0;
  return fmt::format("{:.5g}-{:.5g} {}", in_seconds(phase.from) / unit, to / unit,
                     hours ? "h" : "s");
}

void write_phases(std::ostream& out, const run_results& results) {
  if (results.phases.size() * results.groups.size() < 2)
    return;
  const auto line = [&out](const std::vector<std::string>& cells) {
    static constexpr std::size_t widths[] = {15, 10, 12, 10, 9, 9, 8, 7};
    for (std::size_t i = 0; i < cells.size(); ++i)
      out << (i < 2 ? left(cells[i], widths[i] - 1) + " " : right(cells[i], widths[i]));
    out << '\n';
  };
  out << '\n';
  line({"Phase", "Group", "Placed", "Conflicts", "Delay", "p99", "Quality", "In use"});
  for (const auto& phase : results.phases)
    for (std::uint32_t g = 0; g < results.groups.size(); ++g) {
      const auto t = totals_between(results, phase.from, phase.to, g);
      const auto& s = t.sample;
      const auto waits = censored_delays(s);
      const kaplan_meier delay{s.delay, waits};
      line({phase_text(phase), results.groups[g].name, count_text(s.tasks.placed), fraction_text(t),
            mean_text(delay), quantile_text(delay, 0.99),
            s.quality.count == 0 ? "-" : number_text(s.quality.mean()),
            percent_text(t.utilization)});
    }
}

void write_checks(std::ostream& out, const run_results& results) {
  if (results.checks.empty())
    return;
  out << "\nSelf-checks\n";
  for (const auto& check : results.checks) {
    const auto text = check.detail.empty() ? check.name : check.name + ": " + check.detail;
    std::string_view mark = check.passed ? "PASS" : "FAIL";
    for (const auto& line : wrap(fit(text, text.size()), page - 8)) {
      out << fmt::format("  {:<6}{}\n", mark, line);
      mark = "";
    }
  }
}

} // namespace

void write_summary(std::ostream& out, const run_results& results) {
  const auto total = totals_of(results);
  write_heading(out, results);
  out << '\n';
  write_tasks(out, total);
  out << '\n';
  write_measures(out, results, total);
  write_phases(out, results);
  write_checks(out, results);
}

} // namespace troupe
