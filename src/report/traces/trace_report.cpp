#include "report/traces/trace_report.hpp"

#include "report/json/json_number.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace troupe {

namespace {

/// As `fmt::print`, which would compile fmt's formatting in this file.
template <class... Args>
void print(std::ostream& out, fmt::format_string<Args...> text, Args&&... args) {
  out << fmt::vformat(text, fmt::make_format_args(args...));
}

using json = nlohmann::ordered_json;

constexpr std::size_t most_shapes = 10;
constexpr std::size_t most_constraints = 10;

constexpr const char* amount_names[] = {"cpu cores", "memory GiB", "gpu cards", "slots"};
constexpr const char* amount_keys[] = {"cpu", "memory_gib", "gpu", "slots"};

using counts = std::map<std::string, std::uint64_t>;

/// The counts, the greatest first.
std::vector<std::pair<std::string, std::uint64_t>> ordered(const counts& all) {
  std::vector<std::pair<std::string, std::uint64_t>> order{all.begin(), all.end()};
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.second > b.second; });
  return order;
}

void write_counts(std::ostream& out, std::string_view title, const counts& all,
                  std::size_t most = 1000) {
  if (all.empty())
    return;
  print(out, "\n{}\n", title);
  std::size_t n = 0;
  for (const auto& [what, count] : ordered(all)) {
    if (n++ == most) {
      print(out, "{:>14}  others\n", all.size() - most);
      break;
    }
    print(out, "{:>14}  {}\n", count_text(count), fit(what, 62));
  }
}

void write_quantiles(std::ostream& out, std::string_view name, const distribution& d,
                     bool whole = false) {
  if (d.empty())
    return;
  print(out, "{:<18}", name);
  for (double q : {0.0, 0.5, 0.9, 0.99, 1.0})
    print(out, "{:>10}", number_text(whole ? std::round(d.quantile(q)) : d.quantile(q)));
  print(out, "{:>10}\n", number_text(d.mean()));
}

void write_jobs(std::ostream& out, const trace_profile& p) {
  const auto span = to_seconds(p.last - p.first);
  print(out, "format            {}, {} rows, {:.1f} MB of text\n", to_string(p.format),
        count_text(p.rows), static_cast<double>(p.bytes) / 1e6);
  print(out, "jobs              {}\n", count_text(p.jobs));
  print(out, "tasks             {}\n", count_text(p.tasks));
  print(out, "submitted         {} to {}, {} in between\n", seconds_text(to_seconds(p.first)),
        seconds_text(to_seconds(p.last)), seconds_text(span));
  if (p.first >= std::chrono::seconds{1})
    print(out, "a run begins      with the first submission, unless keep_times is set\n");
  if (span > 0)
    print(out, "rate              {} jobs/s, {} tasks/s\n",
          number_text(static_cast<double>(p.jobs) / span),
          number_text(static_cast<double>(p.tasks) / span));
  print(out, "peak              {} tasks in one second, {} in one minute\n",
        count_text(p.peak_second), count_text(p.peak_minute));
  print(out, "work              {} task-hours\n", number_text(p.task_seconds / 3600));
  const auto some = [&](std::uint64_t n, const char* what) {
    if (n > 0)
      print(out, "{:<18}{}\n", what, count_text(n));
  };
  some(p.gangs, "gangs");
  some(p.spreading, "keep apart");
  some(p.dependent_jobs, "jobs with a DAG");
  some(p.constrained_tasks, "constrained tasks");
  print(out, "\n{:<18}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "", "min", "p50", "p90", "p99",
        "max", "mean");
  write_quantiles(out, "inter-arrival s", p.of.interarrival);
  write_quantiles(out, "tasks per job", p.of.tasks, true);
  write_quantiles(out, "duration s", p.of.duration);
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (p.of.requests[k].max() > 0)
      write_quantiles(out, amount_names[k], p.of.requests[k]);
  if (p.asking_jobs == 0)
    print(out, "requests          none in the trace; those of [workload] are used\n");
  if (p.tasks_by_priority.size() > 1) {
    counts by_priority;
    for (const auto& [priority, n] : p.tasks_by_priority)
      by_priority[std::to_string(priority)] = n;
    write_counts(out, "tasks by priority", by_priority);
  }
  write_counts(out, "tasks by constraint", p.constraints, most_constraints);
  write_counts(out, "rows by event", p.events);
  write_counts(out, "left out", p.skipped);
  if (p.malformed > 0)
    print(out, "\n{} rows are malformed; the first one is\n{}\n", count_text(p.malformed),
          p.first_malformed);
}

counts shapes_of(const machine_table& m) {
  counts shapes;
  for (const auto& machine : m.machines) {
    const auto& has = machine.at_begin.is_zero() ? machine.greatest : machine.at_begin;
    std::string text;
    for (std::size_t k = 0; k < resource_kinds; ++k)
      if (has.amount[k] > 0)
        text += (text.empty() ? "" : ", ") + std::string{amount_names[k]} + " " +
                number_text(amount_of(has, k));
    for (const auto& [attribute, value] : m.kinds[machine.kind].attributes)
      text += ", " + attribute + " " + value.substr(0, 12);
    ++shapes[text];
  }
  return shapes;
}

