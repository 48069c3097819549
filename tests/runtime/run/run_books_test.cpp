#include "model/base/planted_faults.hpp"
#include "model/metrics/run_sums.hpp"
#include "runtime/running.hpp"

#include <algorithm>
#include <string_view>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Few slots and two schedulers, so that placements conflict; members may fail.
constexpr auto watched_cluster = R"(
schedulers = 2
[cluster]
machines = 10
slots = 2
partitions = 2
owners = 2
[sync]
gap = "1s"
[scheduler]
t_task = "2ms"
[failures]
watch = "on"
standby_owners = 1
standby_schedulers = 1
[workload]
tasks_per_job = { value = 3 }
phases = [{ length = "20s", rate = 4 }]
[workload.duration]
value = 1
)";

const self_check& check_named(const run_results& results, std::string_view name) {
  const auto it = std::ranges::find(results.checks, name, &self_check::name);
  REQUIRE(it != results.checks.end());
  return *it;
}

double utilization(const run_results& results) {
  return summary_of(results)["resources"]["slots"]["utilization"]["mean"].get<double>();
}

} // namespace

TEST_CASE("a new owner changes nothing of what the cluster has used before") {
  const std::vector<std::string> at_length{"duration=20s", "workload.phases.0.rate=12"};
  auto with_failure = at_length;
  with_failure.emplace_back(
    R"(faults.at=[{ kind = "kill", target = "owner.1", time = "16500ms", duration = "10s" }])");
  const auto without = run_text(watched_cluster, at_length);
  const auto with = run_text(watched_cluster, with_failure);
  check_passed(with);
  CHECK(utilization(without) > 0.5);
  CHECK(utilization(with) == doctest::Approx(utilization(without)).epsilon(0.05));
}

TEST_CASE("what a member counts while it cannot be asked is booked later") {
  // Each is asked while it stands still, and is not silent for long enough to be replaced.
  const auto results = run_text(
    watched_cluster,
    {R"(faults.at=[{ kind = "freeze", target = "scheduler.0", time = "2550ms", duration = "1200ms" },
        { kind = "freeze", target = "scheduler.1", time = "7550ms", duration = "1200ms" },
        { kind = "freeze", target = "owner.0", time = "10550ms", duration = "1200ms" }])"});
  check_passed(results);
  const auto summary = summary_of(results);
  const auto tasks = summary["tasks"]["submitted"].get<std::uint64_t>();
  CHECK(summary["tasks"]["finished"] == tasks);
  CHECK(summary["tasks"]["placed"] == tasks);
  CHECK(results.sums->over_run().sample.delay.count() == tasks);
  const auto number = std::to_string(tasks);
  CHECK(check_named(results, "no placement granted twice").detail ==
        number + " granted, " + number + " placed, 0 twice, 0 ends of tasks that did not run");
}

TEST_CASE("where a member was replaced, grants and placements are not compared") {
  const auto results = run_text(
    watched_cluster,
    {R"(faults.at=[{ kind = "kill", target = "scheduler.0", time = "5500ms", duration = "10s" }])"});
  check_passed(results);
  const auto summary = summary_of(results);
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
  CHECK(check_named(results, "no placement granted twice").detail.find("not compared") !=
        std::string::npos);
}

TEST_CASE("tasks of a scheduler that is dead in the end are told apart") {
  const auto results = run_text(
    watched_cluster,
    {"duration=6s", "failures.standby_schedulers=0",
     R"(faults.at=[{ kind = "kill", target = "scheduler.0", time = "4s", duration = "60s" }])"});
  check_passed(results);
  CHECK(check_named(results, "tasks balance").detail.find("at schedulers that do not answer") !=
        std::string::npos);
}

TEST_CASE("what machines run is told beside what schedulers believe to run") {
  // Machine 3 is dead in the end, machine 4 stands still, and work goes on.
  const auto results = run_text(
    watched_cluster,
    {"duration=12s", "workload.duration.value=3",
     R"(faults.at=[{ kind = "kill", target = "machine.3", time = "11500ms", duration = "60s" },
        { kind = "freeze", target = "machine.4", time = "11500ms", duration = "60s" }])"});
  check_passed(results);
  const auto& detail = check_named(results, "tasks balance").detail;
  CAPTURE(detail);
  CHECK(detail.find("machines run ") != std::string::npos);
  CHECK(detail.find("are on machines that do not answer") != std::string::npos);
}

#ifdef TROUPE_CHECKS

namespace {

/// Returns whether a check fails once a fault is planted, and passes without it.
bool finds(planted_fault what, std::string_view check, const std::vector<std::string>& overrides) {
  check_passed(run_text(watched_cluster, overrides));
  planted_now = what;
  const auto results = run_text(watched_cluster, overrides);
  planted_now = planted_fault::none;
  return !check_named(results, check).passed;
}

} // namespace

TEST_CASE("the self-checks notice what was planted, with failures and without") {
  std::vector<std::string> overrides{"duration=15s", "workload.phases.0.rate=14",
                                     "scheduler.policy=random-fit"};
  SUBCASE("without failures") {
    overrides.emplace_back("failures.watch=off");
  }
  SUBCASE("with a machine that fails") {
    overrides.emplace_back(
      R"(faults.at=[{ kind = "kill", target = "machine.3", time = "3s", duration = "7s" }])");
  }
  CHECK(finds(planted_fault::dropped_rejection, "tasks balance", overrides));
  CHECK(finds(planted_fault::miscounted_placement, "no placement granted twice", overrides));
}

TEST_CASE("the self-checks notice that a machine does not run what its scheduler believes to run") {
  std::vector<std::string> overrides{"duration=15s"};
  SUBCASE("where owners are between them") {}
  SUBCASE("where schedulers probe machines") {
    overrides.emplace_back("architecture=sparrow");
  }
  CHECK(finds(planted_fault::forgotten_end, "tasks balance", overrides));
}

TEST_CASE("the self-checks notice an end that is told as two") {
  CHECK(finds(planted_fault::doubled_end, "no placement granted twice", {"duration=15s"}));
  CHECK(finds(planted_fault::doubled_over, "tasks balance", {"duration=15s"}));
}

#endif
