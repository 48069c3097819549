#include "actors/plugin/scheduler_plugin.hpp"
#include "model/base/planted_faults.hpp"
#include "plugins/chaos_seeds.hpp"
#include "plugins/libraries.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/swarm/draw.hpp"
#include "runtime/swarm/trial.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;
using namespace troupe::test;

namespace {

/// The settings of a small cluster for chaos, with a plugin that uses the queues of machines.
run_settings chaos_of_prober(const std::string& name, std::vector<std::string> more = {}) {
  enable_scheduler_plugins();
  std::vector<std::string> set{"plugins.paths+=" + library("prober")};
  if (name.starts_with("sparrow"))
    set.push_back("scheduler.actor=prober");
  if (name.ends_with("traced"))
    set.push_back("cluster.trace.file=" TROUPE_SOURCE_DIR "/configs/chaos/traced");
  set.insert(set.end(), more.begin(), more.end());
  auto settings =
    read_settings(std::string{TROUPE_SOURCE_DIR} + "/configs/chaos/" + name + ".toml", set);
  resolve_machines(settings);
  return settings;
}

} // namespace

TEST_CASE("every invariant holds with a plugin that uses queues") {
  for (const std::string name : {"sparrow", "sparrow-dependencies", "sparrow-traced"}) {
    CAPTURE(name);
    check_seeds(chaos_of_prober(name), 150);
  }
}

TEST_CASE("every invariant holds however a plugin uses queues") {
  for (const std::string how : {"per-task", "batch", "random"})
    for (const std::string name : {"sparrow-dependencies", "sparrow-traced"}) {
      CAPTURE(how);
      CAPTURE(name);
      check_seeds(chaos_of_prober(name, {"sparrow.probing=" + how}), 40);
    }
}

TEST_CASE("every invariant holds where failures never end for a plugin that uses queues") {
  check_seeds(chaos_of_prober("sparrow", {"chaos.faults=25", "network.loss=0.02",
                                          "workload.phases.0.rate=20", "failures.retries=2"}),
              40);
}

TEST_CASE("every invariant holds where jobs of a plugin that uses queues spread") {
  check_seeds(
    chaos_of_prober("sparrow", {"workload.spread=true", "cluster.machines=6", "chaos.faults=12",
                                R"(chaos.kinds=["scheduler","machine"])"}),
    40);
}

TEST_CASE("every invariant holds where idle machines take reservations of a plugin") {
  for (const std::string name : {"hybrid", "hybrid-traced"}) {
    CAPTURE(name);
    const auto settings = chaos_of_prober(
      name, {"schedulers=4", R"(groups=[{name="long",schedulers=2},)"
                             R"({name="short",schedulers=2,scheduler={actor="prober"}}])"});
    check_seeds(settings, 60);
  }
}

TEST_CASE("chaos has the same run each time with a plugin that uses queues") {
  auto settings = chaos_of_prober("sparrow");
  settings.seed = 7;
  const auto first = run_chaos(settings, 1000);
  CHECK(run_chaos(settings, 1000).last_events == first.last_events);
}

TEST_CASE("chaos finds the mistakes of a plugin that uses queues") {
  for (const auto* fault : {"unknown-task", "answers-twice", "quits"}) {
    const auto what =
      found(chaos_of_prober("sparrow", {"scheduler.prober.fault=" + std::string{fault}}), 3);
    CAPTURE(what);
    CHECK(what.starts_with("plugin 'prober' ("));
  }
}

TEST_CASE("chaos finds that a plugin answers no notice") {
  const auto what = found(chaos_of_prober("sparrow", {"scheduler.prober.fault=deaf"}), 20);
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

TEST_CASE("every invariant holds in a swarm that draws plugins that use queues") {
  load_swarm_schedulers();
  std::uint64_t of_plugin = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const auto draw = draw_swarm(seed, swarm_mode::failing);
    const bool drawn = std::ranges::any_of(draw.choices, [](const auto& c) {
      return c.key == "scheduler.actor" && c.value == "prober";
    });
    if (!drawn)
      continue;
    ++of_plugin;
    const auto trial = try_run(draw.settings, swarm_mode::failing);
    CHECK_MESSAGE(!trial.failure, trial.failure.value_or(""));
  }
  CHECK(of_plugin > 5);
}

#ifdef TROUPE_CHECKS

TEST_CASE("chaos finds that a plugin that uses queues is not told of a lost task") {
  planted_now = planted_fault::dropped_rejection;
  const auto what = found(chaos_of_prober("sparrow"), 200);
  planted_now = planted_fault::none;
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

TEST_CASE("chaos finds that a new scheduler of a plugin does not wait for all machines") {
  planted_now = planted_fault::trusted_claim;
  const auto what = found(chaos_of_prober("sparrow"), 300);
  planted_now = planted_fault::none;
  CAPTURE(what);
  CHECK_FALSE(what.empty());
}

#endif
