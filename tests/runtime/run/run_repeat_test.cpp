#include "runtime/running.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr auto busy = R"(
schedulers = 4
duration = "4s"
[cluster]
machines = 60
partitions = 8
owners = 3
[network]
latency = "1ms"
jitter = "2ms"
loss = 0.02
[workload]
arrivals = "poisson"
phases = [{ length = "3s", rate = 100 }]
[workload.duration]
kind = "exponential"
value = 1
[workload.tasks_per_job]
value = 3
)";

} // namespace

TEST_CASE("a run repeats with its seed, whatever the clock of the machine says") {
  for (const auto* plan : {"partitioned", "full"}) {
    CAPTURE(plan);
    const auto with = "sync.plan=" + std::string{plan};
    const auto one = run_text(busy, {with, "seed=7"});
    const auto same = run_text(busy, {with, "seed=7"});
    const auto other = run_text(busy, {with, "seed=8"});
    CHECK(summary_of(one) == summary_of(same));
    CHECK(timeseries_of(one) == timeseries_of(same));
    CHECK(one.messages == same.messages);
    CHECK(summary_of(one)["scheduling_delay_s"] != summary_of(other)["scheduling_delay_s"]);
    CHECK(timeseries_of(one) != timeseries_of(other));
    CHECK(summary_of(one)["tasks"]["placed"] > 200);
  }
}

TEST_CASE("a run without network latency repeats, too") {
  const std::vector<std::string> direct{"network.latency=0s", "network.jitter=0s",
                                        "network.loss=0"};
  const auto one = run_text(busy, direct);
  CHECK(summary_of(one) == summary_of(run_text(busy, direct)));
  auto reseeded = direct;
  reseeded.push_back("seed=2");
  CHECK(summary_of(one) != summary_of(run_text(busy, reseeded)));
}

TEST_CASE("a run does not depend on what ran before it in the same process") {
  const auto first = run_text(busy);
  run_text(busy, {"cluster.machines=90", "schedulers=2"});
  CHECK(summary_of(first) == summary_of(run_text(busy)));
}
