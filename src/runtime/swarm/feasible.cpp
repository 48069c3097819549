#include "runtime/swarm/feasible.hpp"

#include "model/jobs/constraint.hpp"
#include "runtime/cluster/build_catalog.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/swarm/swarm_files.hpp"
#include "runtime/time/endless.hpp"
#include "workload/generate/sampler.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr double most_seconds = 90;  ///< longest work of any machine or scheduler
constexpr double most_tasks = 3'000; ///< most tasks of a run

constexpr const char* never_together =
  "tasks that the machines cannot run together wait for ever in a cluster that grows";

/// Limits of the demands of a group's tasks.
struct asked_task {
  resources demand;
  std::vector<constraint> constraints;
};

std::vector<asked_task> requests_of(const workload_settings& w) {
  const auto as_asked = [&](const request_settings& r) {
    asked_task a{to_resources(r.cpu, r.memory, r.gpu, r.slots), {}};
    if (a.demand.is_zero())
      a.demand = resources::of_slots(1);
    for (const auto* texts : {&w.constraints, &r.constraints})
      for (const auto& text : *texts)
        a.constraints.push_back(parse_constraint(text));
    return a;
  };
  if (w.requests.empty())
    return {as_asked({1, w.cpu, w.memory, w.gpu, w.slots, {}})};
  std::vector<asked_task> all;
  for (const auto& r : w.requests)
    all.push_back(as_asked(r));
  return all;
}

class feasibility {
public:
  explicit feasibility(const run_settings& s) : s_(s), machines_(build_machines(s).machines) {}

  std::string why_not() {
    std::uint32_t first = 0;
    for (const auto& group : s_.groups) {
      const auto n = s_.pool > 0 ? s_.pool : group.schedulers;
      const auto& by = s_.pool > 0 ? s_.scheduler : group.scheduler;
      if (auto why = why_not(group, by, first, n); !why.empty())
        return why;
      first += s_.pool > 0 ? 0 : n;
    }
    return machine_seconds_ > most_seconds ? "too much work for the machines" : why_endless(s_);
  }

private:
  std::string why_not(const group_settings& group, const scheduler_settings& by,
                      std::uint32_t first, std::uint32_t schedulers) {
    const auto& w = group.workload;
    if (w.kind == workload_kind::lublin || w.kind == workload_kind::trace)
      return why_not_parallel(w, by, first, schedulers);
    const auto most = w.tasks_per_job.kind == distribution_kind::fixed ? w.tasks_per_job.value
                                                                       : w.tasks_per_job.max;
    const auto together = w.gang ? std::max(1.0, std::ceil(most)) : 1;
    const auto mean = sampler{w.tasks_per_job}.mean_count();
    const auto jobs = jobs_of(group, mean);
    if (jobs * mean > most_tasks)
      return "too many tasks";
    if (jobs / schedulers * (to_seconds(by.t_job) + mean * to_seconds(by.t_task)) > most_seconds)
      return "too many decisions for the schedulers";
    if (auto why = why_no_offers(by, together, jobs * mean / schedulers); !why.empty())
      return why;
    for (const auto& a : requests_of(w)) {
      for (auto k = first; k < first + schedulers; ++k) {
        const auto places = places_for(a, w, by, first, k);
        if (places == 0 && probed(group, s_))
          return "no machine for a task of a scheduler that probes";
        if (s_.chaos.growth && (places < together || (w.gang && most < 1)))
          return never_together;
        if (s_.chaos.growth && exceeds_maximum(a.demand, together, w, by, k))
          return "more than the maximum of a tenant";
        if (places > 0) // otherwise the tasks are abandoned
          machine_seconds_ +=
            jobs * mean / schedulers * (sampler{w.duration}.mean() + turnaround()) / places;
      }
    }
    return {};
  }

  /// The jobs of the model and of the log have a known load; those that are too wide are abandoned.
  std::string why_not_parallel(const workload_settings& w, const scheduler_settings& by,
                               std::uint32_t first, std::uint32_t schedulers) {
    constexpr double mean_runtime = 10'000; // of the model, in s, and more than that
    constexpr double log_seconds = 400;     // of all tasks of the log
    const auto asked = requests_of(w);
    const auto widest = w.kind == workload_kind::trace ? widest_swarm_job : w.lublin.processors;
    for (auto k = first; s_.chaos.growth && k < first + schedulers; ++k)
      if (std::ranges::any_of(asked,
                              [&](auto& a) { return places_for(a, w, by, first, k) < widest; }))
        return never_together;
    for (auto k = first; s_.chaos.growth && k < first + schedulers; ++k)
      if (std::ranges::any_of(asked, [&](auto& a) {
            return exceeds_maximum(a.demand, static_cast<double>(widest), w, by, k);
          }))
        return "more than the maximum of a tenant";
    double places = 0;
    for (machine_id m = 0; m < machines_.machines(); ++m)
      places += times_fitting(machines_.machine(m).capacity, asked.front().demand);
    if (w.kind == workload_kind::trace) {
      machine_seconds_ += log_seconds / w.trace.duration_speedup / std::max(places, 1.0);
      return {};
    }
    const auto jobs = static_cast<double>(w.jobs);
    const auto tasks = jobs * w.lublin.processors / 4.0;
    machine_seconds_ +=
      tasks * (mean_runtime * w.lublin.duration_factor + turnaround()) / std::max(places, 1.0);
    return tasks > most_tasks ? "too many tasks" : "";
  }

