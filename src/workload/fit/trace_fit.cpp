#include "workload/fit/trace_fit.hpp"

#include "workload/fit/fit_tables.hpp"
#include "workload/fit/ks_distance.hpp"
#include "workload/generate/factory.hpp"
#include "workload/traces/trace_reader.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

namespace {

constexpr std::size_t most_fitted_requests = 256;
constexpr std::size_t most_shapes = 64;
constexpr std::uint64_t most_generated = 200'000;
constexpr double aimed_utilization = 0.6;

/// The counts of a trace, to which a workload is fitted.
struct counted {
  job_distributions of;
  distribution longest; ///< task of each job, s
  std::uint64_t jobs = 0;
  std::uint64_t jobs_alike = 0; ///< of several tasks that all take equally long
  std::uint64_t jobs_of_many = 0;
  std::uint64_t gangs = 0;
  std::uint64_t spreading = 0;
  std::uint64_t dependent = 0;
  std::uint64_t with_tenant = 0;
  std::uint64_t with_preceding = 0;
  bool asks = false;
  std::map<std::int32_t, std::uint64_t> priorities;
  request_counter requests;
  instant first{0};         ///< submission
  rate_histogram over_time; ///< submissions since then
};

void count(counted& c, const trace_job& job) {
  if (c.jobs == 0)
    c.first = job.submitted;
  ++c.jobs;
  c.of.add(job.submitted, job.groups);
  c.over_time.add(job.submitted - c.first);
  c.gangs += job.gang;
  c.spreading += job.spread;
  c.with_tenant += !job.tenant.empty();
  c.with_preceding += job.preceding != trace_job::none;
  c.asks = c.asks || job.asks;
  c.priorities[job.priority] += job.task_count();
  const auto first = job.groups.front().durations.front();
  duration longest{0};
  bool alike = true;
  bool depends = false;
  for (const auto& g : job.groups) {
    c.requests.add(g);
    depends = depends || !g.after.empty();
    for (auto d : g.durations) {
      alike = alike && d == first;
      longest = std::max(longest, d);
    }
  }
  c.dependent += depends;
  c.longest.add(to_seconds(longest));
  if (job.task_count() > 1) {
    ++c.jobs_of_many;
    c.jobs_alike += alike;
  }
}

/// Phases that cover all submissions, each with about as many jobs as any other and at least one,
/// with the trace's rate of tasks in each.
std::vector<phase_settings> fit_phases(const counted& c, std::uint32_t wanted, double mean_tasks) {
  const auto& counts = c.over_time.counts();
  std::vector<phase_settings> phases;
  std::uint64_t jobs = 0;
  std::uint64_t done = 0;
  std::size_t from = 0;
  const auto close = [&](std::size_t to) {
    if (to == from)
      return;
    const auto length = c.over_time.width() * static_cast<std::int64_t>(to - from);
    phases.push_back({length, static_cast<double>(jobs) * mean_tasks / to_seconds(length), 0});
    done += jobs;
    jobs = 0;
    from = to;
  };
  for (std::size_t at = 0; at < counts.size(); ++at) {
    const auto due = c.jobs * (phases.size() + 1) / wanted;
    if (jobs > 0 && done + jobs + counts[at] > due) // ahead of a burst, not behind it
      close(at);
    jobs += counts[at];
    if (jobs > 0 && done + jobs >= c.jobs * (phases.size() + 1) / wanted)
      close(at + 1);
  }
  close(counts.size());
  return phases;
}

double greatest_rate(const std::vector<phase_settings>& phases) {
  double rate = 0;
  for (const auto& p : phases)
    rate = std::max(rate, p.rate);
  return rate;
}

/// Machines of 16 times what a task asks for on average, at least what any asks for.
void fit_cluster(const counted& c, double rate, cluster_settings& cluster) {
  const double running = rate * c.of.duration.mean();
  const auto ask = [&](std::size_t k) { return c.of.requests[k].mean(); };
  const auto has = [&](std::size_t k) {
    return std::ceil(std::max(16 * ask(k), c.of.requests[k].max()));
  };
  double machines = 1;
  if (c.asks) {
    auto& shape = cluster.classes.emplace_back();
    shape.cpu = has(0);
    shape.memory = has(1);
    shape.gpu = has(2);
    shape.slots = static_cast<std::int32_t>(has(3));
    for (std::size_t k = 0; k < resource_kinds; ++k)
      if (ask(k) > 0)
        machines = std::max(machines, running * ask(k) / has(k) / aimed_utilization);
  } else {
    machines = running / cluster.slots / aimed_utilization;
  }
  cluster.machines = static_cast<std::uint32_t>(std::clamp(std::ceil(machines), 10.0, 1e6));
}

void fit_workload(const counted& c, std::uint32_t phases, workload_settings& workload,
                  trace_fit& fit) {
  workload.kind = workload_kind::phases;
  workload.arrivals = arrival_kind::poisson;
  workload.tasks_per_job = quantile_table(c.of.tasks);
  workload.duration_per_job = 2 * c.jobs_alike > c.jobs_of_many;
  workload.duration = quantile_table(workload.duration_per_job ? c.longest : c.of.duration);
  workload.gang = 2 * c.gangs > c.jobs;
  workload.spread = 2 * c.spreading > c.jobs;
  const auto most =
    std::ranges::max_element(c.priorities, {}, [](const auto& p) { return p.second; });
  workload.priority = most->first;
  if (c.asks) {
    workload.requests = c.requests.most_frequent(most_fitted_requests);
    for (const auto& r : workload.requests)
      fit.requests_kept += r.weight;
    fit.requests = c.requests.kinds();
  }
  workload.phases = fit_phases(c, phases, mean_tasks_per_job(workload));
  if (c.dependent > 0)
    fit.left_out.push_back("dependencies between tasks");
  if (c.with_tenant > 0)
    fit.left_out.push_back("the tenants of jobs");
  if (c.with_preceding > 0)
    fit.left_out.push_back("the preceding jobs of jobs, and think times");
  if (c.priorities.size() > 1)
    fit.left_out.push_back("all priorities but the most frequent");
  if (c.spreading > 0 && !workload.spread)
    fit.left_out.push_back("jobs whose tasks keep apart");
  if (c.gangs > 0 && c.gangs < c.jobs)
    fit.left_out.push_back("which jobs are gangs");
}

/// The machines that are there at the beginning or, if there are none, when the most are.
void fit_machines(machine_table machines, cluster_settings& cluster, trace_fit& fit) {
  if (!machines.changes.empty())
    fit.left_out.push_back("machines that join, leave and change");
  if (machines.present() == 0) {
    const auto most = machines.at_most_present();
    for (std::size_t i = 0; i < most.size(); ++i)
      machines.machines[i].at_begin = most[i];
    fit.left_out.push_back("the beginning, at which the trace has no machine (the workload has the "
                           "greatest number that is there at a time)");
  }
  cluster.machines = static_cast<std::uint32_t>(machines.present());
  cluster.classes = machine_shapes(machines, most_shapes);
}

/// Machines that were made up have no attributes that a task could ask for.
void drop_constraints(workload_settings& workload, trace_fit& fit) {
  bool any = false;
  for (auto& r : workload.requests) {
    any = any || !r.constraints.empty();
    r.constraints.clear();
  }
  if (any)
    fit.left_out.push_back("constraints, as there is no table of machines to say what these are");
}

fit_distance compare(std::string quantity, const distribution& trace, const distribution& fit) {
  return {std::move(quantity), ks_distance(trace, fit),
          trace.quantile(0.5), fit.quantile(0.5),
          trace.mean(),        fit.mean()};
}

void measure(const counted& c, std::uint64_t seed, trace_fit& fit) {
  const auto source =
    make_job_source(fit.settings.workload, 1, 1, random_stream::derive(seed, "workload", 0));
  job_distributions made;
  for (auto job = source->next(); job && fit.generated < most_generated; job = source->next()) {
    made.add(job->submitted, job->groups);
    ++fit.generated;
  }
  fit.distances.push_back(compare("inter-arrival s", c.of.interarrival, made.interarrival));
  fit.distances.push_back(compare("tasks per job", c.of.tasks, made.tasks));
  fit.distances.push_back(compare("duration s", c.of.duration, made.duration));
  constexpr const char* names[] = {"cpu cores", "memory GiB", "gpu cards", "slots"};
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (c.asks && c.of.requests[k].max() > 0)
      fit.distances.push_back(compare(names[k], c.of.requests[k], made.requests[k]));
}

} // namespace

trace_fit fit_trace(const std::string& path, const trace_settings& settings,
                    const std::optional<machine_table>& machines, std::uint32_t phases,
                    std::uint64_t seed) {
  counted c;
  const auto reader = open_sorted_trace(path, settings);
  trace_job job;
  while (reader->next(job))
    count(c, job);
  trace_fit fit;
  fit.jobs = c.jobs;
  auto& s = fit.settings;
  s.name = "fit";
  s.workload.trace = {};
  fit_workload(c, phases, s.workload, fit);
  if (machines) {
    fit_machines(*machines, s.cluster, fit);
  } else {
    fit_cluster(c, greatest_rate(s.workload.phases), s.cluster);
    drop_constraints(s.workload, fit);
  }
  if (c.asks) {
    s.cluster.unit_cpu = c.of.requests[0].quantile(0.5);
    s.cluster.unit_memory = c.of.requests[1].quantile(0.5);
  }
  s.cluster.partitions = std::clamp(s.cluster.machines / 10, 1U, 100U);
  s.cluster.owners = std::min(s.cluster.partitions, 10U);
  s.schedulers = 10;
  s.interval = std::chrono::seconds{10};
  measure(c, seed, fit);
  return fit;
}

} // namespace troupe
