#include "policies/registry.hpp"
#include "runtime/running.hpp"

#include <string>

using namespace troupe;
using namespace troupe::test;

namespace {

/// A cluster of three kinds of machines, one of them rare, and jobs of four tasks, some of which
/// must have fast disks, or GPUs, and all of which keep off each other.
const std::string picky = R"(
schedulers = 4

[cluster]
machines = 60
partitions = 12
owners = 4

[[cluster.classes]]
name = "plain"
share = 6
cpu = 8
memory = 32
attributes = { disk = "hdd", generation = "2016" }

[[cluster.classes]]
name = "fast"
share = 3
cpu = 16
memory = 32
attributes = { disk = "ssd", generation = "2019" }

[[cluster.classes]]
name = "gpu"
share = 1
cpu = 16
memory = 64
gpu = 2
attributes = { disk = "ssd", generation = "2021" }

[[task_classes]]
name = "new"
prefers = { "generation > 2018" = 0.7, "disk == hdd" = -0.3 }

[scheduler]
t_task = "1ms"
look_past = 16

[workload]
spread = true
task_class = "new"
requests = [
  { weight = 6, cpu = 1, memory = 2 },
  { weight = 3, cpu = 2, memory = 8, constraints = ["disk == ssd", "generation < 2021"] },
  { weight = 1, cpu = 4, memory = 4, gpu = 1, constraints = ["generation > 2018"] },
]

[workload.tasks_per_job]
value = 4

[workload.duration]
value = 0.5

[[workload.phases]]
length = "5s"
rate = 100
)";

} // namespace

TEST_CASE("constraints, anti-affinity and preferences hold under every policy") {
  for (const auto& policy : builtin_policies())
    for (const auto* architecture : {"parsync", "statesync"}) {
      CAPTURE(policy.name);
      CAPTURE(architecture);
      const auto results = run_text(picky, {"scheduler.policy=" + std::string(policy.name),
                                            std::string("architecture=") + architecture});
      check_passed(results);
      const auto summary = summary_of(results);
      CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
      CHECK(summary["tasks"]["finished"].get<int>() > 400);
      CHECK(summary["constraint_violations"] == 0);
      for (const auto* kind : {"cpu", "memory", "gpu"}) {
        CAPTURE(kind);
        const double used = summary["resources"][kind]["utilization"]["mean"];
        CHECK(used > 0.01);
        CHECK(used < 1);
        const double stranded = summary["resources"][kind]["fragmentation"]["mean"];
        CHECK(stranded >= 0);
        CHECK(stranded < 1);
      }
      CHECK_FALSE(summary["resources"].contains("slots"));
    }
}

TEST_CASE("picky tasks repeat to the byte") {
  for (const auto* policy : {"latency-first", "best-fit"}) {
    const std::vector<std::string> how{std::string("scheduler.policy=") + policy};
    const auto one = run_text(picky, how);
    const auto other = run_text(picky, how);
    CHECK(summary_of(one) == summary_of(other));
    CHECK(timeseries_of(one) == timeseries_of(other));
  }
}

TEST_CASE("tasks that heed preferences obtain better machines for their class") {
  const auto heeded = summary_of(run_text(picky));
  const auto ignored = summary_of(run_text(picky, {"scheduler.preferences=false"}));
  CHECK(heeded["quality"]["mean"].get<double>() > 1.05 * ignored["quality"]["mean"].get<double>());
}

TEST_CASE("utilization is that of the most used resource of the whole cluster") {
  // One machine has nearly all cores; its tasks fit nowhere else.
  const std::string uneven = R"(
schedulers = 1
duration = "6s"
[cluster]
machines = 10
[[cluster.classes]]
name = "big"
cpu = 100
memory = 10
[[cluster.classes]]
name = "small"
share = 9
cpu = 1
memory = 10
[workload]
cpu = 50
memory = 1
duration = { kind = "fixed", value = 100 }
[[workload.phases]]
length = "1s"
rate = 5
)";
  for (const std::string where : {"cluster.partitions=1", "cluster.partitions=10"}) {
    CAPTURE(where);
    const auto results = run_text(uneven, {where, "cluster.owners=1"});
    check_passed(results);
    REQUIRE(results.series.size() == 6);
    const auto& row = results.series.back();
    CHECK(row.utilization == doctest::Approx(100.0 / 109));
    CHECK(row.utilization == row.resources[static_cast<std::size_t>(resource::cpu)].utilization());
    CHECK(summary_of(results)["utilization"]["max"] == doctest::Approx(100.0 / 109).epsilon(1e-6));
  }
}
