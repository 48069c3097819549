#include "runtime/running.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

constexpr auto small = R"(
schedulers = 2
[cluster]
machines = 20
partitions = 4
owners = 2
[workload]
phases = [{ length = "3s", rate = 10 }]
[workload.duration]
value = 2.25
)";

} // namespace

TEST_CASE("a run without a length ends when everything is done") {
  const auto results = run_text(small);
  check_passed(results);
  const auto summary = summary_of(results);
  CHECK(summary["tasks"]["submitted"] == 30);
  CHECK(summary["tasks"]["finished"] == 30);
  CHECK(summary["tasks"]["running"] == 0);
  CHECK(summary["tasks"]["queued"] == 0);
  // The last task comes before 3 s, ends 2.25 s later and is reported within 100 ms.
  CHECK(results.simulated >= 5s);
  CHECK(results.simulated <= 6s);
  CHECK_FALSE(results.interrupted);
}

TEST_CASE("a run with a length ends there, between intervals as well, with tasks that still run") {
  const auto results = run_text(small, {"duration=2600ms"});
  check_passed(results);
  CHECK(results.simulated == 2600ms);
  const auto summary = summary_of(results);
  CHECK(summary["tasks"]["submitted"].get<int>() >= 26);
  CHECK(summary["tasks"]["running"].get<int>() > 0);
  CHECK(summary["tasks"]["submitted"].get<int>() ==
        summary["tasks"]["finished"].get<int>() + summary["tasks"]["running"].get<int>() +
          summary["tasks"]["queued"].get<int>() + summary["tasks"]["in_commit"].get<int>());
}

TEST_CASE("a phase's load is a share of what the schedulers can decide on, t_job included") {
  const std::vector<std::string> load{"scheduler.t_task=10ms", "scheduler.t_job=40ms",
                                      "workload.tasks_per_job.value=4",
                                      "workload.phases=[{ length = \"4s\", load = 0.5 }]"};
  // Two schedulers, each with 20 ms for a task and its part of the job: half of 100 tasks/s.
  const auto results = run_text(small, load);
  check_passed(results);
  CHECK(summary_of(results)["tasks"]["submitted"] == 200);
}

TEST_CASE("a run can be longer than its workload") {
  const auto results = run_text(small, {"duration=20s"});
  check_passed(results);
  CHECK(results.simulated == 20s);
  CHECK(summary_of(results)["tasks"]["finished"] == 30);
}

TEST_CASE("the interval says how often something is recorded") {
  const auto results = run_text(small, {"duration=3s", "interval=\"250ms\""});
  REQUIRE(results.series.size() == 12);
  std::uint64_t submitted = 0;
  for (std::size_t i = 0; i < results.series.size(); ++i) {
    const auto n = static_cast<std::int64_t>(i);
    CHECK(results.series[i].from == n * 250ms);
    CHECK(results.series[i].to == (n + 1) * 250ms);
    submitted += results.series[i].sample.tasks.submitted;
  }
  CHECK(submitted == 30);
}

TEST_CASE("progress is told once per interval and at the end, and only grows") {
  watcher monitor;
  run(parse_settings(small, "test.toml"), monitor);
  REQUIRE(monitor.seen.size() >= 5);
  for (std::size_t i = 1; i < monitor.seen.size(); ++i) {
    CHECK(monitor.seen[i].now >= monitor.seen[i - 1].now);
    CHECK(monitor.seen[i].finished >= monitor.seen[i - 1].finished);
  }
  CHECK(monitor.seen.front().now == 1s);
  CHECK(monitor.seen.back().finished == 30);
}

TEST_CASE("a run that is asked to stop does so gracefully with what it has") {
  watcher monitor;
  monitor.stop = [](const watcher& w) { return w.seen.size() >= 2; };
  const auto results = run(parse_settings(small, "test.toml"), monitor);
  CHECK(results.interrupted);
  check_passed(results);
  CHECK(results.simulated == 2s);
  const auto summary = summary_of(results);
  CHECK(summary["tasks"]["submitted"].get<int>() >= 20);
  CHECK(summary["tasks"]["submitted"].get<int>() < 30);
  CHECK(summary["tasks"]["running"].get<int>() > 0);
}