  /// Returns how long a place is idle between two tasks while messages travel.
  double turnaround() const {
    return to_seconds(s_.owner.report_interval + s_.executor.tick) +
           to_seconds(s_.sync.plan == sync_plan_kind::offers ? s_.offers.interval : s_.sync.gap) +
           4 * to_seconds(s_.network.latency + s_.network.jitter + s_.network.machine_latency);
  }

  /// Returns how long a decision on so many tasks takes at most: those of a pool take as long as
  /// those of its slowest group.
  double decision_time(const scheduler_settings& by, double tasks) const {
    auto job = by.t_job;
    auto task = by.t_task;
    if (s_.pool > 0)
      for (const auto& group : s_.groups) {
        job = std::max(job, group.scheduler.t_job);
        task = std::max(task, group.scheduler.t_task);
      }
    return to_seconds(job) + tasks * to_seconds(task);
  }

  /// Offers must last for the decision on a task or a gang, and must suffice for all tasks.
  std::string why_no_offers(const scheduler_settings& by, double together, double tasks) const {
    const auto& o = s_.offers;
    if (s_.sync.plan != sync_plan_kind::offers)
      return {};
    const auto decision = decision_time(by, together) + to_seconds(s_.network.jitter);
    if (o.timeout > duration::zero() && to_seconds(o.timeout) <= decision)
      return "offers end before a decision";
    if (o.tasks > 0 && tasks / o.tasks * to_seconds(o.interval + o.filter) > most_seconds)
      return "too few tasks for each offer";
    return {};
  }

  static double jobs_of(const group_settings& group, double mean) {
    const auto& w = group.workload;
    const auto& by = group.scheduler;
    if (w.kind == workload_kind::burst)
      return static_cast<double>(w.bursts) * group.schedulers;
    double tasks = 0;
    for (const auto& phase : w.phases) {
      const auto capacity =
        group.schedulers / (to_seconds(by.t_task) + to_seconds(by.t_job) / mean);
      tasks += to_seconds(phase.length) * (phase.rate + phase.load * capacity);
    }
    return tasks / mean;
  }

  /// Returns whether so many tasks of scheduler `k` are more than the maximum of their tenant, in
  /// shares of all machines, or of those that are the scheduler's own.
  bool exceeds_maximum(const resources& demand, double tasks, const workload_settings& w,
                       const scheduler_settings& by, std::uint32_t k) const {
    if (s_.tenants.size() < 2)
      return false;
    double most = 1;
    for (const auto& t : s_.tenants)
      if (t.name == w.tenant || w.kind == workload_kind::trace || w.tenant.empty())
        most = std::min(most, t.max);
    resource_sum all;
    for (machine_id m = 0; m < machines_.machines(); ++m)
      if (by.own_share != sharing::hard || machines_.place_of(m).partition % s_.schedulers == k)
        all += machines_.machine(m).capacity;
    return tasks * dominant_share(demand, all) > most;
  }

  /// Returns how many such tasks fit on the machines on which scheduler `k`, of those from `first`
  /// on, may place them.
  double places_for(const asked_task& a, const workload_settings& w, const scheduler_settings& by,
                    std::uint32_t first, std::uint32_t k) const {
    const auto reserved = probes(by, s_, k - first) ? 0 : reserved_partitions(s_);
    double places = 0;
    for (machine_id m = 0; m < machines_.machines(); ++m) {
      if (machines_.place_of(m).partition >= machines_.partitions() - reserved)
        continue;
      if (by.own_share == sharing::hard && machines_.place_of(m).partition % s_.schedulers != k)
        continue;
      const auto& attributes = machines_.kind_of(m).attributes;
      if (!std::ranges::all_of(a.constraints, [&](const auto& c) { return meets(attributes, c); }))
        continue;
      const auto n = times_fitting(machines_.machine(m).capacity, a.demand);
      places += w.spread ? std::min(n, 1) : n;
    }
    return places;
  }

  const run_settings& s_;
  catalog machines_;
  double machine_seconds_ = 0;
};

} // namespace

std::string why_hopeless(const run_settings& settings) {
  return feasibility{settings}.why_not();
}

} // namespace troupe
