#include "report/metrics/metric_table.hpp"

#include "report/metrics/metric_values.hpp"

namespace troupe {

namespace {

using namespace metric_values;

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
     "Conflicts in the partitions of an owner.",
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
