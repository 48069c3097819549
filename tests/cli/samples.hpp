#pragma once

namespace troupe::test {

/// A cluster so small that a run of it takes no time.
inline constexpr const char* tiny_settings = R"(
name = "tiny"
schedulers = 2

[cluster]
machines = 20
partitions = 4
owners = 2

[scheduler]
policy = "latency-first"

[workload]
arrivals = "poisson"
duration = { kind = "exponential", value = 0.5 }

[[workload.phases]]
length = "5s"
rate = 30
)";

/// A table to add to it: a machine dies and comes back.
inline constexpr const char* one_failure =
  "\n[[faults.at]]\ntarget = \"machine.3\"\ntime = \"1s\"\nduration = \"2s\"\n";

/// The same, replaying the trace that `workload.file` names.
inline constexpr const char* tiny_trace_settings = R"(
name = "replay"
schedulers = 2

[cluster]
machines = 20
partitions = 4
owners = 2

[workload]
kind = "trace"
)";

/// Three jobs of six tasks in all.
inline constexpr const char* tiny_trace = "0.0 2 1.5 1 2\n1.5 1 0.5 0.5\n2 3 1 1 1 1 \n";

} // namespace troupe::test
