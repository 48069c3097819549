#include "report/metrics/metric_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace troupe {

namespace {

using values = std::vector<metric_value>;
using process = process_figures;

constexpr auto without_bound = std::numeric_limits<double>::infinity();

values one(double value) {
  return {{{}, value}};
}

double number(std::uint64_t n) {
  return static_cast<double>(n);
}

std::uint64_t sum(const cause_counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::string group_name(const live_state& s, std::size_t group) {
  return group < s.about.groups.size() ? s.about.groups[group].name : std::to_string(group);
}

// -- values for each group, scheduler and owner --------------------------------------------------

template <class Read>
values by_group(const live_state& s, Read read) {
  values all;
  for (std::size_t g = 0; g < s.groups.size(); ++g)
    all.push_back({{group_name(s, g)}, number(read(s.groups[g]))});
  return all;
}

template <class Read>
values by_scheduler(const live_state& s, Read read) {
  values all;
  for (std::size_t i = 0; i < s.schedulers.size(); ++i)
    all.push_back({{std::to_string(i)}, static_cast<double>(read(s.schedulers[i]))});
  return all;
}

template <class Read>
values of_all_groups(const live_state& s, Read read) {
  double all = 0;
  for (const auto& g : s.groups)
    all += static_cast<double>(read(g));
  return one(all);
}

/// The number of values of a distribution up to each bound: a bin of it, 1 to 2 % wide, counts
/// where its middle is.
metric_value histogram_of(std::vector<std::string> labels, const distribution& d,
                          std::span<const double> bounds) {
  metric_value h{std::move(labels), 0};
  const auto bins = d.bins();
  auto bin = bins.begin();
  std::uint64_t so_far = 0;
  for (auto bound : bounds) {
    for (; bin != bins.end(); ++bin) {
      const auto [index, n] = *bin;
      if ((distribution::lower_edge(index) + distribution::lower_edge(index + 1)) / 2 > bound)
        break;
      so_far += n;
    }
    h.buckets.push_back({bound, so_far});
  }
  h.buckets.push_back({without_bound, d.count()});
  h.count = d.count();
  h.sum = d.sum();
  return h;
}

values delays_by_group(const live_state& s, distribution scheduler_sample::*of) {
  values all;
  for (std::size_t g = 0; g < s.groups.size(); ++g)
    all.push_back(histogram_of({group_name(s, g)}, s.groups[g].*of, delay_bounds()));
  return all;
}

// -- metrics that take more than a line ----------------------------------------------------------

values build_info(const live_state& s, const process&) {
  return {{{TROUPE_VERSION, s.about.architecture, s.about.world}, 1}};
}

values nodes(const live_state& s, const process&) {
  values all;
  if (s.about.world != "cluster")
    return all;
  for (const auto* state : {"joined", "draining", "gone"})
    all.push_back(
      {{state},
       number(static_cast<std::uint64_t>(std::ranges::count(s.nodes, state, &live_node::state)))});
  return all;
}

template <class Members>
void count_members(values& into, const char* role, const Members& members) {
  for (const auto state : {member_state::waiting, member_state::up, member_state::silent})
    into.push_back({{role, to_string(state)},
                    number(static_cast<std::uint64_t>(std::ranges::count_if(
                      members, [&](const auto& m) { return m.life.state == state; })))});
}

values members(const live_state& s, const process&) {
  values all;
  count_members(all, "owner", s.owners);
  count_members(all, "scheduler", s.schedulers);
  return all;
}

values failovers(const live_state& s, const process&) {
  const auto of = [](const auto& members) {
    std::uint64_t n = 0;
    for (const auto& m : members)
      n += m.life.takeovers;
    return number(n);
  };
  return {{{"owner"}, of(s.owners)}, {{"scheduler"}, of(s.schedulers)}};
}

values machines(const live_state& s, const process&) {
  const auto up = s.machines_up();
  return {{{"up"}, number(up)},
          {{"down"}, number(s.about.machines - std::min(s.about.machines, up))}};
}

values by_resource(const live_state& s, double (resource_use::*read)() const) {
  values all;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    if (s.resources[k].capacity > 0)
      all.push_back(
        {{std::string{resource_name(static_cast<resource>(k))}}, (s.resources[k].*read)()});
  return all;
}

values owner_use(const live_state& s, const process&) {
  values all;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    for (std::size_t o = 0; o < s.owners.size(); ++o)
      if (s.owners[o].resources[k].capacity > 0)
        all.push_back({{std::string{resource_name(static_cast<resource>(k))}, std::to_string(o)},
                       s.owners[o].resources[k].utilization()});
  return all;
}

values tasks(const live_state& s, const process&) {
  task_counts now;
  for (const auto& g : s.groups)
    now.add_present(g.tasks);
  return {{{"queued"}, number(now.queued)},
          {{"in_commit"}, number(now.in_commit)},
          {{"running"}, number(now.running)}};
}

values tasks_ended(const live_state& s, const process&) {
  task_counts t;
  for (const auto& g : s.groups)
    t.add_growing(g.tasks);
  return {{{"finished"}, number(t.finished)},
          {{"failed"}, number(t.failed)},
          {{"lost"}, number(t.lost)},
          {{"abandoned"}, number(t.abandoned)}};
}

values jobs_ended(const live_state& s, const process&) {
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  std::uint64_t abandoned = 0;
  for (const auto& g : s.groups) {
    finished += g.jobs_finished;
    failed += g.jobs_failed;
    abandoned += g.attempts.jobs_abandoned;
  }
  return {{{"finished"}, number(finished)},
          {{"failed"}, number(failed)},
          {{"abandoned"}, number(abandoned)}};
}

values oldest(const live_state& s, const process&) {
  if (s.about.origin <= 0)
    return {};
  return by_scheduler(s, [&](const live_scheduler& m) {
    return m.queued > 0 && m.oldest > 0 ? s.about.origin + to_seconds(s.now) - m.oldest : 0;
  });
}

values commit_answers(const live_state& s, const process&) {
  values all;
  for (std::size_t o = 0; o < s.owners.size(); ++o) {
    all.push_back({{std::to_string(o), "granted"}, number(s.owners[o].granted_sum)});
    all.push_back({{std::to_string(o), "refused"}, number(s.owners[o].refused_all)});
  }
  return all;
}

values conflicts(const live_state& s, const process&) {
  cause_counts all{};
  for (const auto& g : s.groups)
    for (std::size_t c = 0; c < conflict_causes; ++c)
      all[c] += g.conflicts_by_cause[c];
  values v;
  for (std::size_t c = 0; c < conflict_causes; ++c)
    v.push_back({{to_string(static_cast<conflict_cause>(c))}, number(all[c])});
  return v;
}

values owner_conflicts(const live_state& s, const process&) {
  values all;
  for (std::size_t o = 0; o < s.owners.size(); ++o)
    for (std::size_t c = 0; c < conflict_causes; ++c)
      all.push_back({{std::to_string(o), to_string(static_cast<conflict_cause>(c))},
                     number(s.owners[o].refused_sum[c])});
  return all;
}

/// The bins of ages are tenths of the gap in which a view is refreshed once.
values placement_ages(const live_state& s, const process&) {
  if (s.about.sync_gap <= duration::zero())
    return {};
  metric_value h;
  std::array<std::uint64_t, age_bins> bins{};
  for (const auto& g : s.groups) {
    for (std::size_t b = 0; b < age_bins; ++b)
      bins[b] += g.attempts.granted_by_age[b];
    h.sum += g.placement_age.sum;
  }
  for (std::size_t b = 0; b < age_bins; ++b) {
    h.count += bins[b];
    h.buckets.push_back({b + 1 == age_bins ? without_bound
                                           : to_seconds(s.about.sync_gap) *
                                               static_cast<double>(b + 1) / (age_bins - 1),
                         h.count});
  }
  return {h};
}

values offers(const live_state& s, const process&) {
  const auto& o = s.offers;
  if (o.made == 0)
    return {};
  return {{{"accepted"}, number(o.accepted)},
          {{"declined"}, number(o.declined)},
          {{"timed_out"}, number(o.timed_out)},
          {{"rescinded"}, number(o.rescinded)}};
}

values steals(const live_state& s, const process&) {
  const auto& q = s.machines.queues;
  if (q.machines == 0)
    return {};
  return {{{"found"}, number(q.steals)},
          {{"nothing"}, number(q.steal_attempts - std::min(q.steals, q.steal_attempts))}};
}

constexpr auto counter = metric_sort::counter;
constexpr auto gauge = metric_sort::gauge;
constexpr auto histogram = metric_sort::histogram;
constexpr auto a_group = "names of the groups of jobs";
constexpr auto a_scheduler = "numbers of the schedulers";
constexpr auto an_owner = "numbers of the partition owners";
constexpr auto a_resource = "cpu, memory, gpu, slots: those that the cluster has";

const std::vector<metric>& all_metrics() {
  static const std::vector<metric> all{
    {"troupe_build_info",
     gauge,
     {"version", "architecture", "world"},
     "Always 1; the labels tell the version, the architecture, and the world: virtual, real or "
     "cluster.",
     "one each",
     build_info},
    {"troupe_nodes", gauge, {"state"}, "Nodes of the cluster.", "joined, draining, gone", nodes},
    {"troupe_members",
     gauge,
     {"role", "state"},
     "Partition owners and schedulers; up are those that have answered the last sample.",
     "owner, scheduler; waiting, up, silent",
     members},
    {"troupe_failovers_total",
     counter,
     {"role"},
     "Members that have taken the place of a failed one.",
     "owner, scheduler",
     failovers},
    {"troupe_machines", gauge, {"state"}, "Machines.", "up, down", machines},
    {"troupe_utilization_ratio",
     gauge,
     {"resource"},
     "Share of the cluster's capacity in use, mean over the last sample.",
     a_resource,
     [](const live_state& s, const process&) {
       return by_resource(s, &resource_use::utilization);
     }},
    {"troupe_fragmentation_ratio",
     gauge,
     {"resource"},
     "Share of the free amounts that is on machines without room for a task of cluster.fragment.",
     a_resource,
     [](const live_state& s, const process&) {
       return by_resource(s, &resource_use::fragmentation);
     }},
    {"troupe_owner_utilization_ratio",
     gauge,
     {"resource", "owner"},
     "Share of the capacity of an owner's machines that its grants use.",
     "as above; numbers of the partition owners",
     owner_use},
    {"troupe_tasks", gauge, {"state"}, "Tasks by place.", "queued, in_commit, running", tasks},
    {"troupe_tasks_submitted_total",
     counter,
     {"group"},
     "Submitted tasks.",
     a_group,
     [](const live_state& s, const process&) {
       return by_group(s, [](const scheduler_sample& g) { return g.tasks.submitted; });
     }},
    {"troupe_tasks_placed_total",
     counter,
     {"group"},
     "Accepted placements of tasks.",
     a_group,
     [](const live_state& s, const process&) {
       return by_group(s, [](const scheduler_sample& g) { return g.tasks.placed; });
     }},
    {"troupe_tasks_ended_total",
     counter,
     {"outcome"},
     "Tasks that are over.",
     "finished, failed, lost, abandoned",
     tasks_ended},
    {"troupe_jobs_submitted_total",
     counter,
     {"group"},
     "Submitted jobs.",
     a_group,
     [](const live_state& s, const process&) {
       return by_group(s, [](const scheduler_sample& g) { return g.jobs_submitted; });
     }},
    {"troupe_jobs_ended_total",
     counter,
     {"outcome"},
     "Jobs that are over.",
     "finished, failed, abandoned",
     jobs_ended},
    {"troupe_queue_tasks",
     gauge,
     {"scheduler"},
     "Tasks that wait at a scheduler.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.queued; });
     }},
    {"troupe_queue_oldest_submitted_timestamp_seconds",
     gauge,
     {"scheduler"},
     "When the task was queued that has waited longest; 0 if none waits. Not in virtual time.",
     a_scheduler,
     oldest},
    {"troupe_scheduling_delay_seconds",
     histogram,
     {"group"},
     "Time from the queueing of a task to its accepted placement, for jobs after the warm-up.",
     a_group,
     [](const live_state& s, const process&) {
       return delays_by_group(s, &scheduler_sample::delay);
     }},
    {"troupe_job_response_seconds",
     histogram,
     {"group"},
     "Time from the submission of a job to the end of its last task, for finished jobs after the "
     "warm-up.",
     a_group,
     [](const live_state& s, const process&) {
       return delays_by_group(s, &scheduler_sample::job_response);
     }},
    {"troupe_decisions_total",
     counter,
     {"scheduler"},
     "Finished attempts at jobs; an attempt places one or more tasks of a job.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.sums.transactions; });
     }},
    {"troupe_decision_seconds_total",
     counter,
     {"scheduler"},
     "Time that a scheduler has spent deciding; its rate is how busy it is.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.sums.busy; });
     }},
    {"troupe_decision_wasted_seconds_total",
     counter,
     {"scheduler"},
     "The part of it that went into placements that were refused.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.sums.wasted; });
     }},
    {"troupe_placements_total",
     counter,
     {"scheduler"},
     "Accepted placements.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.sums.placed; });
     }},
    {"troupe_placements_refused_total",
     counter,
     {"scheduler"},
     "Placements that owners have refused because of a conflict.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return sum(m.sums.conflicts); });
     }},
    {"troupe_commits_total",
     counter,
     {"scheduler"},
     "Commits sent, each once.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.sums.commits; });
     }},
    {"troupe_commit_retransmissions_total",
     counter,
     {"scheduler"},
     "Commits that were sent again because no answer had come.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.sums.retransmits; });
     }},
    {"troupe_commit_answers_total",
     counter,
     {"owner", "result"},
     "Placements that owners have granted or refused.",
     "numbers of the partition owners; granted, refused",
     commit_answers},
    {"troupe_conflicts_total",
     counter,
     {"cause"},
     "Conflicts, by what schedulers have heard.",
     "taken, changed, gone, moved",
     conflicts},
    {"troupe_owner_conflicts_total",
     counter,
     {"owner", "cause"},
     "Conflicts in the partitions of an owner, since the second sample that was watched.",
     "numbers of the partition owners; taken, changed, gone, moved",
     owner_conflicts},
    {"troupe_snapshots_received_total",
     counter,
     {"scheduler"},
     "Snapshots of partitions that a scheduler has received.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.sums.snapshots; });
     }},
    {"troupe_view_age_seconds",
     gauge,
     {"scheduler"},
     "Age of a scheduler's view, mean over its partitions and the last sample.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.age_mean; });
     }},
    {"troupe_view_age_max_seconds",
     gauge,
     {"scheduler"},
     "Greatest age of a partition of a scheduler's view in the last sample.",
     a_scheduler,
     [](const live_state& s, const process&) {
       return by_scheduler(s, [](const live_scheduler& m) { return m.age_max; });
     }},
    {"troupe_placement_view_age_seconds",
     histogram,
     {},
     "Age of the partition in the view on which an accepted placement was decided; the buckets are "
     "tenths of sync.gap.",
     "",
     placement_ages},
    {"troupe_preemptions_total",
     counter,
     {},
     "Preempted tasks.",
     "",
     [](const live_state& s, const process&) {
       return of_all_groups(s, [](const scheduler_sample& g) { return g.preempted.tasks; });
     }},
    {"troupe_work_lost_seconds_total",
     counter,
     {},
     "Time that preempted tasks had run.",
     "",
     [](const live_state& s, const process&) {
       return of_all_groups(s,
                            [](const scheduler_sample& g) { return to_seconds(g.preempted.ran); });
     }},
    {"troupe_offers_total",
     counter,
     {"result"},
     "Offers of resources (two-level); some count twice: rescinded ones have timed out.",
     "accepted, declined, timed_out, rescinded",
     offers},
    {"troupe_probes_total",
     counter,
     {},
     "Questions for the length of a queue (sparrow, hybrid).",
     "",
     [](const live_state& s, const process&) -> values {
       if (s.machines.queues.machines == 0)
         return {};
       return of_all_groups(s, [](const scheduler_sample& g) { return g.sparrow.probes; });
     }},
    {"troupe_steals_total",
     counter,
     {"result"},
     "Questions of idle machines for entries of other queues (hybrid).",
     "found, nothing",
     steals},
    {"troupe_recorder_sample_timestamp_seconds",
     gauge,
     {},
     "When the last sample was taken: how old these numbers are. Not in virtual time.",
     "",
     [](const live_state& s, const process&) -> values {
       if (s.about.origin <= 0)
         return {};
       return one(s.about.origin + to_seconds(s.now));
     }},
    {"process_cpu_seconds_total",
     counter,
     {},
     "CPU time of the process that answers.",
     "",
     [](const live_state&, const process& p) { return one(p.cpu_seconds); }},
    {"process_resident_memory_bytes",
     gauge,
     {},
     "Its resident memory.",
     "",
     [](const live_state&, const process& p) { return one(p.resident_bytes); }},
    {"process_open_fds",
     gauge,
     {},
     "Its open file descriptors.",
     "",
     [](const live_state&, const process& p) { return one(p.open_files); }},
    {"process_start_time_seconds",
     gauge,
     {},
     "When it was started.",
     "",
     [](const live_state&, const process& p) { return one(p.started_at); }},
  };
  return all;
}

} // namespace

std::string_view to_string(metric_sort sort) {
  constexpr std::string_view names[] = {"counter", "gauge", "histogram"};
  return names[static_cast<std::size_t>(sort)];
}

std::span<const metric> metric_table() {
  return all_metrics();
}

std::span<const double> delay_bounds() {
  static constexpr double bounds[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2,
                                      0.5,   1,     2,     5,    10,   20,   50,  100};
  return bounds;
}

std::string metric_table_text() {
  std::string text = "| name | type | labels | meaning |\n|---|---|---|---|\n";
  for (const auto& m : metric_table()) {
    std::string labels;
    for (auto l : m.labels)
      labels += (labels.empty() ? "`" : ", `") + std::string{l} + '`';
    if (!m.labels_are.empty())
      labels += ": " + std::string{m.labels_are};
    text += "| `" + std::string{m.name} + "` | " + std::string{to_string(m.sort)} + " | " + labels +
            " | " + std::string{m.help} + " |\n";
  }
  return text;
}

} // namespace troupe
