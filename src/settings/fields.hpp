#pragma once

#include "settings/fields_cluster.hpp"
#include "settings/fields_failures.hpp"
#include "settings/fields_scheduler.hpp"
#include "settings/fields_workload.hpp"

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

/// Returns a group that takes everything from the top level of `s`.
inline group_settings default_group(const run_settings& s) {
  return {.scheduler = s.scheduler, .policy = s.policy, .workload = s.workload};
}

/// Returns a change to a policy that is tuned as the top level of `s` says.
inline policy_change_settings default_change(const run_settings& s) {
  return {.policy = s.policy};
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
  v.field(
    {"interval", "the results have a row per interval and group", no_shorter_than(least_interval)},
    s.interval);
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
  v.table({"plugins", "shared libraries with further policies and schedulers"}, s.plugins);
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
  v.table({"workload", "the jobs of each group of schedulers"}, s.workload);
  v.table({"failures", "how failures are noticed, and what happens then"}, s.failures);
  v.table({"faults", "what fails; see also troupe chaos"}, s.faults);
  v.table({"chaos", "what troupe chaos does to each run"}, s.chaos);
  v.list({"task_classes", "kinds of tasks that prefer some machines to others"}, s.task_classes,
         task_class_settings{});
  v.list({"tenants", "those who share the cluster; none: a single one. With sync plans offers and "
                     "none, schedulers do not know what tenants use, and serve them alike"},
         s.tenants, tenant_settings{});
  v.list({"groups", "schedulers that differ in load, policy or speed; none: one group named all. "
                    "What a group does not set is taken from the tables above"},
         s.groups, default_group(s));
  v.list({"policy_changes", "changes of the policy of schedulers that place tasks, during the run"},
         s.policy_changes, default_change(s));
}

} // namespace troupe
