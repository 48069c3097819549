#pragma once

#include "settings/schema/field_info.hpp"

/// The settings of traces, of jobs and of machines, in the form that fields.hpp describes.
namespace troupe {

template <class Visitor>
void describe(Visitor& v, trace_settings& s) {
  v.field({"format", "what the file holds; auto: it is recognised", one_of<trace_format>()},
          s.format);
  v.field({"from", "jobs submitted earlier are left out", at_least(0)}, s.from);
  v.field({"to", "jobs submitted then or later are left out; 0s: to the end", at_least(0)}, s.to);
  v.field({"speedup", "times between submissions are divided by this",
           allowed{.min = 0, .max = 1'000'000, .above_min = true}},
          s.speedup);
  v.field({"duration_speedup", "durations of tasks are divided by this",
           allowed{.min = 0, .max = 1'000'000, .above_min = true}},
          s.duration_speedup);
  v.field({"sample", "share of the jobs that is kept, chosen by a hash of their names",
           allowed{.min = 0, .max = 1, .above_min = true}},
          s.sample);
  v.field({"replicas", "number of times that every job is submitted", between(1, 100'000)},
          s.replicas);
  v.field({"jitter", "submissions are delayed by up to this, uniformly", at_least(0)}, s.jitter);
  v.field({"max_duration", "longer tasks are cut to this; 0s: no limit", at_least(0)},
          s.max_duration);
  v.field({"unfinished",
           "google2011: how to treat tasks whose end the trace does not show; cut: they end "
           "with the trace, or with the horizon; drop: they are left out",
           one_of<unfinished_kind>()},
          s.unfinished);
  v.field({"horizon",
           "google2011: events later than this after the submission of a job are ignored; the "
           "reader keeps the jobs of this period in memory",
           more_than(0)},
          s.horizon);
  v.field({"gangs", "swf: the processes of a job start together or not at all"}, s.gangs);
  v.field({"memory", "swf: each process asks for one core and the memory in the log, instead of "
                     "the amounts in [workload]"},
          s.memory);
  v.field({"processors",
           "swf: how many processors a job gets; requested: the requested number (field 8); used: "
           "the allocated number (field 5); if the log lacks this number, the other one",
           one_of<processors_kind>()},
          s.processors);
  v.field({"think_times", "swf: a job with a preceding job (field 17) is submitted one think time "
                          "(field 18) after the end of the preceding job; else at the logged time"},
          s.think_times);
  v.field(
    {"keep_times",
     "jobs keep their times in the window; else the run begins with the first of them, unless "
     "machines join and leave (cluster.trace.churn)"},
    s.keep_times);
}

template <class Visitor>
void describe(Visitor& v, machine_trace_settings& s) {
  v.field({"file", "path of a trace's table of machines, or of a directory that contains it; "
                   "empty: the machines are those of [cluster]"},
          s.file);
  v.field({"format", "what the file holds; auto: it is recognised", one_of<trace_format>()},
          s.format);
  v.field({"from", "time of the trace at which the run begins", at_least(0)}, s.from);
  v.field({"speedup", "times between changes of machines are divided by this",
           allowed{.min = 0, .max = 1'000'000, .above_min = true}},
          s.speedup);
  v.field({"sample", "share of the machines that is kept, chosen by a hash of their names",
           allowed{.min = 0, .max = 1, .above_min = true}},
          s.sample);
  v.field({"churn",
           "machines join, leave and change as in the trace; else they stay as at the beginning"},
          s.churn);
}

} // namespace troupe
