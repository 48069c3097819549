#pragma once

#include "settings/field_info.hpp"
#include "settings/fields_trace.hpp"

/// The settings of machines, sync, network and executors, described as fields.hpp says.
namespace troupe {

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
  v.field(
    {"machines", "number of machines; with a trace, as many as it has", between(1, 10'000'000)},
    s.machines);
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
  v.table({"unit",
           "what machine sampling counts as one place: machines with room for less are looked "
           "at only for tasks that ask for less, once no free unit serves them; all "
           "zero: one slot, or, where the classes have no slots, one core with the memory "
           "per core of the cluster"},
          amounts_of{s.unit_cpu, s.unit_memory, s.unit_gpu, s.unit_slots});
  v.table({"fragment", "what is free on machines without room for this counts as stranded, in the "
                       "results; all zero: the unit"},
          amounts_of{s.fragment_cpu, s.fragment_memory, s.fragment_gpu, s.fragment_slots});
  v.table({"trace", "machines from a trace instead of those described above"}, s.trace);
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
  v.field(
    {"gap", "time in which each view is wholly refreshed once (G)", no_shorter_than(least_period)},
    s.gap);
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
  v.field({"tick", "task ends are collected and reported this often", no_shorter_than(least_tick)},
          s.tick);
}

} // namespace troupe
