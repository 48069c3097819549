#include "runtime/running.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

const std::vector<std::string> architectures{"parsync", "statesync", "static", "monolithic"};

/// Settings for an architecture, and one scheduler in place of a pool of `pool` where it has one.
std::vector<std::string> under(const std::string& architecture, int pool) {
  std::vector<std::string> settings{"architecture=" + architecture};
  if (architecture == "monolithic") {
    settings.push_back("pool=1");
    settings.push_back("scheduler.t_task=" + std::to_string(10'000 / pool) + "us");
  }
  return settings;
}

/// Two schedulers in a pool have more to decide on than they can, until 20 s; low is there first.
constexpr auto crowded_queues = R"(
pool = 2
[cluster]
machines = 400
partitions = 10
owners = 4
[scheduler]
policy = "latency-first"
t_task = "10ms"
batch = 5
[[groups]]
name = "low"
schedulers = 1
[groups.workload]
kind = "burst"
[groups.workload.tasks_per_job]
value = 1000
[groups.workload.duration]
value = 0.5
[[groups]]
name = "high"
schedulers = 1
[groups.workload]
priority = 3
phases = [{ length = "10s", rate = 20 }]
[groups.workload.duration]
value = 0.5
)";

/// Two groups of one scheduler each share 60 slots: batch fills them for long, production comes.
constexpr auto full = R"(
schedulers = 2
duration = "20s"
[cluster]
machines = 30
partitions = 6
owners = 3
[scheduler]
policy = "latency-first"
[[groups]]
name = "batch"
schedulers = 1
[groups.workload]
kind = "burst"
[groups.workload.tasks_per_job]
value = 100
[groups.workload.duration]
value = 8
[[groups]]
name = "production"
schedulers = 1
[groups.workload]
priority = 10
phases = [{ length = "2s", rate = 0 }, { length = "3s", rate = 5 }]
[groups.workload.duration]
value = 1
)";

double delay_of(const nlohmann::ordered_json& summary, std::size_t group) {
  return summary["groups"][group]["scheduling_delay_s"]["mean"].get<double>();
}

} // namespace

TEST_CASE("a higher priority overtakes in the queues of every architecture's schedulers") {
  for (const auto& architecture : architectures) {
    CAPTURE(architecture);
    auto settings = under(architecture, 2);
    const auto results = run_text(crowded_queues, settings);
    check_passed(results);
    const auto summary = summary_of(results);
    CHECK(summary["tasks"]["finished"] == 1200);
    CHECK(delay_of(summary, 1) < 0.2);
    CHECK(delay_of(summary, 0) > 2);
    settings.push_back("groups.1.workload.priority=0");
    const auto equal = summary_of(run_text(crowded_queues, settings));
    CHECK(delay_of(equal, 1) > 1);
  }
}

TEST_CASE("with ageing, what has waited for long goes before higher priorities") {
  const auto summary = summary_of(run_text(crowded_queues, {"scheduler.aging=100ms"}));
  CHECK(delay_of(summary, 1) > 1);
  CHECK(summary_of(run_text(crowded_queues, {"scheduler.aging=1h"})) !=
        summary_of(run_text(crowded_queues, {"scheduler.aging=100ms"})));
}

TEST_CASE("production takes the place of batch where it may, and the work lost is counted") {
  for (const auto& architecture : architectures) {
    CAPTURE(architecture);
    const std::vector<std::string> waits{"architecture=" + architecture};
    const std::vector<std::string> preempts{"architecture=" + architecture,
                                            "scheduler.preemption=true"};
    const auto without = run_text(full, waits);
    check_passed(without);
    const auto with = run_text(full, preempts);
    check_passed(with);
    CHECK(timeseries_of(with) == timeseries_of(run_text(full, preempts)));
    const auto calm = summary_of(without);
    const auto rough = summary_of(with);
    CHECK(calm["preemptions"]["tasks"] == 0);
    // A static scheduler has no batch on its own machines to preempt.
    if (architecture == "static")
      continue;
    CHECK(delay_of(calm, 1) > 1);
    CHECK(delay_of(rough, 1) < 0.1);
    const auto tasks = rough["groups"][0]["preemptions"]["tasks"].get<std::uint64_t>();
    CHECK(tasks >= 4);
    CHECK(tasks <= 15);
    CHECK(rough["groups"][1]["preemptions"]["tasks"] == 0);
    const auto lost = rough["preemptions"]["work_lost_s"].get<double>();
    CHECK(lost > 2.0 * static_cast<double>(tasks));
    CHECK(lost < 5.0 * static_cast<double>(tasks));
    CHECK(rough["preemptions"]["lost"]["slot_s"] == rough["preemptions"]["work_lost_s"]);
    CHECK(rough["preemptions"]["lost"]["cpu_core_s"] == 0);
    CHECK(rough["tasks"]["placed"] == rough["tasks"]["finished"].get<std::uint64_t>() + tasks +
                                        rough["tasks"]["running"].get<std::uint64_t>());
  }
}

TEST_CASE("tenants with endless demand have shares as their weights, and their limits") {
  constexpr auto shared = R"(
pool = 4
duration = "60s"
[cluster]
machines = 120
partitions = 8
owners = 4
[scheduler]
policy = "latency-first"
t_task = "10ms"
[workload]
phases = [{ length = "60s", rate = 150 }]
[workload.tasks_per_job]
value = 4
[workload.duration]
kind = "exponential"
value = 2
[[tenants]]
name = "a"
[[tenants]]
name = "b"
weight = 3
[[tenants]]
name = "c"
max = 0.1
[[groups]]
name = "a"
schedulers = 1
workload.tenant = "a"
[[groups]]
name = "b"
schedulers = 1
workload.tenant = "b"
[[groups]]
name = "c"
schedulers = 1
workload.tenant = "c"
)";
  for (const auto& architecture : architectures) {
    CAPTURE(architecture);
    const auto results = run_text(shared, under(architecture, 4));
    check_passed(results);
    CHECK(results.shares.size() == 3 * 60);
    double share[3]{};
    for (const auto& s : results.shares)
      if (s.from >= std::chrono::seconds{10})
        share[s.tenant] += s.mean / 50;
    CHECK(share[2] == doctest::Approx(0.1).epsilon(0.1));
    // Schedulers that hear of each other once a second only make up for one another's choices.
    const bool coarse = architecture == "statesync";
    CHECK(share[1] / share[0] == doctest::Approx(3).epsilon(coarse ? 0.1 : 0.05));
    CHECK(share[0] + share[1] + share[2] > (coarse ? 0.75 : 0.85));
    const auto tenants = summary_of(results)["tenants"];
    CHECK(tenants[1]["weight"] == 3);
    CHECK(tenants[2]["name"] == "c");
    CHECK(tenants[2]["max"] == 0.1);
    CHECK(tenants[2]["overshoot_max"].get<double>() < 0.12);
    if (architecture == "static" || architecture == "monolithic")
      CHECK(tenants[2]["overshoot_max"] == 0);
    CHECK(tenants[0]["share"]["max"].get<double>() >= tenants[0]["share"]["mean"].get<double>());
    CHECK(tenants[0]["tasks"]["submitted"].get<std::uint64_t>() == 9000);
  }
}
