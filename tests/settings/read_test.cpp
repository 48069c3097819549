#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("what is not set has its default") {
  const auto s = parsed(one_phase);
  auto expected = run_settings{};
  expected.workload.phases = {{.load = 0.5}};
  CHECK(s.cluster == expected.cluster);
  CHECK(s.sync == expected.sync);
  CHECK(s.network == expected.network);
  CHECK(s.scheduler == expected.scheduler);
  CHECK(s.policy.of("adaptive") == expected.policy.of("adaptive"));
  CHECK(s.workload == expected.workload);
  CHECK(s.seed == expected.seed);
  CHECK(s.length == expected.length);
}

TEST_CASE("a queue discipline is read") {
  const auto s = parsed(R"(
[scheduler]
discipline = "easy"
order = "multifactor"
factors = { age = 3, size = 2, share = 0, priority = 0.5, max_age = "1h" }

[[workload.phases]]
load = 0.5
)");
  CHECK(s.scheduler.discipline == start_discipline::easy);
  CHECK(s.scheduler.order == start_order::multifactor);
  CHECK(s.scheduler.factors == factor_settings{3, 2, 0, 0.5, 1h});
}

TEST_CASE("every kind of value is read") {
  const auto s = parsed(R"(
name = "small"
clock = "real"
seed = 9223372036854775807
duration = "1.5m"
schedulers = 3

[cluster]
machines = 50
partitions = 10
owners = 5
unit.cpu = 2

[[cluster.classes]]
name = "big"
share = 0.25
cpu = 64
memory = 512.5
attributes = { disk = "ssd", rack = "r1" }

[[cluster.classes]]
name = "slotted"
slots = 4

[sync]
groups = 3

[[network.cuts]]
from = "1s"
to = "2s"
a = "scheduler.2"
b = "owner.*"

[scheduler]
look_past = 7
preferences = false

[policy]
scan = 50

[[task_classes]]
name = "fast"
prefers = { "disk == ssd" = 0.7, "rack != r1" = -0.2 }

[workload]
task_class = "fast"
estimates = "factor"
estimate_factor = 5
kill_at_estimate = true
duration_per_job = true
phases = [{ length = "10s", rate = 5 }, { load = 0 }]
requests = [{ weight = 2, cpu = 1, constraints = ["disk == ssd"] }, { slots = 3 }]

[workload.duration]
kind = "quantiles"
levels = [0, 0.5, 1]
values = [1, 2, 30]
)");
  CHECK(s.name == "small");
  CHECK(s.clock == clock_kind::real_time);
  CHECK(s.seed == 9223372036854775807U);
  CHECK(s.length == 90s);
  CHECK(s.cluster.unit_cpu == 2);
  REQUIRE(s.cluster.classes.size() == 2);
  CHECK(s.cluster.classes[0].memory == 512.5);
  CHECK(s.cluster.classes[0].attributes.at("rack") == "r1");
  CHECK(s.cluster.classes[1].slots == 4);
  CHECK(s.cluster.classes[1].share == 1);
  REQUIRE(s.network.cuts.size() == 1);
  CHECK(s.network.cuts[0].to == 2s);
  CHECK(s.network.cuts[0].b == "owner.*");
  CHECK(s.workload.duration_per_job);
  CHECK(s.scheduler.look_past == 7);
  CHECK(s.workload.estimates == estimate_kind::factor);
  CHECK(s.workload.estimate_factor == 5);
  CHECK(s.workload.kill_at_estimate);
  CHECK_FALSE(s.scheduler.preferences);
  CHECK(s.policy.of("best-fit").get<int>("scan") == 50);
  REQUIRE(s.task_classes.size() == 1);
  CHECK(s.task_classes[0].name == "fast");
  CHECK(s.task_classes[0].prefers ==
        std::map<std::string, double>{{"disk == ssd", 0.7}, {"rack != r1", -0.2}});
  CHECK(s.workload.task_class == "fast");
  CHECK(s.workload.requests.at(0).constraints == std::vector<std::string>{"disk == ssd"});
  REQUIRE(s.workload.phases.size() == 2);
  CHECK(s.workload.phases[0].rate == 5);
  CHECK(s.workload.phases[1].length == 30s);
  REQUIRE(s.workload.requests.size() == 2);
  CHECK(s.workload.requests[0].weight == 2);
  CHECK(s.workload.requests[1].slots == 3);
  CHECK(s.workload.duration.values == std::vector<double>{1, 2, 30});
}

TEST_CASE("without groups there is one with all the schedulers") {
  const auto s = parsed("schedulers = 7\n[scheduler]\nbatch = 3\n" + one_phase);
  REQUIRE(s.groups.size() == 1);
  CHECK(s.groups[0].name == "all");
  CHECK(s.groups[0].schedulers == 7);
  CHECK(s.groups[0].scheduler == s.scheduler);
  CHECK(s.groups[0].policy == s.policy);
  CHECK(s.groups[0].workload == s.workload);
}

TEST_CASE("a group takes from the top level what it does not set") {
  const auto s = parsed(R"(
[scheduler]
policy = "latency-first"
batch = 7

[workload.duration]
value = 3

[[workload.phases]]
load = 0.5

[[groups]]
name = "A"
schedulers = 4

[groups.scheduler]
policy = "quality-first"

[[groups.workload.phases]]
rate = 100

[[groups.workload.phases]]
rate = 200

[[groups]]
name = "B"
schedulers = 5
policy.tau = "2s"
)");
  CHECK(s.schedulers == 9);
  REQUIRE(s.groups.size() == 2);
  CHECK(s.groups[0].scheduler.policy == "quality-first");
  CHECK(s.groups[0].scheduler.batch == 7);
  CHECK(s.groups[0].workload.duration.value == 3);
  REQUIRE(s.groups[0].workload.phases.size() == 2);
  CHECK(s.groups[0].workload.phases[1].rate == 200);
  CHECK(s.groups[0].workload.phases[1].load == 0);
  CHECK(s.groups[1].scheduler.policy == "latency-first");
  CHECK(s.groups[1].policy.of("adaptive").get<duration>("tau") == 2s);
  CHECK(s.groups[1].workload == s.workload);
}

TEST_CASE("one group may leave its schedulers to the top level") {
  const auto s = parsed("schedulers = 6\n[[groups]]\nname = \"only\"\n" + one_phase);
  CHECK(s.groups.front().schedulers == 6);
  CHECK(s.groups.front().name == "only");
}

TEST_CASE("the architecture presets the sync plan") {
  CHECK(parsed(one_phase).sync.plan == sync_plan_kind::partitioned);
  CHECK(parsed("architecture = \"statesync\"\n" + one_phase).sync.plan == sync_plan_kind::full);
  CHECK(parsed("architecture = \"statesync\"\nsync.plan = \"same\"\n" + one_phase).sync.plan ==
        sync_plan_kind::same);
  CHECK(parsed(one_phase, {"architecture=statesync"}).sync.plan == sync_plan_kind::full);
}
