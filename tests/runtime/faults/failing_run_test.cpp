#include "runtime/run/run.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

class no_monitor final : public run_monitor {
public:
  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }
};

auto results_of(const std::string& text) {
  no_monitor nobody;
  auto results = run(parse_settings(text, "test.toml"), nobody);
  for (const auto& check : results.checks)
    CHECK_MESSAGE(check.passed, check.name << ": " << check.detail);
  return results;
}

/// Runs a cluster and returns what its schedulers counted over all of it.
scheduler_sample totals_of(const std::string& text) {
  scheduler_sample sum;
  for (const auto& interval : results_of(text).series)
    sum.merge(interval.sample);
  return sum;
}

} // namespace

TEST_CASE("a scheduler that is alone places nothing on machines that stand still") {
  std::string text = R"(
duration = "20s"
architecture = "monolithic"
schedulers = 1
cluster = { machines = 10, slots = 4, partitions = 2, owners = 1 }
network = { latency = "1ms" }
scheduler = { policy = "quality-first", t_task = "1ms" }
[workload]
arrivals = "poisson"
tasks_per_job = { value = 2 }
duration = { kind = "fixed", value = 6 }
phases = [{ length = "20s", rate = 3 }]
)";
  for (int m = 0; m < 5; ++m)
    text += "[[faults.at]]\nkind = 'freeze'\ntarget = 'machine." + std::to_string(m) +
            "'\ntime = '8s'\nduration = '4s'\n";
  const auto sum = totals_of(text);
  CHECK(sum.conflicts < 40);
  CHECK(sum.attempts.later.max() < 20);
}

TEST_CASE("a machine that is drained is given no tasks until it is started again") {
  for (const std::string architecture : {"parsync", "two-level", "sparrow"}) {
    CAPTURE(architecture);
    const auto results = results_of("architecture = '" + architecture + R"('
duration = "30s"
schedulers = 2
cluster = { machines = 1, slots = 8, partitions = 1, owners = 1 }
network = { latency = "1ms" }
scheduler = { t_task = "1ms" }
workload = { duration = { value = 0.2 }, phases = [{ length = "30s", rate = 10 }] }
faults = { at = [{ kind = "drain", target = "machine.0", time = "5s", duration = "6s" }] }
)");
    std::uint64_t before = 0;
    std::uint64_t drained = 0;
    std::uint64_t after = 0;
    for (const auto& interval : results.series)
      if (interval.to <= 5s)
        before += interval.sample.delay.count();
      else if (interval.from >= 6s && interval.to <= 11s)
        drained += interval.sample.delay.count();
      else if (interval.from >= 19s)
        after += interval.sample.delay.count();
    CHECK(before > 20);
    CHECK(drained == 0);
    CHECK(after > 20);
  }
}

TEST_CASE("a new scheduler decides on nothing that it has not seen") {
  const auto sum = totals_of(R"(
duration = "30s"
schedulers = 2
cluster = { machines = 20, slots = 4, partitions = 4, owners = 2 }
sync = { gap = "5s" }
scheduler = { t_task = "1ms" }
failures = { standby_schedulers = 1 }
workload = { duration = { value = 3 }, phases = [{ length = "30s", rate = 10 }] }
faults = { at = [{ kind = "kill", target = "scheduler.1", time = "20s", duration = "0s" }] }
)");
  CHECK(sum.oldest_partition >= 5s);
  CHECK(sum.oldest_partition < 8s);
  CHECK(sum.placement_age.max < 8);
}

