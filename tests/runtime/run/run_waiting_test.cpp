#include "report/summary/summary_table.hpp"
#include "runtime/running.hpp"
#include "support/long_case.hpp"

#include <algorithm>

using namespace troupe;
using namespace troupe::test;

namespace {

using json = nlohmann::ordered_json;

/// One machine for one task at a time, and a task each 10 s that runs for 1,000 s.
constexpr auto overloaded = R"(
schedulers = 1
duration = "100s"
[cluster]
machines = 1
slots = 1
partitions = 1
owners = 1
[workload]
duration = { kind = "fixed", value = 1000 }
phases = [{ length = "50s", rate = 0.1 }, { length = "50s", rate = 0.1 }]
)";

/// Jobs of which many are abandoned: a task is refused once.
constexpr auto abandoning = R"(
duration = "30s"
schedulers = 4
cluster = { machines = 20, slots = 2, partitions = 4, owners = 1 }
sync = { gap = "1s" }
[scheduler]
policy = "random-fit"
t_task = "1ms"
max_attempts = 1
[workload]
arrivals = "poisson"
tasks_per_job = { value = 2 }
duration = { kind = "fixed", value = 2 }
phases = [{ length = "30s", rate = 15 }]
)";

/// Work for a busy cluster that comes to an end, so that Little's law holds exactly.
constexpr auto flow = R"(
pool = 4
interval = "10ms"
cluster = { machines = 25, slots = 2, partitions = 5, owners = 2 }
hybrid = { cutoff = "3s", long_schedulers = 1 }
[workload]
arrivals = "poisson"
duration_per_job = true
tasks_per_job = { value = 4 }
[[groups]]
name = "short"
schedulers = 1
workload.phases = [{ length = "20s", rate = 60 }]
workload.duration = { kind = "exponential", value = 0.4, max = 2 }
[[groups]]
name = "long"
schedulers = 1
workload.phases = [{ length = "20s", rate = 3 }]
workload.duration = { kind = "fixed", value = 4 }
)";

} // namespace

TEST_CASE("delays take in the tasks that never start") {
  const auto results = run_text(overloaded);
  const auto s = summary_of(results);
  REQUIRE(s["tasks"]["placed"] == 1);
  REQUIRE(s["tasks"]["queued"] == 9);
  const auto& delay = s["scheduling_delay_s"];
  CHECK(delay["placed"]["max"].get<double>() < 0.1);
  CHECK(delay["waiting"]["count"] == 9);
  CHECK(delay["waiting"]["max"].get<double>() > 85);
  CHECK(delay["censored"] == true);
  CHECK(delay["mean"].get<double>() ==
        doctest::Approx(0.9 * delay["max"].get<double>()).epsilon(0.01));
  CHECK(delay["max"] == delay["waiting"]["max"]);
  CHECK(delay["at_least"] == json{"mean", "p50", "p90", "p99", "max"});
  const auto& response = s["job_response_s"];
  CHECK(response["open"]["count"] == 10);
  CHECK(response["mean"].get<double>() > 90);
  const auto& phases = s["phases"];
  CHECK(phases[0]["scheduling_delay_s"]["waiting"]["count"] == 5); // one came at 50 s
  CHECK(phases[1]["scheduling_delay_s"]["waiting"]["count"] == 9);
  CHECK(s["groups"][0]["scheduling_delay_s"] == delay);
  std::ostringstream table;
  write_summary(table, results);
  CHECK(table.str().find("Tasks not placed    9 wait, for ") != std::string::npos);
}

TEST_CASE("jobs of the warm-up are left out of the ages, too") {
  const auto s = summary_of(run_text(overloaded, {"warmup=50s"}));
  CHECK(s["scheduling_delay_s"]["waiting"]["count"] == 5);
  CHECK(s["job_response_s"]["open"]["count"] == 5);
}

TEST_CASE("a job with an abandoned task has not finished, whether failures are watched or not") {
  for (const auto* watch : {"off", "on"}) {
    CAPTURE(watch);
    const auto s = summary_of(run_text(abandoning, {std::string{"failures.watch="} + watch}));
    const auto count = [&](const char* what, const char* fate) {
      return s[what][fate].get<std::uint64_t>();
    };
    CHECK(count("jobs", "abandoned") > 30);
    CHECK(count("jobs", "finished") > 30);
    CHECK(count("jobs", "failed") == 0);
    CHECK(2 * count("jobs", "finished") <= count("tasks", "finished"));
    const auto open = s["job_response_s"]["open"]["count"].get<std::uint64_t>();
    CHECK(count("jobs", "finished") + count("jobs", "abandoned") + open ==
          count("jobs", "submitted"));
    CHECK(s["job_response_s"]["finished"]["count"] == s["jobs"]["finished"]);
    CHECK(s["job_response_s"]["broken"]["count"] == s["jobs"]["abandoned"]);
  }
}

TEST_CASE("no scheduler is busy for longer than an interval lasts") {
  constexpr auto slow = R"(
duration = "20s"
schedulers = 2
cluster = { machines = 10, partitions = 2, owners = 1 }
scheduler = { t_job = "1700ms", t_task = "10ms" }
workload = { duration = { value = 1 }, phases = [{ length = "20s", rate = 5 }] }
)";
  for (const auto* architecture : {"parsync", "monolithic", "two-level", "sparrow"}) {
    CAPTURE(architecture);
    const auto results = run_text(slow, {std::string{"architecture="} + architecture});
    duration all{0};
    for (const auto& row : results.series) {
      CHECK(row.sample.busy <= results.groups[0].schedulers * (row.to - row.from));
      all += row.sample.busy;
    }
    CHECK(all > std::chrono::seconds{18});
  }
}

TEST_CASE("Little's law: the mean number that waits is the rate times the mean delay" * long_case) {
  for (const auto* architecture : {"parsync", "static", "monolithic", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    const auto results = run_text(flow, {std::string{"architecture="} + architecture});
    double waited = 0; // integral of the number that waits
    double delays = 0;
    std::uint64_t placed = 0;
    for (const auto& row : results.series) {
      const auto& tasks = row.sample.tasks;
      waited += static_cast<double>(tasks.queued + tasks.in_commit) * to_seconds(row.to - row.from);
      delays += row.sample.delay.sum();
      placed += tasks.placed;
    }
    REQUIRE(placed == summary_of(results)["tasks"]["submitted"]);
    CHECK(waited == doctest::Approx(delays).epsilon(0.05));
  }
}
