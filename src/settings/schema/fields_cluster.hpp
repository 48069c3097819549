#pragma once

#include "settings/schema/field_info.hpp"
#include "settings/schema/fields_trace.hpp"

/// The settings of machines, sync, network and executors, in the form that fields.hpp describes.
namespace troupe {

template <class Visitor>
void describe(Visitor& v, machine_class& s) {
  v.field({"name", "name of the class"}, s.name);
  v.field({"share", "part of all machines, relative to the other classes", more_than(0)}, s.share);
  describe_amounts(v, s);
  v.field({"attributes", "attributes of the machines of the class, as { key = \"value\" }"},
          s.attributes);
}

template <class Visitor>
void describe(Visitor& v, score_settings& s) {
  v.field({"distribution", "distribution of the machines' scores; constant: all are exp(mu)",
           one_of<score_distribution>()},
          s.distribution);
  v.field({"mu", "mean of the logarithm of a score", between(-20, 20)}, s.mu);
  v.field({"sigma", "standard deviation of the logarithm of a score", between(0, 10)}, s.sigma);
}

template <class Visitor>
void describe(Visitor& v, cluster_settings& s) {
  v.field({"machines",
           "number of machines; with workload.kind = \"jobs\" the greatest number at a time; a "
           "trace of machines replaces it",
           between(1, 10'000'000)},
          s.machines);
  v.field({"slots", "slots per machine if there are no classes", between(1, max_amount)}, s.slots);
  v.field({"partitions",
           "parts into which the machines are divided for sync; at most one per machine",
           between(1, 10'000'000)},
          s.partitions);
  v.field({"owners",
           "actors that hold the authoritative state of the partitions; at most one per partition",
           between(1, 10'000'000)},
          s.owners);
  v.list({"classes", "kinds of machines; none: all machines are alike and have only slots"},
         s.classes, machine_class{});
  v.field({"windows",
           "path of a table of maintenance windows and advance reservations, in CSV; empty: there "
           "are none"},
          s.windows);
  v.table({"score", "the score of a machine, which is the quality of a placement on it"}, s.score);
  v.table({"unit",
           "the amount that machine sampling counts as one place; machines with less room are used "
           "only for tasks that ask for less, when no free unit is suitable; all zero: one slot "
           "or, if the classes have no slots, one core with the memory per core of the cluster"},
          amounts_of{s.unit_cpu, s.unit_memory, s.unit_gpu, s.unit_slots});
  v.table({"fragment", "free resources on machines without room for this amount count as stranded "
                       "in the results; all zero: the unit"},
          amounts_of{s.fragment_cpu, s.fragment_memory, s.fragment_gpu, s.fragment_slots});
  v.table({"trace", "machines from a trace, instead of the settings above"}, s.trace);
}

template <class Visitor>
void describe(Visitor& v, sync_settings& s) {
  v.field(
    {"plan",
     "partitioned: in each round, different partitions for each scheduler (ParSync); full: all "
     "partitions at once (StateSync); same: in each round, the same partitions for all schedulers; "
     "exclusive: no rounds, each scheduler updates its view by its own tasks, and no other "
     "scheduler places tasks on its machines; offers: an allocator offers free resources to one "
     "scheduler at a time; none: schedulers have no view; unless set, it follows the architecture",
     one_of<sync_plan_kind>()},
    s.plan);
  v.field({"gap", "time in which each view is refreshed once completely (G)",
           no_shorter_than(least_period)},
          s.gap);
  v.field({"groups",
           "sync groups per gap (M); the schedulers of a group are refreshed together; at most one "
           "group per scheduler; 0: one per scheduler",
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
  v.field({"latency", "one-way latency between master, owners and schedulers", at_least(0)},
          s.latency);
  v.field({"jitter", "uniform addition to the latency, from 0 to this", at_least(0)}, s.jitter);
  v.field({"loss", "share of lost messages", allowed{.min = 0, .max = 1, .below_max = true}},
          s.loss);
  v.field({"machine_latency", "one-way latency between owners and machines", at_least(0)},
          s.machine_latency);
  v.list({"cuts", "times in which all messages between two sides are lost"}, s.cuts,
         cut_settings{.to = std::chrono::seconds{1}});
}

template <class Visitor>
void describe(Visitor& v, executor_settings& s) {
  v.field(
    {"tick", "interval at which task ends are collected and reported", no_shorter_than(least_tick)},
    s.tick);
}

} // namespace troupe
