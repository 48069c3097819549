#pragma once

#include "runtime/running.hpp"

#include <string>
#include <utility>
#include <vector>

namespace troupe::test {

/// Settings in which there is much to record.
inline constexpr auto busy_config = R"(
name = "busy"
duration = "8s"
interval = "500ms"
schedulers = 4
[cluster]
partitions = 6
owners = 3
machines = 14
slots = 3
[scheduler]
t_task = "1ms"
batch = 4
[workload]
arrivals = "poisson"
phases = [{ length = "6s", rate = 40 }]
duration = { kind = "exponential", value = 1 }
tasks_per_job = { value = 3 }
)";

/// Settings in which tasks of one group have to give way to those of another one.
inline constexpr auto preempting_config = R"(
name = "groups"
duration = "8s"
interval = "500ms"
[cluster]
partitions = 4
owners = 2
machines = 12
slots = 4
[scheduler]
t_task = "1ms"
preemption = true
[workload]
arrivals = "poisson"
phases = [{ length = "7s", rate = 20 }]
duration = { kind = "exponential", value = 2 }
[[groups]]
name = "low"
schedulers = 2
[[groups]]
name = "high"
schedulers = 2
workload = { priority = 2, phases = [{ length = "7s", rate = 12 }] }
)";

/// Collects the records of a run.
class record_taker : public run_monitor {
public:
  record_batch all;

  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }
  void take_records(const record_batch& records, const run_results&) override {
    append(all.jobs, records.jobs);
    append(all.tasks, records.tasks);
    append(all.attempts, records.attempts);
  }

private:
  template <class Record>
  static void append(std::vector<Record>& to, const std::vector<Record>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }
};

struct recorded_run {
  run_settings settings;
  run_results results;
  record_batch records;
};

inline recorded_run run_recorded(std::string_view toml, std::vector<std::string> overrides,
                                 const std::string& level = "tasks") {
  overrides.push_back("records=" + level);
  recorded_run made;
  made.settings = parse_settings(toml, "test.toml", overrides);
  record_taker monitor;
  made.results = run(made.settings, monitor);
  made.records = std::move(monitor.all);
  return made;
}

} // namespace troupe::test
