#include "plugins/libraries.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

std::vector<std::string> with_prober(std::vector<std::string> more) {
  enable_scheduler_plugins();
  more.insert(more.begin(), {"plugins.paths+=" + library("prober"), "architecture=sparrow",
                             "scheduler.actor=prober"});
  return more;
}

std::vector<std::string> failing(std::vector<std::string> more = {}) {
  more.push_back(R"(faults.at=[{kind="kill",target="scheduler.0",time="1s",duration="1s"},)"
                 R"({kind="kill",target="machine.3",time="1500ms",duration="2s"},)"
                 R"({kind="freeze",target="machine.5",time="500ms",duration="3s"}])");
  return with_prober(std::move(more));
}

std::string prober_fault(const std::string& name, std::vector<std::string> set) {
  set.push_back("scheduler.prober.fault=" + name);
  try {
    try_cluster(tiny_cluster, set);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return {};
}

} // namespace

TEST_CASE("a run with failures has a plugin that uses queues, and the same results again") {
  for (const std::string how : {"late-binding", "per-task", "batch", "random"}) {
    CAPTURE(how);
    const auto set = failing({"sparrow.probing=" + how});
    const auto results = try_cluster(tiny_cluster, set);
    CHECK(failed_checks(results).empty());
    CHECK(tasks_of(results).finished == tasks_of(results).submitted);
    CHECK(results.policy == "prober");
    CHECK(results_text(results) == results_text(try_cluster(tiny_cluster, set)));
  }
}

TEST_CASE("a plugin that uses queues does as much whether failures are watched or not") {
  const auto plain = try_cluster(tiny_cluster, with_prober({}));
  const auto watched = try_cluster(tiny_cluster, with_prober({"failures.watch=on"}));
  CHECK(failed_checks(watched).empty());
  CHECK(tasks_of(watched).finished == tasks_of(plain).finished);
  CHECK(tasks_of(watched).placed == tasks_of(plain).placed);
}

TEST_CASE("a plugin that uses queues hears of machines that a trace changes") {
  const std::string trace = "cluster.trace.file=" TROUPE_SOURCE_DIR "/configs/chaos/traced";
  for (const auto* watch : {"failures.watch=off", "failures.watch=on"}) {
    CAPTURE(watch);
    const auto results = try_cluster(
      tiny_cluster, with_prober({trace, "workload.cpu=1", watch, "workload.phases.0.length=30s",
                                 "workload.phases.0.rate=10"}));
    CHECK(failed_checks(results).empty());
    CHECK(tasks_of(results).finished == tasks_of(results).submitted);
    CHECK(tasks_of(results).finished > 100);
    CHECK(tasks_of(results).placed > tasks_of(results).finished); // some were killed
  }
}

TEST_CASE("a mistake of a plugin that uses queues ends a run with failures") {
  struct mistake {
    const char* fault;
    const char* how;
    const char* complaint;
  };
  const mistake mistakes[] = {
    {"unknown-task", "late-binding", ", which it was not given, or which is over"},
    {"unknown-task", "random", ", which it was not given, or which is over"},
    {"other-demand", "random", "; it asks for slots 1"},
    {"other-scheduler", "late-binding", " sends an answer in the name of scheduler 77"},
    {"other-scheduler", "random", " sends an entry in the name of scheduler 77"},
    {"answers-twice", "late-binding", ", which has not asked for a task of group 0 of job "},
    {"sends-twice", "batch", " a second time: it was sent to machine "},
    {"quits", "random", " has ended: "},
    {"no-actor", "random", "spawn() returned no actor"},
  };
  for (const auto& [name, how, complaint] : mistakes) {
    const auto message = prober_fault(name, failing({std::string{"sparrow.probing="} + how}));
    CAPTURE(name);
    CAPTURE(message);
    CHECK(message.starts_with("plugin 'prober' (" + library("prober") + "): "));
    CHECK(message.find(complaint) != std::string::npos);
  }
}
