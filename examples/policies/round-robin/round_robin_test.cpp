#include <cstdio>
#include <policies/plugin_library.hpp>
#include <runtime/cluster/cluster_trial.hpp>

using namespace troupe;

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("failed: %s\n", what);
    ++failures;
  }
}

/// Ten machines of two slots; every task runs one second.
constexpr const char* cluster = R"(
schedulers = 1
[cluster]
machines = 10
partitions = 2
owners = 1
[scheduler]
actor = "round-robin"
[workload]
duration = { kind = "fixed", value = 1 }
)";

constexpr const char* burst_of_20 = R"(
kind = "burst"
tasks_per_job = { kind = "fixed", value = 20 }
)";

constexpr const char* load = R"(
[[workload.phases]]
length = "5s"
rate = 15
)";

void test_that_everything_is_done_once() {
  const auto results = try_cluster(std::string{cluster} + load);
  const auto tasks = tasks_of(results);
  expect(failed_checks(results).empty(), "the self-checks of the run pass");
  expect(tasks.submitted > 0 && tasks.finished == tasks.submitted, "every task has finished");
}

/// Twenty tasks fit all at once if each machine gets two.
void test_that_machines_take_turns() {
  const auto results = try_cluster(std::string{cluster} + burst_of_20);
  expect(tasks_of(results).finished == 20, "all twenty tasks have finished");
  expect(results.simulated < std::chrono::seconds{3}, "none of them has waited for another");
}

void test_that_a_stride_with_a_common_factor_leaves_machines_out() {
  const auto results =
    try_cluster(std::string{cluster} + burst_of_20, {"scheduler.round-robin.stride=5"});
  expect(results.simulated > std::chrono::seconds{4}, "two machines do the work of ten");
}

/// With no failures to watch, nothing else keeps tasks from starting before those they wait for.
void test_that_tasks_wait_for_others() {
  const auto results =
    try_cluster(std::string{cluster} + burst_of_20, {"workload.stages=4", "failures.watch=off"});
  expect(tasks_of(results).finished == 20, "the tasks of all stages have finished");
  expect(results.simulated > std::chrono::seconds{4}, "no stage begins before the one before it");
}

void test_that_equal_seeds_give_equal_results() {
  const auto settings = std::string{cluster} + load;
  expect(results_text(try_cluster(settings)) == results_text(try_cluster(settings)),
         "a second run gives the same");
}

void test_that_tasks_of_failed_machines_go_elsewhere() {
  const auto results =
    try_cluster(std::string{cluster} + load,
                {R"(faults.at=[{kind="kill",target="machine.3",time="1s",duration="2s"},)"
                 R"({kind="kill",target="scheduler.0",time="2s",duration="1s"}])"});
  const auto tasks = tasks_of(results);
  expect(failed_checks(results).empty(), "the self-checks pass where machines fail");
  expect(tasks.submitted > 0 && tasks.finished == tasks.submitted,
         "every task has finished where machines fail");
}

} // namespace

int main(int, char** argv) {
  enable_scheduler_plugins();
  load_plugin(argv[1]);
  test_that_everything_is_done_once();
  test_that_machines_take_turns();
  test_that_a_stride_with_a_common_factor_leaves_machines_out();
  test_that_tasks_wait_for_others();
  test_that_equal_seeds_give_equal_results();
  test_that_tasks_of_failed_machines_go_elsewhere();
  return failures;
}
