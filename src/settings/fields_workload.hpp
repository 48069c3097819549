#pragma once

#include "settings/field_info.hpp"
#include "settings/fields_trace.hpp"

/// The settings of workloads, task classes and tenants, described as fields.hpp says.
namespace troupe {

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
  v.field({"file",
           "trace: path of a file, or of a directory with its tables, from where the run is "
           "started"},
          s.file);
  v.field({"tick", "submissions are handed over this often", no_shorter_than(least_tick)}, s.tick);
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

} // namespace troupe