TEST_CASE("the limit of attempts abandons tasks, and every one is accounted for") {
  constexpr auto crowded = R"(
schedulers = 5
[cluster]
machines = 30
slots = 1
partitions = 5
owners = 2
[sync]
gap = "1h"
[scheduler]
policy = "random-fit"
max_attempts = 1
[workload]
kind = "burst"
[workload.tasks_per_job]
value = 6
)";
  const auto results = run_text(crowded);
  check_passed(results);
  const auto tasks = summary_of(results)["tasks"];
  CHECK(tasks["submitted"] == 30);
  CHECK(tasks["abandoned"].get<int>() > 0);
  CHECK(tasks["finished"].get<int>() + tasks["abandoned"].get<int>() == 30);
}

TEST_CASE("a task that no machine can hold ends the run with a clear error") {
  std::string said;
  try {
    run_text(small, {"workload.slots=3"});
  } catch (const std::runtime_error& e) {
    said = e.what();
  }
  CAPTURE(said);
  CHECK((said.find("slots") != std::string::npos || said.find("tasks wait") != std::string::npos));
}

TEST_CASE("two kinds of demand that no one machine has together end the run with a clear error") {
  constexpr auto split = R"(
schedulers = 1
[cluster]
machines = 4
partitions = 2
owners = 1
classes = [{ name = "lean", cpu = 8, memory = 1 }, { name = "fat", cpu = 1, memory = 64 }]
[workload]
cpu = 4
memory = 16
phases = [{ length = "1s", rate = 2 }]
)";
  std::string said;
  try {
    run_text(split);
  } catch (const std::runtime_error& e) {
    said = e.what();
  }
  CHECK_FALSE(said.empty());
  CHECK(said.find("machine") != std::string::npos);
}

TEST_CASE("a run that could never end is refused at once") {
  const auto refused = [](std::vector<std::string> with, const char* says) {
    try {
      run_text(small, with);
    } catch (const std::runtime_error& e) {
      return std::string_view{e.what()}.find(says) != std::string_view::npos;
    }
    return false;
  };
  const std::string cut = R"(network.cuts=[{from="1s",to="2s",a="scheduler.*",b="*"}])";
  CHECK(refused({"architecture=sparrow", "network.loss=0.01"}, "network.loss: "));
  CHECK(refused({"architecture=hybrid", "network.loss=0.01"}, "network.loss: "));
  for (const auto* architecture : {"architecture=sparrow", "architecture=hybrid"})
    CHECK(refused({architecture, "network.loss=0.01"},
                  "expected a duration, or watched failures: failures.watch = \"on\""));
  CHECK(refused({"architecture=sparrow", cut}, "network.cuts: "));
  CHECK(refused({"architecture=two-level", "scheduler.t_job=1s", "offers.timeout=900ms"},
                "offers.timeout = \"900ms\""));
  check_passed(run_text(small, {"architecture=sparrow", "network.loss=0.01", "duration=5s"}));
  for (const auto* architecture : {"architecture=sparrow", "architecture=hybrid"})
    check_passed(run_text(small, {architecture, "network.loss=0.01", cut, "failures.watch=on"}));
  check_passed(run_text(small, {"architecture=parsync", "network.loss=0.01", cut}));
}

TEST_CASE("a run that gets nowhere ends when it is asked to, within an interval") {
  auto settings = parse_settings(small, "test.toml");
  settings.sync.gap = 1ns; // the reader refuses this: a second would be 10^9 rounds
  for (const auto watch : {watch_kind::off, watch_kind::on}) {
    settings.failures.watch = watch;
    CAPTURE(watch);
    watcher monitor;
    int asked = 0;
    monitor.stop = [&](const watcher&) { return ++asked > 5; };
    const auto results = run(settings, monitor);
    CHECK(results.interrupted);
    CHECK(results.simulated < 1s);
    check_passed(results);
  }
}

TEST_CASE("the memory that a run will take is about what runs have taken") {
  const auto mebibytes = [](const std::vector<std::string>& set) {
    return static_cast<double>(memory_of(parse_settings(small, "test.toml", set))) / (1 << 20);
  };
  // Measured: 64, 42, 185 and 445 MiB.
  CHECK(mebibytes({"schedulers=2000"}) == doctest::Approx(64).epsilon(0.5));
  CHECK(mebibytes({"schedulers=500", "cluster.machines=10000", "cluster.partitions=5"}) ==
        doctest::Approx(42).epsilon(0.5));
  CHECK(mebibytes({"schedulers=500", "cluster.machines=1000", "cluster.partitions=1000"}) ==
        doctest::Approx(185).epsilon(0.5));
  CHECK(mebibytes({"architecture=sparrow", "schedulers=2000", "cluster.machines=10000"}) ==
        doctest::Approx(445).epsilon(0.5));
}
