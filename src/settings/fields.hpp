#pragma once

#include "settings/allowed.hpp"
#include "settings/settings.hpp"

#include <span>
#include <string_view>

/// The one description of every setting: `describe(v, s)` shows each member of `s` to the visitor
/// `v`, in the order in which a settings file lists them:
///
///     v.field(info, member);                        one key
///     v.list(info, members, element);               [[name]], new elements start as `element`
///     v.table(info, members);                       [name]
///     v.overlay(info, members);                     [name] that repeats the table of that name
///                                                   from the top level and is preset from it
///
/// Reading, checking, printing and documenting are visitors.
namespace troupe {

/// What is said of one setting.
struct field_info {
  std::string_view name;
  std::string_view meaning;
  allowed values{};
  std::string_view unit{};
};

namespace choices {

inline constexpr std::string_view architectures[] = {
  "parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"};
inline constexpr std::string_view clocks[] = {"virtual", "real"};
inline constexpr std::string_view score_distributions[] = {"lognormal", "constant"};
inline constexpr std::string_view detections[] = {"fine", "coarse"};
inline constexpr std::string_view commits[] = {"incremental", "all-or-nothing"};
inline constexpr std::string_view retry_places[] = {"head", "back"};
inline constexpr std::string_view scheduler_actors[] = {"placing", "sparrow", "hybrid"};
inline constexpr std::string_view probings[] = {"random", "per-task", "batch", "late-binding"};
inline constexpr std::string_view queues[] = {"fifo", "priority", "fair"};
inline constexpr std::string_view sync_plans[] = {"partitioned", "full",   "same",
                                                  "exclusive",   "offers", "none"};
inline constexpr std::string_view sharings[] = {"none", "soft", "hard"};
inline constexpr std::string_view code_paths[] = {"single", "multi"};
inline constexpr std::string_view workloads[] = {"phases", "burst", "trace"};
inline constexpr std::string_view arrivals[] = {"constant", "poisson"};
inline constexpr std::string_view distributions[] = {"fixed", "exponential", "lognormal",
                                                     "quantiles"};

/// The names of the built-in policies.
std::span<const std::string_view> policies();

} // namespace choices

inline constexpr double max_schedulers = 100'000;
inline constexpr double max_amount = 1'000'000; ///< of any resource in one machine or task

/// Members of `cluster_settings` that stand in a table of their own.
struct amounts_of {
  double& cpu;
  double& memory;
  double& gpu;
  std::int32_t& slots;
};

template <class Visitor, class Amounts>
void describe_amounts(Visitor& v, Amounts&& a) {
  v.field({"cpu", "CPU", between(0, max_amount), "cores"}, a.cpu);
  v.field({"memory", "memory", between(0, max_amount), "GiB"}, a.memory);
  v.field({"gpu", "GPU", between(0, max_amount), "cards"}, a.gpu);
  v.field({"slots", "slots", between(0, max_amount)}, a.slots);
}

template <class Visitor>
void describe(Visitor& v, amounts_of& s) {
  describe_amounts(v, s);
}

template <class Visitor>
void describe(Visitor& v, machine_class& s) {
  v.field({"name", "name of the class"}, s.name);
  v.field({"share", "part of all machines, relative to the other classes", more_than(0)}, s.share);
  describe_amounts(v, s);
  v.field({"attributes", "what else a machine of the class is, as { key = \"value\" }"},
          s.attributes);
}

template <class Visitor>
void describe(Visitor& v, score_settings& s) {
  v.field({"distribution", "of the machines' scores; constant: exp(mu) for all",
           one_of(choices::score_distributions)},
          s.distribution);
  v.field({"mu", "mean of the logarithm of a score", between(-20, 20)}, s.mu);
  v.field({"sigma", "standard deviation of the logarithm of a score", between(0, 10)}, s.sigma);
}

template <class Visitor>
void describe(Visitor& v, cluster_settings& s) {
  v.field({"machines", "number of machines", between(1, 10'000'000)}, s.machines);
  v.field({"slots", "slots per machine where no classes are given", between(1, max_amount)},
          s.slots);
  v.field({"partitions", "shares into which the machines are divided for sync; at most machines",
           between(1, 10'000'000)},
          s.partitions);
  v.field({"owners", "actors that hold the partitions' true state; at most partitions",
           between(1, 10'000'000)},
          s.owners);
  v.list({"classes", "kinds of machines; none: all alike, with slots only"}, s.classes,
         machine_class{});
  v.table({"score", "how good a machine is: the quality of a placement is its score"}, s.score);
  v.table({"unit", "what machine sampling counts as one place: room for less is overlooked; all "
                   "zero: one slot, or, where the classes have no slots, one core with the memory "
                   "per core of the cluster"},
          amounts_of{s.unit_cpu, s.unit_memory, s.unit_gpu, s.unit_slots});
  v.table({"fragment", "what is free on machines without room for this counts as stranded, in the "
                       "results; all zero: the unit"},
          amounts_of{s.fragment_cpu, s.fragment_memory, s.fragment_gpu, s.fragment_slots});
}

template <class Visitor>
void describe(Visitor& v, sync_settings& s) {
  v.field({"plan",
           "partitioned: each round other partitions for each scheduler (ParSync); full: all at "
           "once (StateSync); same: each round the same partitions for all; exclusive: no rounds, "
           "each view is kept by its scheduler's own tasks, which are alone where it places; "
           "offers: an allocator offers what is free, to one scheduler at a time; "
           "unless set, it follows the architecture",
           one_of(choices::sync_plans)},
          s.plan);
  v.field({"gap", "time in which each view is wholly refreshed once (G)", more_than(0)}, s.gap);
  v.field({"groups",
           "sync groups per gap (M), each with schedulers that are refreshed together; at most one "
           "for every scheduler; 0: one for every scheduler",
           between(0, max_schedulers)},
          s.groups);
}

template <class Visitor>
void describe(Visitor& v, cut_settings& s) {
  v.field({"from", "begin, since the start of the run", at_least(0)}, s.from);
  v.field({"to", "end, since the start of the run", at_least(0)}, s.to);
  v.field({"a", "one side: master, allocator, owner.3, owner.*, scheduler.3, scheduler.* or *"},
          s.a);
  v.field({"b", "the other side"}, s.b);
}

template <class Visitor>
void describe(Visitor& v, network_settings& s) {
  v.field({"latency", "one way, between master, owners and schedulers", at_least(0)}, s.latency);
  v.field({"jitter", "added to the latency, uniform from 0 to this", at_least(0)}, s.jitter);
  v.field(
    {"loss", "share of the messages that are lost", allowed{.min = 0, .max = 1, .below_max = true}},
    s.loss);
  v.field({"machine_latency", "one way, between owners and machines", at_least(0)},
          s.machine_latency);
  v.list({"cuts", "times in which all messages between two sides are lost"}, s.cuts,
         cut_settings{.to = std::chrono::seconds{1}});
}

template <class Visitor>
void describe(Visitor& v, executor_settings& s) {
  v.field({"tick", "task ends are collected and reported this often", more_than(0)}, s.tick);
}

template <class Visitor>
void describe(Visitor& v, owner_settings& s) {
  v.field({"report_interval",
           "owners tell schedulers of ended tasks this often; 0s: at once, which an exclusive sync "
           "plan presets",
           at_least(0)},
          s.report_interval);
  v.field({"detection", "what conflicts: an over-commit, or any change to the machine (Omega)",
           one_of(choices::detections)},
          s.detection);
  v.field({"hold_timeout",
           "what is held for a gang, or a job to be committed all or nothing, on several owners is "
           "released when its scheduler has been silent for this long; well above commit_timeout",
           more_than(0)},
          s.hold_timeout);
}

template <class Visitor>
void describe(Visitor& v, retry_settings& s) {
  v.field({"at", "where refused tasks are queued again", one_of(choices::retry_places)}, s.at);
  v.field(
    {"delay", "before a refused task is queued again; 0s: at once (Omega's code: 1s)", at_least(0)},
    s.delay);
  v.field(
    {"factor", "each further delay of a task is so many times the one before", between(1, 1000)},
    s.factor);
  v.field({"max_delay", "that delays grow to; 0s: no limit", at_least(0)}, s.max_delay);
  v.field({"jitter", "share by which a delay is longer or shorter, at random", between(0, 1)},
          s.jitter);
  v.field({"wait_for_refresh",
           "a refused task waits until the view of the partition has been refreshed with what was "
           "in its way (Nomad's RefreshIndex), and for the delay"},
          s.wait_for_refresh);
}

template <class Visitor>
void describe(Visitor& v, scheduler_settings& s) {
  v.field(
    {"actor",
     "placing: places tasks on a view; sparrow: probes machines; hybrid: the group has some of "
     "each, see [hybrid]; unless set, it follows the architecture",
     one_of(choices::scheduler_actors)},
    s.actor);
  v.field({"policy", "how machines are picked", one_of(choices::policies())}, s.policy);
  v.field({"t_job", "decision time per job (Omega)", at_least(0)}, s.t_job);
  v.field({"t_task", "decision time per task; 500us are 2,000 tasks/s", more_than(0)}, s.t_task);
  v.field({"batch", "tasks decided on at once", between(1, max_amount)}, s.batch);
  v.field({"max_attempts", "placements tried before a task is abandoned; 0: no limit",
           between(0, 1'000'000'000)},
          s.max_attempts);
  v.field({"commit_timeout", "an unanswered commit is sent again after this time", more_than(0)},
          s.commit_timeout);
  v.field({"preemption",
           "a task that finds no room takes that of running tasks of lower priority, which start "
           "anew later; not with sync plans offers and none"},
          s.preemption);
  v.field({"aging",
           "one step of priority is worth so much waiting, so that low priorities do not starve; "
           "0s: higher priorities always go first",
           at_least(0)},
          s.aging);
  v.field(
    {"own_share",
     "of N schedulers, partition p is the own one of number p mod N: soft: it looks elsewhere "
     "only where its own have no room; hard: it never does; unless set, it follows the "
     "architecture",
     one_of(choices::sharings)},
    s.own_share);
  v.field({"code_paths",
           "in a pool: multi: a job costs the t_job and t_task of its group; single: every job "
           "costs the greatest t_job and the greatest t_task of all groups (Omega)",
           one_of(choices::code_paths)},
          s.code_paths);
  v.field({"look_past",
           "tasks without a machine that those behind them may overtake at a time; 0: none, a task "
           "that finds no machine keeps the others waiting",
           between(0, max_amount)},
          s.look_past);
  v.field({"preferences",
           "heeds what task classes prefer; false: places every task by the machines' own scores "
           "(quality counts the class's scores in either case)"},
          s.preferences);
  v.field({"commit",
           "incremental: each placement is granted or refused on its own; all-or-nothing: one "
           "conflict aborts all tasks of the job that were decided on together (Omega)",
           one_of(choices::commits)},
          s.commit);
  v.field({"max_empty_attempts",
           "attempts that place no task of a job after which all of it is abandoned (Omega's code: "
           "100); 0: no limit",
           between(0, 1'000'000'000)},
          s.max_empty_attempts);
  v.field({"candidates",
           "machines offered to the owner for each placement, which it tries in turn; the further "
           "ones are of the same owner, and the view is charged with the first only",
           between(1, 100)},
          s.candidates);
  v.field({"keep_away",
           "a machine that refused is not picked for this long unless no other one fits; 0s: it "
           "may be picked at once",
           at_least(0)},
          s.keep_away);
  v.table({"retry", "when and where refused tasks are queued again"}, s.retry);
}

template <class Visitor>
void describe(Visitor& v, policy_settings& s) {
  v.field({"tau", "adaptive: mean delay above which it goes latency-first", more_than(0)}, s.tau);
  v.field({"ema_weight", "adaptive: weight of the newest delay in the moving average",
           allowed{.min = 0, .max = 1, .above_min = true}},
          s.ema_weight);
  v.field({"scan",
           "best-fit, worst-fit: machines looked at for a task, from a random one on, and more "
           "where none of them has room; 0: all",
           between(0, 10'000'000)},
          s.scan);
}

template <class Visitor>
void describe(Visitor& v, sparrow_settings& s) {
  v.field({"probing",
           "random: tasks go to random machines; per-task: each to the shortest of a few queues; "
           "batch: those of a job to the shortest of many; late-binding: machines ask for tasks "
           "when they have room",
           one_of(choices::probings)},
          s.probing);
  v.field({"cancellation", "late binding: reservations no longer needed are cancelled"},
          s.cancellation);
  v.field({"ratio", "probes or reservations per task", between(1, 1000)}, s.ratio);
  v.field({"adaptive_ratio",
           "the ratio follows the load: so many probes that as many of them as there are tasks can "
           "be expected to meet a machine with room"},
          s.adaptive_ratio);
  v.field({"ratio_min", "least ratio where it follows the load", between(1, 1000)}, s.ratio_min);
  v.field({"ratio_max", "greatest ratio where it follows the load", between(1, 1000)}, s.ratio_max);
  v.field(
    {"queue",
     "on machines; fifo: first in, first out; priority: strictly by the jobs' priority; fair: "
     "between tenants, by their weights",
     one_of(choices::queues)},
    s.queue);
  v.field({"watch_machines",
           "every scheduler monitors every machine, and runs elsewhere what was on those that die"},
          s.watch_machines);
}

template <class Visitor>
void describe(Visitor& v, hybrid_settings& s) {
  v.field({"cutoff",
           "jobs whose tasks are estimated to take so long are placed on a view, shorter "
           "ones by probing",
           at_least(0)},
          s.cutoff);
  v.field({"long_schedulers", "how many schedulers of each group place the long jobs",
           between(1, max_schedulers)},
          s.long_schedulers);
  v.field({"reserved", "share of the partitions, rounded, on which long jobs are not placed",
           allowed{.min = 0, .max = 1, .below_max = true}},
          s.reserved);
  v.field({"steal_attempts",
           "machines that an idle one asks, one after the other, for what waits behind a long task",
           between(0, 1'000'000)},
          s.steal_attempts);
}

template <class Visitor>
void describe(Visitor& v, phase_settings& s) {
  v.field({"length", "how long the phase lasts", more_than(0)}, s.length);
  v.field({"rate", "tasks submitted to the whole group", between(0, 1'000'000'000), "tasks/s"},
          s.rate);
  v.field({"load",
           "instead of rate: share of the tasks that the group can decide on, one for each t_task "
           "and its part of t_job",
           between(0, 1000)},
          s.load);
}

template <class Visitor>
void describe(Visitor& v, distribution_settings& s) {
  v.field({"kind", "which distribution", one_of(choices::distributions)}, s.kind);
  v.field({"value", "fixed: the value; exponential: the mean",
           allowed{.min = 0, .max = 1e9, .above_min = true}},
          s.value);
  v.field({"mu", "lognormal: mean of the logarithm", between(-50, 50)}, s.mu);
  v.field({"sigma", "lognormal: standard deviation of the logarithm", between(0, 20)}, s.sigma);
  v.field({"levels", "quantiles: shares, rising from 0 to 1", between(0, 1)}, s.levels);
  v.field({"values", "quantiles: the value at each level, linear in between", between(0, 1e9)},
          s.values);
  v.field({"min", "smaller values are raised to this", between(0, 1e9)}, s.min);
  v.field(
    {"max", "greater values are cut to this", allowed{.min = 0, .max = 1e9, .above_min = true}},
    s.max);
}

template <class Visitor>
void describe(Visitor& v, request_settings& s) {
  v.field({"weight", "how often, relative to the other requests", more_than(0)}, s.weight);
  describe_amounts(v, s);
  v.field({"constraints", "what its machines must meet beside the workload's constraints"},
          s.constraints);
}

template <class Visitor>
void describe(Visitor& v, trace_settings& s) {
  v.field({"from", "jobs submitted earlier are left out", at_least(0)}, s.from);
  v.field({"to", "jobs submitted then or later are left out; 0s: to the end", at_least(0)}, s.to);
  v.field({"speedup", "times between submissions are divided by this",
           allowed{.min = 0, .max = 1'000'000, .above_min = true}},
          s.speedup);
  v.field({"replicas", "every job is submitted so many times", between(1, 100'000)}, s.replicas);
  v.field({"jitter", "submissions are delayed by up to this, uniformly", at_least(0)}, s.jitter);
}

template <class Visitor>
void describe(Visitor& v, workload_settings& s) {
  v.field({"kind",
           "phases: constant rates, one after the other; burst: one job for each scheduler "
           "of the group, all at once; trace: jobs from a file",
           one_of(choices::workloads)},
          s.kind);
  v.field({"arrivals", "phases: how jobs follow each other", one_of(choices::arrivals)},
          s.arrivals);
  v.field({"bursts", "burst: how many, one after the other", between(1, 1'000'000'000)}, s.bursts);
  v.field({"burst_start", "burst: when the first one comes", at_least(0)}, s.burst_start);
  v.field({"burst_interval", "burst: from one to the next", more_than(0)}, s.burst_interval);
  v.field({"duration_per_job", "all tasks of a job last equally long"}, s.duration_per_job);
  v.field({"jobs", "number of jobs after which the workload ends; 0: no limit", at_least(0)},
          s.jobs);
  v.field({"cpu", "each task asks for; all zero: one slot", between(0, max_amount), "cores"},
          s.cpu);
  v.field({"memory", "each task asks for", between(0, max_amount), "GiB"}, s.memory);
  v.field({"gpu", "each task asks for", between(0, max_amount), "cards"}, s.gpu);
  v.field({"slots", "each task asks for", between(0, max_amount)}, s.slots);
  v.field({"tenant", "whose jobs they are: the name of one of the tenants; empty: the first"},
          s.tenant);
  v.field({"priority", "higher goes first", between(-1000, 1000)}, s.priority);
  v.field({"gang", "the tasks of a job start together or not at all"}, s.gang);
  v.field({"spread", "no two tasks of a job on one machine (anti-affinity)"}, s.spread);
  v.field({"constraints",
           "what a machine's attributes must meet, each like disk == ssd, zone != b, gpu in "
           "A100,V100, cores > 16 or cores < 64"},
          s.constraints);
  v.field(
    {"task_class", "what the tasks prefer: the name of one of the task classes; empty: nothing"},
    s.task_class);
  v.field({"estimate_error",
           "a generated job's estimate is its mean duration times a factor, uniform from 1 - this "
           "to 1 + this",
           between(0, 1)},
          s.estimate_error);
  v.field({"file", "trace: path, from where the run is started"}, s.file);
  v.field({"tick", "submissions are handed over this often", more_than(0)}, s.tick);
  v.list({"phases", "stretches of constant load; exactly one of rate and load each"}, s.phases,
         phase_settings{});
  v.list({"requests", "what tasks ask for instead: one of these, drawn by weight for each job"},
         s.requests, request_settings{});
  v.table({"duration", "how long a task runs, in seconds"}, s.duration);
  v.table({"tasks_per_job", "how many tasks a job has, rounded, at least 1"}, s.tasks_per_job);
  v.table({"trace", "which part of the file, and how"}, s.trace);
}

template <class Visitor>
void describe(Visitor& v, task_class_settings& s) {
  v.field({"name", "name of the class, for workload.task_class"}, s.name);
  v.field({"prefers",
           "weights of what a machine's attributes may meet, as { \"disk == ssd\" = 0.7 }; its "
           "score counts for so many times exp(the sum of the weights of what it meets)",
           between(-20, 20)},
          s.prefers);
}

template <class Visitor>
void describe(Visitor& v, tenant_settings& s) {
  v.field({"name", "name of the tenant, for workload.tenant and in the results"}, s.name);
  v.field({"weight", "its due share, relative to the other tenants'", more_than(0)}, s.weight);
  v.field({"min",
           "while it has less than this share of the cluster, by the resource of which it has "
           "most, it is served before tenants that have theirs",
           between(0, 1)},
          s.min);
  v.field({"max", "it is given no more than this share of the cluster",
           allowed{.min = 0, .max = 1, .above_min = true}},
          s.max);
}

template <class Visitor>
void describe(Visitor& v, offers_settings& s) {
  v.field({"interval", "what is free is offered this often", more_than(0)}, s.interval);
  v.field({"filter",
           "what a scheduler left of an offer is not offered to it again for this long; 0s: no "
           "filter",
           at_least(0)},
          s.filter);
  v.field({"timeout", "an offer not answered by then is taken back; 0s: never", at_least(0)},
          s.timeout);
  v.field({"whole",
           "all that is free goes to the scheduler whose turn it is (Omega's simulation of Mesos); "
           "else each machine goes to whose turn it is then, as in Mesos itself"},
          s.whole);
  v.field({"tasks", "tasks that a scheduler places before it answers its offers; 0: no limit",
           between(0, max_amount)},
          s.tasks);
}

template <class Visitor>
void describe(Visitor& v, group_offers_settings& s) {
  v.field({"weight",
           "each of its schedulers' due share of the offers, relative to the others': the least "
           "dominant share divided by this goes first (weighted DRF)",
           more_than(0)},
          s.weight);
}

template <class Visitor>
void describe(Visitor& v, group_settings& s) {
  v.field({"name", "name of the group, in all results"}, s.name);
  v.field({"schedulers", "schedulers in the group; 0: all, if it is the only group",
           between(0, max_schedulers)},
          s.schedulers);
  v.table({"offers", "two-level: the group's due"}, s.offers);
  v.overlay({"scheduler", "as in [scheduler]"}, s.scheduler);
  v.overlay({"policy", "as in [policy]"}, s.policy);
  v.overlay({"workload", "as in [workload]"}, s.workload);
}

/// Returns a group that takes everything from the top level of `s`.
inline group_settings default_group(const run_settings& s) {
  return {.scheduler = s.scheduler, .policy = s.policy, .workload = s.workload};
}

template <class Visitor>
void describe(Visitor& v, run_settings& s) {
  v.field({"name", "names the run and the folder of its results"}, s.name);
  v.field(
    {"architecture", "how schedulers share the cluster's state", one_of(choices::architectures)},
    s.architecture);
  v.field({"clock", "virtual: simulated time, deterministic; real: the wall clock",
           one_of(choices::clocks)},
          s.clock);
  v.field({"seed", "of all random numbers; equal seeds give equal results", at_least(0)}, s.seed);
  v.field(
    {"duration", "how long; 0s: until the workload and all of its tasks have ended", at_least(0)},
    s.length);
  v.field({"interval", "the results have a row per interval and group", more_than(0)}, s.interval);
  v.field({"warmup", "jobs submitted earlier are left out of delays, response times and quality",
           at_least(0)},
          s.warmup);
  v.field(
    {"schedulers", "number of schedulers, in all groups together", between(1, max_schedulers)},
    s.schedulers);
  v.field({"pool",
           "schedulers that serve all groups in common, as [scheduler] and [policy] say; the "
           "groups' schedulers then only say what a load is a share of; 0: each group has its own; "
           "unless set, it follows the architecture",
           between(0, max_schedulers)},
          s.pool);
  v.table({"cluster", "the machines"}, s.cluster);
  v.table({"sync", "how views are refreshed"}, s.sync);
  v.table({"network", "how messages travel"}, s.network);
  v.table({"executor", "how machines run tasks"}, s.executor);
  v.table({"owner", "partition owners"}, s.owner);
  v.table({"offers", "two-level: what the allocator offers"}, s.offers);
  v.table({"scheduler", "every scheduler, unless its group says otherwise"}, s.scheduler);
  v.table({"policy", "how policies are tuned"}, s.policy);
  v.table({"sparrow", "schedulers that probe machines, and the queues of these"}, s.sparrow);
  v.table({"hybrid", "groups with schedulers of both kinds (Hawk)"}, s.hybrid);
  v.table({"workload", "what each group of schedulers is given to do"}, s.workload);
  v.list({"task_classes", "kinds of tasks that prefer some machines to others"}, s.task_classes,
         task_class_settings{});
  v.list({"tenants", "those who share the cluster; none: a single one. With sync plans offers and "
                     "none, schedulers do not know what tenants use, and serve them alike"},
         s.tenants, tenant_settings{});
  v.list({"groups", "schedulers that differ in load, policy or speed; none: one group named all. "
                    "What a group does not set is taken from the tables above"},
         s.groups, default_group(s));
}

} // namespace troupe
