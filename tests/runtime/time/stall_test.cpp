#include "runtime/running.hpp"
#include "runtime/time/stall_detector.hpp"
#include "support/scratch_log.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

// Runs without a duration in which nothing moves for a while, or ever.
namespace {

constexpr auto steady = R"(
schedulers = 1
[cluster]
machines = 1
partitions = 1
owners = 1
[workload]
duration = { value = 1 }
phases = [{ length = "30s", rate = 1 }]
)";

task_counts waiting(std::uint64_t queued, std::uint64_t placed) {
  task_counts counts;
  counts.queued = queued;
  counts.placed = placed;
  return counts;
}

/// Returns whether a detector gives up at `at` when nothing has moved since `since`.
bool gives_up(const std::vector<std::string>& set, instant since, instant at) {
  const auto settings = parse_settings(steady, "test.toml", set);
  stall_detector detector{settings};
  detector.check(waiting(3, 5), since - 1s);
  detector.check(waiting(3, 5), since);
  try {
    detector.check(waiting(3, 5), at);
  } catch (const std::runtime_error& e) {
    CHECK(std::string_view{e.what()}.starts_with("3 tasks wait for a place"));
    return true;
  }
  return false;
}

void check_all_finish(std::string_view text, const std::vector<std::string>& with,
                      std::uint64_t tasks) {
  const auto results = run_text(text, with);
  check_passed(results);
  CHECK(summary_of(results)["tasks"]["finished"] == tasks);
}

} // namespace

TEST_CASE("a stall begins with the first sample that shows no progress") {
  const auto settings = parse_settings(steady, "test.toml");
  stall_detector detector{settings};
  detector.check(waiting(0, 1), 3600s);
  detector.check(waiting(38, 1), 7200s);
  detector.check(waiting(37, 2), 10800s);
  detector.check(waiting(37, 2), 14400s);
  CHECK_THROWS_WITH_AS(detector.check(waiting(37, 2), 18000s), doctest::Contains("since 14400 s"),
                       std::runtime_error);
  CHECK_FALSE(gives_up({}, 100s, 160s));
  CHECK(gives_up({}, 100s, 161s));
}

TEST_CASE("a stall lasts longer than all that may hold tasks back") {
  CHECK_FALSE(gives_up({"scheduler.retry.delay=5m"}, 100s, 700s));
  CHECK(gives_up({"scheduler.retry.delay=5m"}, 100s, 701s));
  // By 100 s there may have been delays of 100 s together, such as 9 + 91 s; the next is 910 s at
  // most.
  const std::string growing = R"(scheduler.retry={delay="1s", factor=10})";
  CHECK_FALSE(gives_up({growing}, 100s, 1900s));
  CHECK(gives_up({growing}, 100s, 1903s));
  CHECK(gives_up({R"(scheduler.retry={delay="1s", factor=10, max_delay="50s"})"}, 100s, 201s));
  CHECK_FALSE(gives_up({"architecture=two-level", "offers.interval=2m"}, 100s, 2500s));
  CHECK(gives_up({"architecture=two-level", "offers.interval=2m"}, 100s, 2501s));
  CHECK(gives_up({"failures.machine_timeout=5m"}, 100s, 161s)); // nobody watches
  CHECK_FALSE(gives_up({"failures.machine_timeout=5m", "failures.watch=on"}, 100s, 700s));
  CHECK(gives_up({"failures.machine_timeout=5m", "failures.watch=on"}, 100s, 724s));
}

TEST_CASE("there is no stall while a failure is still to end") {
  const auto fault = [](const char* length) {
    return std::string{R"(faults.at=[{target="machine.0", time="10s", duration=")"} + length +
           "\"}]";
  };
  CHECK_FALSE(gives_up({fault("500s")}, 100s, 570s));
  CHECK(gives_up({fault("500s")}, 100s, 571s));
  CHECK(gives_up({fault("0s")}, 100s, 161s)); // for good
  const std::string cut = R"(network.cuts=[{from="1s", to="400s", a="scheduler.0", b="*"}])";
  CHECK_FALSE(gives_up({cut}, 100s, 460s));
  CHECK(gives_up({cut}, 100s, 461s));
}

TEST_CASE("runs outlast long failures, long intervals and machines that are away for long") {
  const auto away = [](const char* whom) {
    return std::string{R"(faults.at=[{target=")"} + whom + R"(", time="10s", duration="2m"}])";
  };
  check_all_finish(steady, {away("machine.0")}, 30);
  check_all_finish(steady, {away("scheduler.0")}, 30);
  // One job, and many an hour later, on which a sample is taken while they are decided on.
  check_all_finish(steady,
                   {"architecture=monolithic", "cluster.slots=40", "interval=100s",
                    "scheduler.t_task=1s",
                    R"(workload.phases=[{length="1s", rate=1}, {length="98s", rate=0},
                                        {length="1s", rate=30}])"},
                   31);
  const testing::scratch_log log{R"({"recording":1,"from_ms":1764000000000,"to_ms":1764000600000}
{"machine":"b","at_s":0,"capacity":{"cpu":4000,"memory":7800},"attributes":{"arch":"x86_64"}}
{"machine":"b","at_s":20,"capacity":{}}
{"machine":"b","at_s":200,"capacity":{"cpu":4000,"memory":7800},"attributes":{"arch":"x86_64"}}
{"job":"1","at_s":30,"groups":[{"demand":{"cpu":500},"durations_s":[5]}]}
)"};
  const auto recorded =
    "schedulers = 1\n[cluster]\npartitions = 1\nowners = 1\n[cluster.trace]\nfile = \"" +
    log.path() + "\"\n[workload]\nkind = \"trace\"\nfile = \"" + log.path() + "\"\n";
  check_all_finish(recorded, {}, 1);
}
