#pragma once

#include "settings/schema/fields_plugins.hpp"

/// The settings of owners, schedulers, policies, probing and offers, in the form that fields.hpp
/// describes.
namespace troupe {

template <class Visitor>
void describe(Visitor& v, owner_settings& s) {
  v.field({"report_interval",
           "interval at which owners report ended tasks to schedulers; 0s: at once, which is the "
           "preset with an exclusive sync plan",
           at_least(0)},
          s.report_interval);
  v.field(
    {"detection",
     "definition of a conflict; fine: an over-commit; coarse: any change to the machine (Omega)",
     one_of<conflict_detection>()},
    s.detection);
  v.field(
    {"hold_timeout",
     "resources held on several owners, for a gang or for a job to be committed all or nothing, "
     "are released when its scheduler has been silent for this long; well above commit_timeout",
     more_than(0)},
    s.hold_timeout);
}

template <class Visitor>
void describe(Visitor& v, retry_settings& s) {
  v.field({"at", "place in the queue to which refused tasks return", one_of<retry_place>()}, s.at);
  v.field({"delay", "delay before a refused task is queued again; 0s: at once (Omega's code: 1s)",
           at_least(0)},
          s.delay);
  v.field({"factor", "ratio of each further delay of a task to the one before", between(1, 1000)},
          s.factor);
  v.field({"max_delay", "upper limit of delays; 0s: no limit", at_least(0)}, s.max_delay);
  v.field({"jitter", "share by which a delay is randomly longer or shorter", between(0, 1)},
          s.jitter);
  v.field({"wait_for_refresh", "a refused task waits until the view of the partition includes the "
                               "cause of the refusal (Nomad's RefreshIndex), and for the delay"},
          s.wait_for_refresh);
}

template <class Visitor>
void describe(Visitor& v, factor_settings& s) {
  v.field({"age", "weight of the time since the submission, as a share of max_age, at most 1",
           between(0, 1e9)},
          s.age);
  v.field({"size", "weight of the share of the cluster that the job asks for", between(0, 1e9)},
          s.size);
  v.field({"share",
           "weight of 2^(-used/due), where used is the share of the cluster that the job's tenant "
           "uses, and due is its part of the weights of all tenants (Slurm's fair share)",
           between(0, 1e9)},
          s.share);
  v.field({"priority", "weight of one step of priority", between(0, 1e9)}, s.priority);
  v.field({"max_age", "time after which the age counts in full", more_than(0)}, s.max_age);
}

template <class Visitor>
void describe(Visitor& v, scheduler_settings& s) {
  v.field(
    {"actor",
     "placing: places tasks on a view; sparrow: probes machines; hybrid: the group has both kinds, "
     "see [hybrid]; or the name of a plugin's scheduler; unless set, it follows the architecture",
     one_of(choices::scheduler_actors())},
    s.actor);
  v.field({"policy", "placement policy; see `troupe policies`", one_of(choices::policies())},
          s.policy);
  v.field({"t_job",
           "decision time per job (Omega); if more than 0s, each transaction contains all waiting "
           "tasks of one job",
           at_least(0)},
          s.t_job);
  v.field({"t_task", "decision time per task; 500us are 2,000 tasks/s", more_than(0)}, s.t_task);
  v.field({"batch",
           "number of tasks per decision; ignored if a transaction is one job: with a t_job, "
           "commit = \"all-or-nothing\" or owner.detection = \"coarse\"",
           between(1, max_amount)},
          s.batch);
  v.field({"max_attempts", "placement attempts before a task is abandoned; 0: no limit",
           between(0, 1'000'000'000)},
          s.max_attempts);
  v.field({"commit_timeout", "an unanswered commit is sent again after this time",
           no_shorter_than(least_period)},
          s.commit_timeout);
  v.field(
    {"preemption",
     "a task that finds no room evicts running tasks of lower priority, which run again later; "
     "not with sync plans offers and none"},
    s.preemption);
  v.field({"aging",
           "waiting time that equals one step of priority, so that low priorities do not starve; "
           "0s: higher priorities always go first",
           at_least(0)},
          s.aging);
  v.field({"own_share",
           "of N schedulers, number p mod N owns partition p; soft: a scheduler uses other "
           "partitions only if its own have no room; hard: it never uses them; unless set, it "
           "follows the architecture",
           one_of<sharing>()},
          s.own_share);
  v.field({"code_paths",
           "in a pool: multi: a job costs the t_job and t_task of its group; single: every job "
           "costs the greatest t_job and the greatest t_task of all groups (Omega)",
           one_of<code_path_kind>()},
          s.code_paths);
  v.field({"look_past",
           "number of tasks without a machine that later tasks may overtake at a time; 0: a task "
           "that finds no machine blocks the others",
           between(0, max_amount)},
          s.look_past);
  v.field(
    {"discipline",
     "which jobs start before jobs ahead of them in the queue; fit: all that find room; fcfs: "
     "none; easy: those that do not delay the first job, by the estimates; conservative: those "
     "that delay no job",
     one_of<start_discipline>()},
    s.discipline);
  v.field(
    {"order",
     "order of the queue under a discipline other than fit; fcfs: by submission; shortest: by "
     "estimate; widest: the largest gangs first; each within a priority; multifactor: by "
     "[scheduler.factors]",
     one_of<start_order>()},
    s.order);
  v.field({"width",
           "width at which moldable jobs start (workload.moldable); requested: the width in the "
           "request; available: the width at which they start first; earliest-finish: the width at "
           "which they are expected to end first, for which they may wait",
           one_of<width_rule>()},
          s.width);
  v.field({"preferences",
           "true: tasks are placed by the scores of their class; false: by the machines' "
           "own scores (quality uses the scores of the class in either case)"},
          s.preferences);
  v.field({"own_ends",
           "true: the resources of a task are free in the view of its scheduler when the "
           "scheduler receives the end; false: only with the next snapshot (ParSync, Omega)"},
          s.own_ends);
  v.field({"commit",
           "incremental: each placement is granted or refused on its own; all-or-nothing: one "
           "conflict aborts all tasks of the job that were decided on together (Omega)",
           one_of<commit_kind>()},
          s.commit);
  v.field({"max_empty_attempts",
           "number of attempts without a placed task of a job after which the whole job is "
           "abandoned (Omega's code: 100); 0: no limit",
           between(0, 1'000'000'000)},
          s.max_empty_attempts);
  v.field({"candidates",
           "number of machines in each placement, which the owner tries in turn; all belong to the "
           "same owner, and only the first is charged to the view",
           between(1, 100)},
          s.candidates);
  v.field({"keep_away",
           "a machine that refused a placement is avoided for this long, unless no other machine "
           "fits; 0s: it is not avoided",
           at_least(0)},
          s.keep_away);
  v.table({"retry", "when and where refused tasks are queued again"}, s.retry);
  v.table({"factors", "order multifactor: the weights whose sum puts a job before others"},
          s.factors);
  describe_own(v, plugin_kind::scheduler_actor, s.own);
}

template <class Visitor>
void describe(Visitor& v, policy_settings& s) {
  for (const auto& [info, meaning] : shared_settings())
    describe_setting(v, *info, meaning, s.shared);
  describe_own(v, plugin_kind::placement_policy, s.own);
}

template <class Visitor>
void describe(Visitor& v, sparrow_settings& s) {
  v.field({"probing",
           "random: tasks go to random machines; per-task: each task to the shortest of a few "
           "queues; batch: the tasks of a job to the shortest of many; late-binding: machines ask "
           "for tasks when they have room",
           one_of<probing>()},
          s.probing);
  v.field({"cancellation", "late binding: reservations that are no longer needed are cancelled"},
          s.cancellation);
  v.field({"ratio", "probes or reservations per task", between(1, 1000)}, s.ratio);
  v.field({"adaptive_ratio", "the ratio follows the load: the expected number of probes that find "
                             "a machine with room equals the number of tasks"},
          s.adaptive_ratio);
  v.field({"ratio_min", "least adaptive ratio", between(1, 1000)}, s.ratio_min);
  v.field({"ratio_max", "greatest adaptive ratio", between(1, 1000)}, s.ratio_max);
  v.field({"queue",
           "discipline of the machines' queues; fifo: first in, first out; priority: strictly by "
           "the jobs' priority; fair: between tenants, by their weights",
           one_of<queue_discipline>()},
          s.queue);
  v.field({"watch_machines",
           "every scheduler monitors every machine, and runs the tasks of dead machines on others"},
          s.watch_machines);
  v.field({"session_calls",
           "if failures are watched: number of machines without a session that a scheduler calls "
           "per heartbeat",
           between(1, 10'000'000)},
          s.session_calls);
}

template <class Visitor>
void describe(Visitor& v, hybrid_settings& s) {
  v.field({"cutoff",
           "jobs whose tasks are estimated to take at least this time are placed on a view, "
           "shorter ones by probing",
           at_least(0)},
          s.cutoff);
  v.field({"long_schedulers", "number of schedulers of each group that place the long jobs",
           between(1, max_schedulers)},
          s.long_schedulers);
  v.field({"reserved", "share of the partitions, rounded, on which long jobs are not placed",
           allowed{.min = 0, .max = 1, .below_max = true}},
          s.reserved);
  v.field({"steal_attempts",
           "number of machines that an idle one asks, one after the other, for entries that wait "
           "behind a long task",
           between(0, 1'000'000)},
          s.steal_attempts);
}

template <class Visitor>
void describe(Visitor& v, offers_settings& s) {
  v.field(
    {"interval", "interval at which free resources are offered", no_shorter_than(least_period)},
    s.interval);
  v.field(
    {"filter",
     "resources that a scheduler declined are not offered to it again for this long; 0s: no filter",
     at_least(0)},
    s.filter);
  v.field({"timeout", "an offer that is not answered within this time is rescinded; 0s: never",
           at_least(0)},
          s.timeout);
  v.field(
    {"whole",
     "true: all free resources go to the scheduler whose turn it is (Omega's simulation of Mesos); "
     "false: each machine goes to the scheduler whose turn it is at that moment, as in Mesos"},
    s.whole);
  v.field({"tasks",
           "number of tasks that a scheduler places before it answers its offers; 0: no limit",
           between(0, max_amount)},
          s.tasks);
  v.field({"hoard",
           "a scheduler whose gangs find no room keeps its offers, up to this share of the "
           "cluster, until a gang finds room; 0: it answers offers at once",
           between(0, 1)},
          s.hoard);
  v.field({"suppress",
           "true: a scheduler in which no task waits is offered nothing until one does; false: it "
           "is offered resources, and declines them"},
          s.suppress);
}

template <class Visitor>
void describe(Visitor& v, group_offers_settings& s) {
  v.field({"weight",
           "due share of the offers for each of its schedulers, relative to the others: the least "
           "dominant share divided by this weight goes first (weighted DRF)",
           more_than(0)},
          s.weight);
}

} // namespace troupe
