#pragma once

#include "settings/schema/fields_cluster.hpp"
#include "settings/schema/fields_failures.hpp"
#include "settings/schema/fields_scheduler.hpp"
#include "settings/schema/fields_workload.hpp"

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

/// Returns a group with all values from the top level of `s`.
inline group_settings default_group(const run_settings& s) {
  return {.scheduler = s.scheduler, .policy = s.policy, .workload = s.workload};
}

/// Returns a change to a policy with the policy settings of the top level of `s`.
inline policy_change_settings default_change(const run_settings& s) {
  return {.policy = s.policy};
}

template <class Visitor>
void describe(Visitor& v, run_settings& s) {
  v.field({"name", "name of the run and of the folder of its results"}, s.name);
  v.field({"architecture", "how schedulers share the cluster's state", one_of<architecture_kind>()},
          s.architecture);
  v.field(
    {"clock", "virtual: simulated time, deterministic; real: the wall clock", one_of<clock_kind>()},
    s.clock);
  v.field({"seed", "seed of all random numbers; equal seeds give equal results", at_least(0)},
          s.seed);
  v.field({"duration", "length of the run; 0s: until the workload and all of its tasks have ended",
           at_least(0)},
          s.length);
  v.field({"interval", "length of an interval; the results have a row per interval and group",
           no_shorter_than(least_interval)},
          s.interval);
  v.field({"warmup",
           "jobs submitted before this time are left out of delays, response times and quality",
           at_least(0)},
          s.warmup);
  v.field({"records",
           "records in separate files: none, of each job, or also of each task (docs/records.md)",
           one_of<record_level>()},
          s.records);
  v.field(
    {"schedulers", "number of schedulers, in all groups together", between(1, max_schedulers)},
    s.schedulers);
  v.field({"pool",
           "number of schedulers that serve all groups together, with the settings of [scheduler] "
           "and [policy]; the groups' schedulers then only determine the capacity to which a load "
           "refers; 0: each group has its own schedulers; unless set, it follows the architecture",
           between(0, max_schedulers)},
          s.pool);
  v.table({"plugins", "shared libraries with further policies and schedulers"}, s.plugins);
  v.table({"cluster", "the machines"}, s.cluster);
  v.table({"sync", "how views are refreshed"}, s.sync);
  v.table({"network", "delay and loss of messages"}, s.network);
  v.table({"executor", "execution of tasks on machines"}, s.executor);
  v.table({"owner", "partition owners"}, s.owner);
  v.table({"offers", "two-level: the allocator's offers"}, s.offers);
  v.table({"scheduler", "every scheduler, unless its group overrides it"}, s.scheduler);
  v.table({"policy", "settings of the policies"}, s.policy);
  v.table({"sparrow", "schedulers that probe machines, and the machines' queues"}, s.sparrow);
  v.table({"hybrid", "groups with schedulers of both kinds (Hawk)"}, s.hybrid);
  v.table({"workload", "the jobs of each group of schedulers"}, s.workload);
  v.table({"failures", "the detection of failures, and the reaction to them"}, s.failures);
  v.table({"faults", "failures; see also troupe chaos"}, s.faults);
  v.table({"chaos", "failures that troupe chaos adds to each run"}, s.chaos);
  v.list({"task_classes", "kinds of tasks that prefer some machines to others"}, s.task_classes,
         task_class_settings{});
  v.list({"tenants", "tenants that share the cluster; none: a single one. With sync plans offers "
                     "and none, schedulers do not know the use by tenants, and serve them alike"},
         s.tenants, tenant_settings{});
  v.list({"groups", "schedulers that differ in load, policy or speed; none: one group named all. "
                    "Values that a group does not set are taken from the tables above"},
         s.groups, default_group(s));
  v.list({"policy_changes", "changes of the policy of schedulers that place tasks, during the run"},
         s.policy_changes, default_change(s));
}

} // namespace troupe