TEST_CASE("owners that take over one after the other grant while machines stay away") {
  std::string text = R"(
duration = "40s"
schedulers = 2
cluster = { machines = 20, slots = 10, partitions = 4, owners = 2 }
sync = { gap = "500ms" }
scheduler = { t_task = "1ms" }
failures = { standby_owners = 2, standby_schedulers = 2 }
workload = { duration = { value = 1 }, phases = [{ length = "40s", rate = 20 }] }
)";
  const auto kill = [&text](const std::string& whom, const char* when) {
    text += "[[faults.at]]\nkind = 'kill'\ntarget = '" + whom + "'\ntime = '" + when +
            "'\nduration = '0s'\n";
  };
  for (const auto* machine : {"machine.0", "machine.5", "machine.10", "machine.15"})
    kill(machine, "5s");
  for (const auto* member : {"owner.0", "scheduler.0"})
    kill(member, "5s");
  for (const auto* member : {"owner.1", "scheduler.1"})
    kill(member, "9s");
  const auto results = results_of(text);
  // A second and a half until the last two are missed, half a second for machines that stay away.
  instant placed{0};
  duration longest{0};
  for (const auto& interval : results.series) {
    if (interval.sample.tasks.placed == 0)
      longest = std::max(longest, interval.to - placed);
    else
      placed = interval.to;
  }
  CHECK(longest < 4s);
}

TEST_CASE("tasks that wait for others survive the failure of the scheduler that holds them back") {
  const auto sum = totals_of(R"(
schedulers = 2
cluster = { machines = 20, slots = 4, partitions = 4, owners = 2 }
network = { latency = "1ms" }
[workload]
tasks_per_job = { value = 6 }
stages = 3
duration = { value = 1.5 }
phases = [{ length = "10s", rate = 12 }]
[[faults.at]]
kind = "kill"
target = "scheduler.0"
time = "4s"
duration = "1s"
[[faults.at]]
kind = "kill"
target = "owner.0"
time = "7s"
duration = "1s"
)");
  CHECK(sum.jobs_finished >= 18); // a scheduler that dies takes what it has counted with it
  CHECK(sum.jobs_finished <= 20);
  CHECK(sum.job_response.min() >= 4.5); // three stages of 1.5 s, one after the other
}

TEST_CASE("a takeover while the last sample is taken is an event") {
  // Whenever the run ends after the scheduler's death, the standby takes over within a second.
  for (const std::string end : {"3050ms", "3200ms", "3400ms", "5s"}) {
    CAPTURE(end);
    const auto results = results_of("duration = '" + end + R"('
schedulers = 2
cluster = { machines = 10, slots = 4, partitions = 2, owners = 1 }
failures = { timeout = "500ms", heartbeat = "100ms", standby_schedulers = 1 }
[workload]
tasks_per_job = { value = 2 }
duration = { kind = "fixed", value = 1 }
phases = [{ length = "5s", rate = 3 }]
[[faults.at]]
kind = "kill"
target = "scheduler.1"
time = "3s"
)");
    const auto is_takeover = [](const run_event& e) { return e.event == run_event_kind::takeover; };
    REQUIRE(std::ranges::count_if(results.events, is_takeover) == 1);
    CHECK(std::ranges::find_if(results.events, is_takeover)->member == "scheduler.1");
    CHECK(std::ranges::is_sorted(results.events, {}, &run_event::at));
  }
}

TEST_CASE("frameworks go on when one of them stands still, and nobody takes its place") {
  const auto placed = [](const std::string& fault) {
    std::uint64_t count = 0; // from half a minute after the fault on
    for (const auto& interval : results_of(R"(
duration = "70s"
architecture = "two-level"
schedulers = 4
cluster = { machines = 50, slots = 4, partitions = 4, owners = 2 }
scheduler = { policy = "quality-first", t_task = "1ms" }
[workload]
arrivals = "poisson"
tasks_per_job = { value = 5 }
duration = { kind = "exponential", value = 5 }
phases = [{ length = "70s", rate = 24 }]
)" + fault)
                                  .series)
      if (interval.from >= 30s)
        count += interval.sample.delay.count();
    return static_cast<double>(count);
  };
  const auto fault = [](const std::string& what) {
    return "[[faults.at]]\ntarget = 'scheduler.1'\ntime = '10s'\n" + what;
  };
  const auto all = placed("");
  // What was free was under offer to it for good.
  CHECK(placed(fault("kind = 'freeze'\nduration = '100s'\n")) > 0.65 * all);
  CHECK(placed(fault("kind = 'kill'\nduration = '0s'\n")) > 0.65 * all);
}