void write_machines(std::ostream& out, const machine_table& m) {
  print(out, "machines          {}, {} there at the beginning, {} rows\n",
        count_text(m.machines.size()), count_text(m.present()), count_text(m.rows));
  if (!m.changes.empty())
    print(out, "later             {} join, {} leave, {} change their capacity, until {}\n",
          count_text(m.joins), count_text(m.leaves), count_text(m.resizes),
          seconds_text(to_seconds(m.changes.back().at)));
  write_counts(out, "machines by shape", shapes_of(m), most_shapes);
  write_counts(out, "rows by event", m.events);
  write_counts(out, "left out", m.skipped);
}

json quantiles(const distribution& d) {
  json all;
  if (d.empty())
    return all;
  all["count"] = d.count();
  all["mean"] = json_number(d.mean());
  constexpr std::pair<const char*, double> levels[] = {{"min", 0},   {"p10", 0.1},  {"p50", 0.5},
                                                       {"p90", 0.9}, {"p99", 0.99}, {"max", 1}};
  for (const auto& [name, q] : levels)
    all[name] = json_number(d.quantile(q));
  return all;
}

json jobs_json(const trace_profile& p) {
  json out{{"format", to_string(p.format)},
           {"rows", p.rows},
           {"bytes", p.bytes},
           {"jobs", p.jobs},
           {"tasks", p.tasks},
           {"first_s", json_number(to_seconds(p.first))},
           {"last_s", json_number(to_seconds(p.last))},
           {"task_seconds", json_number(p.task_seconds)},
           {"peak_tasks", {{"second", p.peak_second}, {"minute", p.peak_minute}}},
           {"gangs", p.gangs},
           {"spreading_jobs", p.spreading},
           {"dependent_jobs", p.dependent_jobs},
           {"constrained_tasks", p.constrained_tasks}};
  auto& q = out["quantiles"];
  q["interarrival_s"] = quantiles(p.of.interarrival);
  q["tasks_per_job"] = quantiles(p.of.tasks);
  q["duration_s"] = quantiles(p.of.duration);
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (p.of.requests[k].max() > 0)
      q[amount_keys[k]] = quantiles(p.of.requests[k]);
  out["tasks_by_priority"] = json::object();
  for (const auto& [priority, n] : p.tasks_by_priority)
    out["tasks_by_priority"][std::to_string(priority)] = n;
  out["constraints"] = p.constraints;
  out["rows_by_event"] = p.events;
  out["skipped"] = p.skipped;
  out["malformed"] = p.malformed;
  return out;
}

json machines_json(const machine_table& m) {
  return {{"machines", m.machines.size()},
          {"present", m.present()},
          {"joins", m.joins},
          {"leaves", m.leaves},
          {"resizes", m.resizes},
          {"rows", m.rows},
          {"rows_by_event", m.events},
          {"shapes", shapes_of(m)},
          {"skipped", m.skipped}};
}

} // namespace

void write_trace_table(std::ostream& out, const trace_contents& what) {
  print(out, "trace             {}\n", what.path);
  if (what.jobs)
    write_jobs(out, *what.jobs);
  if (what.jobs && what.machines)
    print(out, "\n");
  if (what.machines)
    write_machines(out, *what.machines);
}

json trace_json(const trace_contents& what) {
  json out{{"path", what.path}};
  if (what.jobs)
    out["workload"] = jobs_json(*what.jobs);
  if (what.machines)
    out["cluster"] = machines_json(*what.machines);
  return out;
}

void write_fit_table(std::ostream& out, const trace_fit& fit) {
  print(out, "{} jobs of the trace, {} generated by the workload\n\n", count_text(fit.jobs),
        count_text(fit.generated));
  print(out, "{:<18}{:>9}{:>13}{:>13}{:>13}{:>13}\n", "", "distance", "median", "fitted", "mean",
        "fitted");
  for (const auto& d : fit.distances)
    print(out, "{:<18}{:>9.4f}{:>13}{:>13}{:>13}{:>13}\n", d.quantity, d.distance,
          number_text(d.trace_median), number_text(d.fit_median), number_text(d.trace_mean),
          number_text(d.fit_mean));
  if (fit.requests > 0)
    print(out, "\n{} of {} different requests are kept, those of {} of the tasks\n",
          count_text(fit.settings.workload.requests.size()), count_text(fit.requests),
          percent_text(fit.requests_kept));
  for (const auto& what : fit.left_out)
    print(out, "{}not in the workload: {}\n", &what == &fit.left_out.front() ? "\n" : "", what);
}

json fit_json(const trace_fit& fit) {
  json out{{"jobs", fit.jobs}, {"generated", fit.generated}};
  for (const auto& d : fit.distances)
    out["distances"].push_back({{"quantity", d.quantity},
                                {"ks_distance", json_number(d.distance)},
                                {"median", json_number(d.trace_median)},
                                {"fitted_median", json_number(d.fit_median)},
                                {"mean", json_number(d.trace_mean)},
                                {"fitted_mean", json_number(d.fit_mean)}});
  out["requests"] = fit.requests;
  out["requests_kept"] = json_number(fit.requests_kept);
  out["left_out"] = fit.left_out;
  return out;
}

} // namespace troupe
