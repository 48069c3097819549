#include "runtime/swarm/rows.hpp"

#include <vector>

// The settings that no row of a swarm draws.
namespace troupe {

std::span<const undrawn_setting> undrawn_settings() {
  static const std::vector<undrawn_setting> all = {
    {"name", "it names results"},
    {"clock", "the mode of the swarm determines it"},
    {"seed", "each draw has its own"},
    {"duration", "a run ends when all tasks are over; in real time the mode determines it"},
    {"interval", "it divides results into rows"},
    {"warmup", "it leaves jobs out of results"},
    {"plugins.", "libraries are loaded before the draw"},
    {"cluster.fragment.", "it affects only results"},
    {"cluster.trace.format", "it is recognised"},
    {"cluster.trace.from", "the trace of a swarm is as long as a run"},
    {"cluster.trace.speedup", "likewise"},
    {"cluster.trace.sample", "likewise"},
    {"scheduler.actor", "it follows the architecture; those of loaded plugins are drawn"},
    {"workload.trace.format", "it is recognised"},
    {"workload.trace.from", "the log of a swarm is as long as a run"},
    {"workload.trace.to", "likewise"},
    {"workload.trace.sample", "likewise"},
    {"workload.trace.replicas", "likewise"},
    {"workload.trace.jitter", "it moves submissions, which the log spreads"},
    {"workload.trace.max_duration", "the tasks of the log are short"},
    {"workload.trace.unfinished", "it is about traces of other formats"},
    {"workload.trace.horizon", "likewise"},
    {"workload.trace.memory", "the log says nothing of memory"},
    {"workload.trace.keep_times", "the log begins with the run"},
    {"workload.store", "a swarm generates its jobs"},
    {"faults.", "chaos draws the failures; shrinking writes them as faults.at"},
    {"chaos.patience", "it limits how long the audit waits for the end"},
  };
  return all;
}

std::string_view swarm_base() {
  return R"(name = "swarm"

[sync]
gap = "600ms"

[network]
latency = "2ms"
machine_latency = "1ms"

[scheduler]
t_task = "1ms"
commit_timeout = "1s"

[failures]
standby_owners = 1
standby_schedulers = 1

[workload]
duration = { value = 1 }
tasks_per_job = { value = 2 }

[chaos]
patience = "300s"
)";
}

} // namespace troupe
