#include "model/base/planted_faults.hpp"
#include "plugins/chaos_seeds.hpp"
#include "plugins/libraries.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/swarm/draw.hpp"
#include "runtime/swarm/trial.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

using namespace troupe;
using namespace troupe::test;

namespace {

/// The settings of a small cluster for chaos, with a scheduler from a plugin.
run_settings chaos_of_plugin(const std::string& name, std::vector<std::string> more = {}) {
  std::vector<std::string> set{"scheduler.actor=faulty"};
  set.insert(set.end(), more.begin(), more.end());
  return read_settings(std::string{TROUPE_SOURCE_DIR} + "/configs/chaos/" + name + ".toml",
                       with_faulty(set));
}

} // namespace

TEST_CASE("every invariant holds with a scheduler from a plugin") {
  check_seeds(chaos_of_plugin("parsync"), 1000);
  for (const std::string name : {"statesync", "static", "dependencies", "preemption"}) {
    CAPTURE(name);
    check_seeds(chaos_of_plugin(name), 250);
  }
}

TEST_CASE("every invariant holds where a plugin places gangs on the machines of one owner") {
  check_seeds(chaos_of_plugin("parsync", {"workload.gang=true", "cluster.owners=1"}), 250);
}

TEST_CASE("every invariant holds where a plugin's tasks are given up after losses") {
  check_seeds(chaos_of_plugin("parsync", {"failures.retries=1", "chaos.faults=15"}), 100);
}

TEST_CASE("every invariant holds with a scheduler from a plugin where failures never end") {
  for (const std::string name : {"parsync", "statesync", "static"}) {
    CAPTURE(name);
    check_seeds(
      chaos_of_plugin(name, {"chaos.faults=25", "network.loss=0.02", "workload.phases.0.rate=20"}),
      30);
  }
}

TEST_CASE("chaos has the same run each time with a scheduler from a plugin") {
  auto settings = chaos_of_plugin("parsync");
  settings.seed = 7;
  const auto first = run_chaos(settings, 1000);
  CHECK(run_chaos(settings, 1000).last_events == first.last_events);
}

TEST_CASE("every invariant holds where machines of a plugin leave, join and change") {
  for (const auto* architecture : {"parsync", "static", "monolithic"}) {
    CAPTURE(architecture);
    auto settings =
      chaos_of_plugin("traced", {"cluster.trace.file=" TROUPE_SOURCE_DIR "/configs/chaos/traced",
                                 "architecture=" + std::string{architecture}, "chaos.faults=15"});
    resolve_machines(settings);
    check_seeds(settings, 50);
  }
}

TEST_CASE("a run with failures has a plugin's schedulers, and the same results again") {
  const auto set =
    with_faulty({"scheduler.actor=faulty",
                 R"(faults.at=[{kind="kill",target="scheduler.0",time="1s",duration="1s"},)"
                 R"({kind="kill",target="owner.1",time="2s",duration="1s"},)"
                 R"({kind="kill",target="machine.3",time="1500ms",duration="2s"}])"});
  const auto results = try_cluster(tiny_cluster, set);
  CHECK(failed_checks(results).empty());
  CHECK(tasks_of(results).finished == tasks_of(results).submitted);
  CHECK(results.policy == "faulty");
  CHECK(results_text(results) == results_text(try_cluster(tiny_cluster, set)));
}

TEST_CASE("a plugin's schedulers place as many tasks whether failures are watched or not") {
  const auto plain = try_cluster(tiny_cluster, with_faulty({"scheduler.actor=faulty"}));
  const auto watched =
    try_cluster(tiny_cluster, with_faulty({"scheduler.actor=faulty", "failures.watch=on"}));
  CHECK(failed_checks(watched).empty());
  CHECK(tasks_of(watched).finished == tasks_of(plain).finished);
  CHECK(tasks_of(watched).placed == tasks_of(plain).placed);
}

TEST_CASE("chaos finds the mistakes of a plugin") {
  for (const auto* fault : {"twice", "unknown-machine", "quits"}) {
    const auto what =
      found(chaos_of_plugin("parsync", {"scheduler.faulty.fault=" + std::string{fault}}), 3);
    CAPTURE(what);
    CHECK(what.starts_with("plugin 'faulty' ("));
  }
}

TEST_CASE("a swarm draws schedulers from plugins with all that they can do") {
  load_swarm_schedulers();
  std::map<std::string, int> drawn;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    const auto draw = draw_swarm(seed, swarm_mode::failing);
    const auto is_plugin = [](const auto& c) {
      return c.key.ends_with("scheduler.actor") && (c.value == "faulty" || c.value == "prober");
    };
    const bool groups = std::ranges::any_of(draw.choices, [](const auto& c) {
      return c.key == "groups" && c.value.find("actor=") != std::string::npos;
    });
    drawn["hybrid"] += groups;
    if (!groups && std::ranges::none_of(draw.choices, is_plugin))
      continue;
    for (const auto& c : draw.choices) {
      ++drawn[c.key];
      if (c.key == "workload.kind")
        ++drawn[c.value];
    }
  }
  for (const std::string key :
       {"hybrid", "records", "workload.gang", "scheduler.commit", "cluster.windows", "burst",
        "trace", "lublin", "policy_changes", "cluster.trace.file", "workload.stages"}) {
    CAPTURE(key);
    CHECK(drawn[key] > 0);
  }
}

TEST_CASE("every invariant holds in a swarm that draws schedulers from a plugin") {
  load_swarm_schedulers();
  std::uint64_t of_plugin = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const auto draw = draw_swarm(seed, swarm_mode::failing);
    of_plugin += std::ranges::any_of(draw.choices, [](const auto& c) {
      return c.key == "scheduler.actor" && c.value == "faulty";
    });
    const auto trial = try_run(draw.settings, swarm_mode::failing);
    CHECK_MESSAGE(!trial.failure, trial.failure.value_or(""));
  }
  CHECK(of_plugin > 20);
}

#ifdef TROUPE_CHECKS

TEST_CASE("chaos finds that the records of a plugin's tasks are wrong") {
  for (const auto fault : {planted_fault::unrecorded_attempt, planted_fault::misrecorded_machine,
                           planted_fault::recorded_as_finished, planted_fault::unrecorded_refusal,
                           planted_fault::unrecorded_task}) {
    planted_now = fault;
    const auto what =
      found(chaos_of_plugin("parsync", {"failures.retries=1", "chaos.faults=30"}), 200);
    planted_now = planted_fault::none;
    CAPTURE(static_cast<int>(fault));
    CAPTURE(what);
    CHECK(what.find("record") != std::string::npos);
  }
}

TEST_CASE("chaos finds that a plugin is not told of a lost task") {
  planted_now = planted_fault::dropped_rejection;
  const auto what = found(chaos_of_plugin("parsync"), 200);
  planted_now = planted_fault::none;
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

#endif
