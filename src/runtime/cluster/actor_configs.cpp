#include "runtime/cluster/actor_configs.hpp"

#include "runtime/cluster/probing.hpp"
#include "settings/schema/kept_records.hpp"
#include "workload/generate/factory.hpp"
#include "workload/generate/gangless_source.hpp"
#include "workload/generate/molding_source.hpp"
#include "workload/traces/trace_format.hpp"

#include <algorithm>
#include <numeric>

namespace troupe {

std::vector<owner_id> owners_of(const run_settings& settings) {
  std::vector<owner_id> owner_of(settings.cluster.partitions);
  for (partition_id p = 0; p < owner_of.size(); ++p)
    owner_of[p] = p % settings.cluster.owners;
  return owner_of;
}

namespace {

/// Returns the decision times for the jobs of each group in a pool.
std::vector<decision_time> code_paths_of(const run_settings& settings) {
  std::vector<decision_time> paths;
  decision_time slowest{duration{0}, duration{0}};
  for (const auto& group : settings.groups) {
    const auto& s = group.scheduler;
    paths.push_back({s.t_job, s.t_task});
    slowest = {std::max(slowest.t_job, s.t_job), std::max(slowest.t_task, s.t_task)};
  }
  if (settings.scheduler.code_paths == code_path_kind::single)
    paths.assign(paths.size(), slowest);
  return paths;
}

} // namespace

namespace {

/// Whether a transaction is one job: where decisions on jobs take time of their own, and in the
/// modes of the Omega paper that judge a transaction as a whole.
bool decides_by_job(const scheduler_settings& s, const run_settings& settings) {
  const auto takes_time = [](const decision_time& t) { return t.t_job > duration::zero(); };
  const bool long_jobs = settings.pool > 0
                           ? std::ranges::any_of(code_paths_of(settings), takes_time)
                           : s.t_job > duration::zero();
  return long_jobs || s.commit == commit_kind::all_or_nothing ||
         settings.owner.detection == conflict_detection::coarse;
}

} // namespace

scheduler_limits limits_of(const scheduler_settings& s, const run_settings& settings,
                           scheduler_id id) {
  scheduler_limits limits{s.t_job, s.t_task, s.batch, s.max_attempts, s.commit_timeout};
  limits.look_past = s.look_past;
  if (std::ranges::any_of(settings.groups,
                          [](const auto& g) { return g.workload.kill_at_estimate; }))
    for (const auto& group : settings.groups)
      limits.kills.push_back(group.workload.kill_at_estimate);
  limits.discipline = s.discipline;
  limits.order = s.order;
  limits.width = s.width;
  limits.factors = {s.factors.age, s.factors.size, s.factors.share, s.factors.priority,
                    s.factors.max_age};
  limits.preferences = s.preferences;
  limits.own_ends = s.own_ends;
  if (settings.sync.plan == sync_plan_kind::exclusive)
    limits.source = view_source::own_tasks;
  else if (settings.sync.plan == sync_plan_kind::offers)
    limits.source = view_source::offers;
  limits.offer_tasks = settings.offers.tasks;
  limits.hoard = settings.offers.hoard;
  limits.offer_timeout = settings.offers.timeout;
  limits.suppress_offers = settings.offers.suppress;
  limits.preemption = s.preemption;
  limits.aging = s.aging;
  limits.warmup = settings.warmup;
  limits.share =
    own_share::dealt(s.own_share, id, settings.schedulers, settings.cluster.partitions);
  if (builtin_scheduler_of(s.actor) == builtin_scheduler::hybrid) {
    std::vector<partition_id> open(settings.cluster.partitions - reserved_partitions(settings));
    std::iota(open.begin(), open.end(), partition_id{0});
    limits.share = own_share{sharing::hard, std::move(open)};
  }
  if (settings.pool > 0)
    limits.code_paths = code_paths_of(settings);
  limits.max_empty_attempts = s.max_empty_attempts;
  limits.all_or_nothing = s.commit == commit_kind::all_or_nothing;
  limits.coarse_detection = settings.owner.detection == conflict_detection::coarse;
  const auto& r = s.retry;
  limits.retry = {r.at == retry_place::back, r.delay, r.factor, r.max_delay, r.jitter,
                  r.wait_for_refresh};
  limits.candidates = s.candidates;
  limits.keep_away = s.keep_away;
  limits.one_job = decides_by_job(s, settings);
  limits.schedulers = settings.schedulers;
  limits.records = kept_records(settings);
  if (limits.source == view_source::snapshots && settings.sync.plan != sync_plan_kind::none) {
    limits.age_bin = settings.sync.gap / (age_bins - 1);
    limits.sync_gap = settings.sync.gap;
  }
  return limits;
}

bool any_waits_for_refresh(const run_settings& settings) {
  return settings.scheduler.retry.wait_for_refresh ||
         std::ranges::any_of(settings.groups, [](const group_settings& g) {
           return g.scheduler.retry.wait_for_refresh;
         });
}

bool any_counts_own_ends(const run_settings& settings) {
  return settings.scheduler.own_ends ||
         std::ranges::any_of(settings.groups,
                             [](const group_settings& g) { return g.scheduler.own_ends; });
}

std::vector<tenant_quota> quotas_of(const run_settings& settings) {
  std::vector<tenant_quota> quotas;
  if (settings.sync.plan == sync_plan_kind::offers || settings.sync.plan == sync_plan_kind::none)
    return quotas;
  for (const auto& t : settings.tenants)
    quotas.push_back({t.weight, t.min, t.max});
  return quotas;
}

ranking_options ranking_of(const run_settings& settings) {
  const bool preempts =
    settings.pool > 0
      ? settings.scheduler.preemption
      : std::ranges::any_of(settings.groups, [](const auto& g) { return g.scheduler.preemption; });
  return {preempts, std::max(1U, static_cast<std::uint32_t>(settings.tenants.size()))};
}

namespace {

/// Returns whether machines come and go at the times of their trace: those of two formats do.
bool machines_change(const machine_trace_settings& trace) {
  if (!trace.churn || trace.file.empty())
    return false;
  const auto format = find_trace(trace.file, trace.format).format;
  return format == trace_format::google2011 || format == trace_format::recorded;
}

/// How many tasks per second a group can decide on if no placement is refused.
double group_capacity(const group_settings& group) {
  const auto& s = group.scheduler;
  const double per_job = to_seconds(s.t_job) / mean_tasks_per_job(group.workload);
  return group.schedulers / (to_seconds(s.t_task) + per_job);
}

trace_tenants tenants_in(const run_settings& settings) {
  trace_tenants tenants;
  for (const auto& t : settings.tenants)
    tenants.names.push_back(t.name);
  return tenants;
}

} // namespace

std::vector<std::shared_ptr<job_source>> sources_of(const run_settings& settings) {
  std::vector<std::shared_ptr<job_source>> sources;
  for (const auto& group : settings.groups) {
    auto workload = group.workload;
    auto tenants = tenants_in(settings);
    tenants.otherwise = tenants.index_of(workload.tenant);
    workload.trace.keep_times =
      workload.trace.keep_times || machines_change(settings.cluster.trace);
    sources.push_back(
      make_job_source(workload, group_capacity(group), group.schedulers,
                      random_stream::derive(settings.seed, "workload", sources.size()), tenants));
    const auto& by = settings.pool > 0 ? settings.scheduler : group.scheduler;
    if (by.width != width_rule::requested && workload.moldable.share > 0)
      sources.back() = std::make_shared<molding_source>(
        sources.back(), workload.moldable, workload.gang,
        random_stream::derive(settings.seed, "moldable", sources.size() - 1));
    if (workload.kind == workload_kind::trace && probed(group, settings))
      sources.back() = std::make_shared<gangless_source>(sources.back(), workload.file);
  }
  return sources;
}

job_traits traits_of(const workload_settings& w, const run_settings& settings) {
  job_traits traits;
  traits.tenant = tenants_in(settings).index_of(w.tenant);
  if (w.kind == workload_kind::trace || w.kind == workload_kind::jobs)
    traits.tenant.reset();
  traits.priority = w.priority;
  traits.gang = w.gang;
  traits.spread = w.spread;
  traits.at_once = w.array_limit;
  for (const auto& text : w.constraints)
    traits.constraints.push_back(parse_constraint(text));
  for (std::uint32_t c = 0; c < settings.task_classes.size(); ++c)
    if (settings.task_classes[c].name == w.task_class)
      traits.task_class = c + 1;
  return traits;
}

sync_plan plan_of(const run_settings& settings) {
  const auto& sync = settings.sync;
  const auto groups = sync.groups == 0 ? settings.schedulers : sync.groups;
  if (sync.plan == sync_plan_kind::partitioned)
    return sync_plan::partitioned(sync.gap, groups);
  if (sync.plan == sync_plan_kind::same)
    return sync_plan::same(sync.gap, groups);
  if (sync.plan == sync_plan_kind::full)
    return sync_plan::partitioned(sync.gap, 1);
  return sync_plan::none();
}

} // namespace troupe
