#pragma once

#include <cstdint>
#include <string>

namespace troupe::test {

/// A cluster of 80 machines with little work, and time-outs that a test can wait for. `rate` is in
/// tasks per second.
inline std::string rows_settings(const std::string& length, std::uint64_t rate) {
  return R"(
name = "rows"
schedulers = 4

[cluster]
machines = 80
slots = 10
partitions = 8
owners = 4

[failures]
heartbeat = "200ms"
timeout = "1500ms"
machine_timeout = "4s"

[workload.tasks_per_job]
value = 4

[workload.duration]
value = 1

[[workload.phases]]
length = ")" +
         length + "\"\nrate = " + std::to_string(rate) + "\n";
}

} // namespace troupe::test
