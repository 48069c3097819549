#include "runtime/run.hpp"
#include "settings/read.hpp"

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

/// Runs a cluster and returns what its schedulers counted over all of it.
scheduler_sample totals_of(const std::string& text) {
  no_monitor nobody;
  const auto results = run(parse_settings(text, "test.toml"), nobody);
  scheduler_sample sum;
  for (const auto& interval : results.series)
    sum.merge(interval.sample);
  for (const auto& check : results.checks)
    CHECK_MESSAGE(check.passed, check.name << ": " << check.detail);
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
