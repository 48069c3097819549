#pragma once

#include "settings/schema/field_info.hpp"
#include "settings/schema/fields_trace.hpp"

/// The settings of workloads, task classes and tenants, in the form that fields.hpp describes.
namespace troupe {

template <class Visitor>
void describe(Visitor& v, phase_settings& s) {
  v.field({"length", "length of the phase", more_than(0)}, s.length);
  v.field(
    {"rate", "rate of tasks submitted to the whole group", between(0, 1'000'000'000), "tasks/s"},
    s.rate);
  v.field({"load",
           "instead of rate: share of the number of tasks on which the group can decide, where a "
           "task takes t_task and its part of t_job",
           between(0, 1000)},
          s.load);
}

template <class Visitor>
void describe(Visitor& v, distribution_settings& s) {
  v.field({"kind", "kind of distribution", one_of<distribution_kind>()}, s.kind);
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
  v.field({"weight", "frequency, relative to the other requests", more_than(0)}, s.weight);
  describe_amounts(v, s);
  v.field({"constraints", "constraints on its machines, in addition to the workload's"},
          s.constraints);
}

template <class Visitor>
void describe(Visitor& v, lublin_settings& s) {
  v.field(
    {"jobs", "kind of the jobs; all: batch and interactive jobs together", one_of<lublin_jobs>()},
    s.jobs);
  v.field({"processors", "number of processors of the modelled machine", between(2, 1'000'000)},
          s.processors);
  v.field({"interarrival_factor", "times between submissions are multiplied by this",
           allowed{.min = 0, .max = 1'000'000, .above_min = true}},
          s.interarrival_factor);
  v.field({"duration_factor", "run times, of 45 h at most, are multiplied by this",
           allowed{.min = 0, .max = 6000, .above_min = true}},
          s.duration_factor);
  v.field({"time_of_day", "time since midnight at which the run begins",
           allowed{.min = 0, .max = 86'400, .below_max = true, .durations = true}},
          s.time_of_day);
}

template <class Visitor>
void describe(Visitor& v, moldable_settings& s) {
  v.field({"share",
           "share of the gangs with an estimate whose width is chosen by scheduler.width; their "
           "tasks must last equally long",
           between(0, 1)},
          s.share);
  v.field({"min_width", "least width, as a multiple of the requested one",
           allowed{.min = 0, .max = 1, .above_min = true}},
          s.min_width);
  v.field(
    {"max_width", "greatest width, as a multiple of the requested one", between(1, 1'000'000)},
    s.max_width);
  v.field({"speedup",
           "how much faster a job is on more processors; linear: n times; amdahl: by "
           "serial_fraction; downey: by parallelism and sigma (Downey, UCB/CSD-97-933, 1997)",
           one_of<speedup_kind>()},
          s.speedup);
  v.field(
    {"serial_fraction", "amdahl: share of the work that only one processor can do", between(0, 1)},
    s.serial_fraction);
  v.field({"parallelism",
           "downey: average parallelism, the limit of the speedup, as a multiple of the requested "
           "width",
           allowed{.min = 0, .max = 1'000'000, .above_min = true}},
          s.parallelism);
  v.field({"sigma", "downey: coefficient of variance of the parallelism; 0: linear up to the limit",
           between(0, 1000)},
          s.sigma);
}

template <class Visitor>
void describe(Visitor& v, workload_settings& s) {
  v.field({"kind",
           "phases: constant rates, one after the other; burst: one job for each scheduler of the "
           "group, all at once; trace: jobs from a file; jobs: jobs that clients submit to a "
           "cluster, whose machines are hosts and run the commands; lublin: parallel jobs of the "
           "model of Lublin and Feitelson (JPDC 63(11), 2003)",
           one_of<workload_kind>()},
          s.kind);
  v.field({"arrivals", "phases: arrival process of jobs", one_of<arrival_kind>()}, s.arrivals);
  v.field({"bursts", "burst: number of bursts, one after the other", between(1, 1'000'000'000)},
          s.bursts);
  v.field({"burst_start", "burst: time of the first one", at_least(0)}, s.burst_start);
  v.field({"burst_interval", "burst: time from one to the next", more_than(0)}, s.burst_interval);
  v.field({"duration_per_job", "all tasks of a job have the same duration"}, s.duration_per_job);
  v.field({"stages",
           "number of stages of a generated job, among which its tasks are divided evenly, at most "
           "one stage per task; each stage waits until all tasks of the one before are over",
           between(1, 1000)},
          s.stages);
  v.field({"jobs", "number of jobs after which the workload ends; 0: no limit", at_least(0)},
          s.jobs);
  v.field({"cpu", "demand of each task; all zero: one slot", between(0, max_amount), "cores"},
          s.cpu);
  v.field({"memory", "each task asks for", between(0, max_amount), "GiB"}, s.memory);
  v.field({"gpu", "each task asks for", between(0, max_amount), "cards"}, s.gpu);
  v.field({"slots", "each task asks for", between(0, max_amount)}, s.slots);
  v.field({"tenant", "tenant of the jobs: the name of one of the tenants; empty: the first"},
          s.tenant);
  v.field({"priority", "higher priorities go first", between(-1000, 1000)}, s.priority);
  v.field({"gang", "the tasks of a job start together or not at all"}, s.gang);
  v.field(
    {"array_limit",
     "greatest number of tasks of a job that wait for a machine or run at a time, if the job is "
     "not a gang and has no stages: the next task waits until one of them is over; 0: no limit",
     between(0, max_amount)},
    s.array_limit);
  v.field({"spread", "no two tasks of a job on one machine (anti-affinity)"}, s.spread);
  v.field({"constraints", "constraints on a machine's attributes, such as disk == ssd, zone != b, "
                          "gpu in A100,V100, cores > 16 or cores < 64"},
          s.constraints);
  v.field({"task_class", "class of the tasks, with their preferences: the name of one of the task "
                         "classes; empty: no preferences"},
          s.task_class);
  v.field({"estimate_error",
           "a generated job's estimate is its mean duration times a factor, uniform from 1 - this "
           "to 1 + this",
           between(0, 1)},
          s.estimate_error);
  v.field({"estimates",
           "a job's estimate of its run time; given: the estimate of the trace or generator; "
           "exact: its longest task's duration; factor: this duration times estimate_factor; "
           "tsafrir: drawn from a few round values, with the shape of users' estimates (Tsafrir, "
           "Etsion, Feitelson, JSSPP 2005)",
           one_of<estimate_kind>()},
          s.estimates);
  v.field({"estimate_factor", "estimates = \"factor\": ratio of the estimate to the duration",
           between(1, 1'000'000)},
          s.estimate_factor);
  v.field({"kill_at_estimate",
           "tasks that run for longer than their job's estimate are killed, and have failed"},
          s.kill_at_estimate);
  v.field({"job_metrics", "results have the waits and bounded slowdowns of jobs, and the loss of "
                          "capacity; with a scheduler.discipline they always have them"},
          s.job_metrics);
  v.field({"file", "trace: path of a file, or of a directory with its tables; relative paths start "
                   "at the current directory"},
          s.file);
  v.field({"store", "jobs: database of PostgreSQL that keeps the jobs, as "
                    "postgresql://[USER@]HOST[:PORT]/DATABASE without a password; empty: a file of "
                    "SQLite in the state directory of the node"},
          s.store);
  v.field({"tick", "interval at which submissions are handed over", no_shorter_than(least_tick)},
          s.tick);
  v.list({"phases", "stretches of constant load; exactly one of rate and load each"}, s.phases,
         phase_settings{});
  v.list(
    {"requests", "demands of tasks, instead of the above: one is drawn by weight for each job"},
    s.requests, request_settings{});
  v.table({"duration", "duration of a task, in seconds"}, s.duration);
  v.table({"tasks_per_job", "number of tasks of a job, rounded, at least 1"}, s.tasks_per_job);
  v.table({"trace", "the part of the file to use, and its changes"}, s.trace);
  v.table({"lublin", "lublin: the model"}, s.lublin);
  v.table({"moldable", "jobs whose schedulers choose how many tasks they have"}, s.moldable);
}

template <class Visitor>
void describe(Visitor& v, task_class_settings& s) {
  v.field({"name", "name of the class, for workload.task_class"}, s.name);
  v.field({"prefers",
           "weights of preferred constraints, as { \"disk == ssd\" = 0.7 }; a machine's score is "
           "multiplied by exp(the sum of the weights of the constraints that it meets)",
           between(-20, 20)},
          s.prefers);
}

template <class Visitor>
void describe(Visitor& v, tenant_settings& s) {
  v.field({"name", "name of the tenant, for workload.tenant and in the results"}, s.name);
  v.field({"weight", "due share, relative to the other tenants", more_than(0)}, s.weight);
  v.field({"min",
           "while its dominant share of the cluster is below this, it is served before tenants "
           "that have their minimum",
           between(0, 1)},
          s.min);
  v.field({"max", "greatest share of the cluster that it gets",
           allowed{.min = 0, .max = 1, .above_min = true}},
          s.max);
}

} // namespace troupe
