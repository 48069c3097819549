#pragma once

#include "settings/schema/field_info.hpp"

/// The settings of failures and of their detection, in the form that fields.hpp describes.
namespace troupe {

template <class Visitor>
void describe(Visitor& v, failures_settings& s) {
  v.field({"watch",
           "whether members send heartbeats and are replaced when they are silent; auto: if there "
           "are faults",
           one_of<watch_kind>()},
          s.watch);
  v.field({"heartbeat", "interval between heartbeats", no_shorter_than(least_period)}, s.heartbeat);
  v.field({"timeout",
           "a member that is silent for longer is replaced, and no task is started on a machine "
           "that is silent for longer; more than twice the heartbeat",
           more_than(0)},
          s.timeout);
  v.field(
    {"machine_timeout",
     "a machine that is silent for longer is given up, and its tasks are lost; without contact "
     "to its owner, or to a task's scheduler, it stops its tasks after nine tenths of this "
     "time; at least the timeout",
     more_than(0)},
    s.machine_timeout);
  v.field({"owner_lease",
           "how long an owner, or a scheduler that probes machines, acts without contact to the "
           "master; a new one waits as long for machines that it cannot reach; 0s: no limit, and "
           "a new one waits only until machines have not answered for the machine timeout",
           at_least(0)},
          s.owner_lease);
  v.field({"retries",
           "number of runs of a task that may be lost with machines before the task counts as "
           "lost; 0: no limit",
           between(0, 1'000'000)},
          s.retries);
  v.field({"standby_owners", "standby owners, which can replace others", between(0, 1000)},
          s.standby_owners);
  v.field({"standby_schedulers", "standby schedulers, which can replace others", between(0, 1000)},
          s.standby_schedulers);
}

template <class Visitor>
void describe(Visitor& v, timed_fault_settings& s) {
  v.field(
    {"kind",
     "kill: the target dies and is restarted; freeze: it is suspended; drain: a machine starts no "
     "more tasks, and is restarted; cut, loss, delay: messages between target and other are "
     "lost, lost with a probability, or late",
     one_of<fault_kind>()},
    s.kind);
  v.field({"target", "machine.3, owner.0, scheduler.1, master, allocator; with cut, loss and delay "
                     "also machine.* and "
                     "the like, or *"},
          s.target);
  v.field({"other", "cut, loss, delay: the other side"}, s.other);
  v.field({"time", "time of the failure, since the start of the run", at_least(0)}, s.time);
  v.field({"duration", "length of the failure; 0s: without end", at_least(0)}, s.length);
  v.field({"loss", "loss: share of lost messages", between(0, 1)}, s.loss);
  v.field({"delay", "delay: additional delay of messages", at_least(0)}, s.delay);
}

template <class Visitor>
void describe(Visitor& v, random_fault_settings& s) {
  v.field({"kind", "kill or freeze", one_of<fault_kind::kill, fault_kind::freeze>()}, s.kind);
  v.field({"role", "members that fail, independently of each other",
           one_of<role::machine, role::owner, role::scheduler, role::master>()},
          s.role);
  v.field({"distribution", "distribution of the time from a repair to the next failure",
           one_of<lifetime_kind>()},
          s.distribution);
  v.field({"shape",
           "weibull: shape; below 1: early failures, 1: exponential, above 1: wear-out failures",
           between(0.05, 50)},
          s.shape);
  v.field({"mttf", "mean time to failure", more_than(0)}, s.mttf);
  v.field({"mttr", "mean time to repair, exponential", more_than(0)}, s.mttr);
}

template <class Visitor>
void describe(Visitor& v, faults_settings& s) {
  v.list({"at", "failures at given times"}, s.at, timed_fault_settings{});
  v.list({"random", "failures at random times"}, s.random, random_fault_settings{});
  v.field({"trace", "file of failures, one per line: time in s, kind, target, duration in s; # "
                    "starts a comment; empty: no file"},
          s.trace);
  v.field({"until", "no failure begins later; 0s: no limit", at_least(0)}, s.until);
}

template <class Visitor>
void describe(Visitor& v, chaos_settings& s) {
  v.field({"faults",
           "greatest number of failures in each run, in addition to those of [faults]; 0: only "
           "those of [faults]",
           between(0, 1000)},
          s.faults);
  v.field({"kinds", "kinds of failures: any of machine, owner, scheduler, master, allocator "
                    "(killed or frozen), cut, loss, delay, drain"},
          s.kinds);
  v.field({"window", "failures begin within this time after the start of a run", more_than(0)},
          s.window);
  v.field({"longest", "greatest length of a failure", more_than(0)}, s.longest);
  v.field(
    {"patience", "longest time after the last failure without the end of a task", more_than(0)},
    s.patience);
  v.field({"withdrawals",
           "share of the jobs that are withdrawn within chaos.longest of their arrival: no more of "
           "their tasks start",
           between(0, 1)},
          s.withdrawals);
  v.field({"growth",
           "the cluster begins without machines; within chaos.window machines join, leave and come "
           "back with other resources or attributes, as in a cluster for jobs, and at last all "
           "machines of [cluster] are there; machines do not fail otherwise"},
          s.growth);
}

} // namespace troupe
