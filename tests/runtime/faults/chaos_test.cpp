#include "model/base/random.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/faults/chaos.hpp"
#include "settings/toml/read.hpp"
#include "support/scratch_log.hpp"
#include "support/seeds.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace troupe;

namespace {

run_settings chaos_config(const std::string& name, std::vector<std::string> overrides = {}) {
  return read_settings(std::string{TROUPE_SOURCE_DIR} + "/configs/chaos/" + name + ".toml",
                       overrides);
}

run_settings traced_config(std::vector<std::string> overrides = {},
                           const std::string& name = "traced") {
  overrides.push_back("cluster.trace.file=" TROUPE_SOURCE_DIR "/configs/chaos/traced");
  auto settings = chaos_config(name, overrides);
  resolve_machines(settings);
  return settings;
}

/// Runs seeds `first` to `last` and returns how many tasks were started more than once.
std::uint64_t run_seeds(run_settings settings, std::uint64_t first, std::uint64_t last) {
  std::uint64_t again = 0;
  for (auto seed = first; seed <= last; seed += test::step_of_seeds(last - first)) {
    CAPTURE(seed);
    settings.seed = seed;
    const auto outcome = run_chaos(settings);
    CHECK_MESSAGE(!outcome.violation, outcome.violation.value_or(""));
    CHECK(outcome.tasks > 0);
    if (settings.chaos.withdrawals == 0)
      CHECK(outcome.starts >= outcome.tasks);
    again += outcome.starts - outcome.tasks;
  }
  return again;
}

} // namespace

TEST_CASE("every invariant holds under failures of every sort") {
  for (const auto* name : {"parsync", "statesync", "static", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(name);
    CHECK(run_seeds(chaos_config(name), 1, 60) > 0);
  }
}

TEST_CASE("every invariant holds where jobs are withdrawn") {
  for (const auto* name : {"parsync", "static", "two-level", "sparrow", "hybrid", "easy"}) {
    CAPTURE(name);
    run_seeds(chaos_config(name, {"chaos.withdrawals=0.5"}), 1, 30);
  }
  auto settings = chaos_config(
    "parsync", {"chaos.faults=0", "workload.phases=[{length=\"10s\",rate=40}]"}); // some wait
  settings.seed = 4;
  const auto all = run_chaos(settings).starts;
  settings.chaos.withdrawals = 1;
  CHECK(run_chaos(settings).starts < all);
}

TEST_CASE("every invariant holds where tasks spread or ask for a kind of machines") {
  for (const auto* architecture :
       {"parsync", "statesync", "static", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    CHECK(run_seeds(chaos_config("constraints", {"architecture=" + std::string{architecture}}), 1,
                    40) > 0);
  }
}

TEST_CASE("every invariant holds under queue disciplines") {
  for (const auto* name : {"easy", "conservative"})
    for (const auto* discipline : {"fcfs", "easy", "conservative"})
      for (const auto* architecture : {"parsync", "statesync", "static", "monolithic"}) {
        CAPTURE(name);
        CAPTURE(discipline);
        CAPTURE(architecture);
        run_seeds(chaos_config(name, {std::string{"scheduler.discipline="} + discipline,
                                      std::string{"architecture="} + architecture}),
                  1, 15);
      }
}

TEST_CASE("every invariant holds where schedulers choose the widths of jobs") {
  for (const auto* width : {"available", "earliest-finish"})
    for (const auto* discipline : {"fcfs", "easy", "conservative"})
      for (const auto* architecture : {"parsync", "statesync", "static", "monolithic"}) {
        CAPTURE(width);
        CAPTURE(discipline);
        CAPTURE(architecture);
        std::vector<std::string> with{std::string{"scheduler.width="} + width,
                                      std::string{"scheduler.discipline="} + discipline,
                                      std::string{"architecture="} + architecture};
        run_seeds(chaos_config("moldable", with), 1, 15);
        with.emplace_back("cluster.windows=" TROUPE_SOURCE_DIR "/configs/chaos/windows.csv");
        with.emplace_back(R"(tenants=[{name="x"},{name="y"}])");
        run_seeds(chaos_config("moldable", with), 1, 15);
      }
}

TEST_CASE("every invariant holds where windows close machines") {
  for (const auto* name : {"windows", "two-level"})
    for (const auto* discipline : {"fit", "fcfs", "easy", "conservative"})
      for (const auto* architecture : {"parsync", "statesync", "static", "monolithic"}) {
        const bool offers = std::string_view{name} == "two-level";
        if (offers && std::string_view{discipline} != "fit")
          continue;
        CAPTURE(name);
        CAPTURE(discipline);
        CAPTURE(architecture);
        run_seeds(chaos_config(
                    name, {"cluster.windows=" TROUPE_SOURCE_DIR "/configs/chaos/windows.csv",
                           R"(tenants=[{name="x"},{name="y"}])",
                           std::string{"scheduler.discipline="} + discipline,
                           std::string{"architecture="} + (offers ? "two-level" : architecture)}),
                  1, 15);
      }
}

TEST_CASE("every invariant holds where windows close machines that are probed") {
  for (const std::string architecture : {"sparrow", "hybrid"})
    for (const auto* how : {"random", "per-task", "batch", "late-binding"}) {
      CAPTURE(architecture);
      CAPTURE(how);
      std::vector<std::string> with{
        "cluster.windows=" TROUPE_SOURCE_DIR "/configs/chaos/windows.csv",
        R"(tenants=[{name="x"},{name="y"}])", std::string{"sparrow.probing="} + how};
      run_seeds(chaos_config(architecture, with), 1, 15);
      with.emplace_back("chaos.faults=15");
      with.emplace_back("sparrow.queue=fair");
      run_seeds(chaos_config(architecture, with), 101, 108);
    }
}

TEST_CASE("every invariant holds where only so many tasks of a job run at a time") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level"})
    for (const std::string limit : {"1", "3"}) {
      CAPTURE(architecture);
      CAPTURE(limit);
      run_seeds(chaos_config(architecture == "two-level" ? "two-level" : "parsync",
                             {"workload.array_limit=" + limit, "architecture=" + architecture,
                              "workload.tasks_per_job={value=7}"}),
                1, 25);
    }
}

TEST_CASE("every invariant holds where schedulers hoard offers for gangs") {
  for (const auto* limit : {"0.2", "0.5", "1"}) {
    CAPTURE(limit);
    run_seeds(chaos_config("two-level", {std::string{"offers.hoard="} + limit, "offers.timeout=3s",
                                         "workload.gang=true", "workload.tasks_per_job={value=6}"}),
              1, 25);
  }
}

TEST_CASE("every invariant holds where jobs are submitted after the ends of others") {
  auto random = random_stream::derive(1, "sessions", 0);
  const auto upto = [&](std::uint64_t n) { return std::to_string(1 + random.below(n)); };
  std::string text = "; MaxProcs: 8\n";
  for (std::uint64_t job = 1; job <= 40; ++job)
    text += std::to_string(job) + " " + std::to_string(job / 8) + " -1 " + upto(3) + " " + upto(3) +
            " -1 -1 -1 3 -1 1 1 1 1 1 1 " + (job % 8 == 1 ? "-1" : upto(job - 1)) + " " +
            (job % 3 == 0 ? "0" : upto(2)) + "\n";
  const testing::scratch_log log{text};
  for (const auto* name : {"parsync", "statesync", "static", "two-level", "sparrow", "hybrid"})
    for (const bool disciplined : {false, true}) {
      const std::string_view is = name;
      const bool probes = is == "sparrow" || is == "hybrid";
      if (disciplined && (probes || is == "two-level"))
        continue;
      CAPTURE(name);
      std::vector<std::string> more{"workload.kind=trace", "workload.file=" + log.path(),
                                    "workload.trace.format=swf", "workload.trace.think_times=true"};
      if (probes)
        more.push_back("workload.trace.gangs=false");
      if (disciplined)
        more.push_back("scheduler.discipline=easy");
      run_seeds(chaos_config(name, more), 1, 15);
    }
}

TEST_CASE("every invariant holds where machines are drained") {
  const std::vector<std::string> drains{R"(chaos.kinds=["drain"])", "chaos.faults=30"};
  for (const auto* name : {"parsync", "statesync", "static", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(name);
    CHECK(run_seeds(chaos_config(name, drains), 1, 30) > 0);
  }
}

TEST_CASE("every invariant holds where failures never end") {
  const std::vector<std::string> much{"chaos.faults=25", "network.loss=0.02",
                                      "workload.phases.0.rate=20"};
  for (const auto* name : {"parsync", "statesync", "static", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(name);
    CHECK(run_seeds(chaos_config(name, much), 1, 30) > 0);
  }
}

TEST_CASE("every invariant holds where tasks give way to others") {
  CHECK(run_seeds(chaos_config("preemption"), 1, 40) > 0);
  for (const auto* name : {"architecture=statesync", "architecture=static"}) {
    CAPTURE(name);
    CHECK(run_seeds(chaos_config("preemption", {name}), 1, 15) > 0);
  }
}

TEST_CASE("every invariant holds where tasks wait for others of their job") {
  CHECK(run_seeds(chaos_config("dependencies"), 1, 60) > 0);
  for (const auto* name : {"architecture=statesync", "architecture=static",
                           "architecture=two-level", "architecture=monolithic"}) {
    CAPTURE(name);
    std::vector<std::string> with{name, "scheduler.preemption=false", "chaos.faults=15"};
    if (std::string{name} == "architecture=two-level")
      with.insert(with.end(), {"offers.interval=300ms", "offers.filter=1s"});
    CHECK(run_seeds(chaos_config("dependencies", with), 1, 15) > 0);
  }
}

TEST_CASE("every invariant holds where schedulers that probe have tasks that wait for others") {
  CHECK(run_seeds(chaos_config("sparrow-dependencies"), 1, 60) > 0);
  for (const auto* how : {"random", "per-task", "batch"}) {
    CAPTURE(how);
    const auto probing = std::string{"sparrow.probing="} + how;
    CHECK(run_seeds(chaos_config("sparrow-dependencies", {probing}), 1, 15) > 0);
  }
}

TEST_CASE("every invariant holds where machines leave, join and change") {
  CHECK(run_seeds(traced_config(), 1, 60) > 0);
  for (const auto* name :
       {"statesync", "static", "two-level", "monolithic", "failures.retries=100"}) {
    CAPTURE(name);
    const auto with = std::string{name}.find('=') == std::string::npos
                        ? std::string{"architecture="} + name
                        : std::string{name};
    CHECK(run_seeds(traced_config({with, "chaos.faults=15"}), 1, 15) > 0);
  }
}

TEST_CASE("every invariant holds in clusters that grow") {
  CHECK(run_seeds(chaos_config("growing"), 1, 60) > 0);
  for (const std::string architecture :
       {"statesync", "static", "two-level", "monolithic", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    std::vector<std::string> with{"architecture=" + architecture, "chaos.faults=15"};
    if (architecture == "hybrid") // one of them for the long jobs
      with.insert(with.end(), {"schedulers=5", "groups.0.schedulers=3"});
    CHECK(run_seeds(chaos_config("growing", with), 1, 15) > 0);
  }
  for (const auto* name : {"preemption", "easy", "moldable", "dependencies"}) {
    CAPTURE(name);
    run_seeds(chaos_config(name, {"chaos.growth=true"}), 1, 15);
  }
  run_seeds(chaos_config("windows", {"chaos.growth=true", "cluster.windows=" TROUPE_SOURCE_DIR
                                                          "/configs/chaos/windows.csv"}),
            1, 15);
}

TEST_CASE("every invariant holds where machines with queues come and go as a trace says") {
  for (const auto* name : {"sparrow-traced", "hybrid-traced"}) {
    CAPTURE(name);
    CHECK(run_seeds(traced_config({}, name), 1, 60) > 0);
    for (const auto* probing : {"random", "per-task", "batch"})
      CHECK(run_seeds(
              traced_config({std::string{"sparrow.probing="} + probing, "chaos.faults=15"}, name),
              1, 15) > 0);
    CHECK(run_seeds(traced_config({"failures.retries=100", "network.loss=0.02"}, name), 1, 15) > 0);
  }
}

TEST_CASE(
  "what waits for a version is placed in the end, whatever incarnations the owner has had") {
  const std::vector<std::string> waits{"scheduler.retry.wait_for_refresh=true"};
  for (const auto seed : {4, 97, 108, 125})
    run_seeds(chaos_config("statesync", waits), seed, seed);
  for (const auto seed : {60, 87})
    run_seeds(chaos_config("static", waits), seed, seed);
  for (const auto seed : {5, 161})
    run_seeds(chaos_config("two-level", waits), seed, seed);
}

TEST_CASE("a cluster that is slow, and gets on, is waited for") {
  const auto settings =
    chaos_config("static", {"workload.phases.0.rate=30", "cluster.machines=3", "cluster.slots=1",
                            "cluster.partitions=3", "chaos.patience=30s", "chaos.faults=1"});
  run_seeds(settings, 1, 1);
}

TEST_CASE("every invariant holds whatever the way in which machines are probed") {
  for (const auto* how : {"random", "per-task", "batch", "late-binding"}) {
    CAPTURE(how);
    CHECK(run_seeds(chaos_config("sparrow", {std::string{"sparrow.probing="} + how,
                                             "chaos.faults=20", "failures.standby_schedulers=3"}),
                    1, 30) > 0);
  }
}

TEST_CASE("every invariant holds where machines steal work, and where they do not") {
  for (const auto* with : {"hybrid.steal_attempts=0", "hybrid.steal_attempts=50",
                           "hybrid.reserved=0.5", "sparrow.probing=batch", "sparrow.queue=fair",
                           "sparrow.cancellation=false", "scheduler.preemption=true"}) {
    CAPTURE(with);
    CHECK(run_seeds(chaos_config("hybrid", {with, "chaos.faults=15"}), 1, 15) > 0);
  }
}

TEST_CASE("a seed has the same run each time, and another one another") {
  for (const auto* name : {"parsync", "sparrow", "hybrid"}) {
    CAPTURE(name);
    auto settings = chaos_config(name);
    settings.seed = 7;
    const auto first = run_chaos(settings, 1000);
    const auto again = run_chaos(settings, 1000);
    CHECK(first.messages == again.messages);
    CHECK(first.last_events == again.last_events);
    CHECK(first.last_events.size() == 1000);
    settings.seed = 8;
    CHECK(run_chaos(settings, 1000).last_events != first.last_events);
  }
}

TEST_CASE("messages are limited while no task ends, and not in all") {
  auto settings = chaos_config("parsync", {"chaos.faults=0"});
  settings.seed = 2;
  const auto all = run_chaos(settings).messages;
  CHECK_FALSE(run_chaos(settings, 0, all / 2).violation);
  const auto few = run_chaos(settings, 0, 50).violation.value_or("");
  CHECK(few.starts_with("more than "));
  CHECK(few.ends_with(", and no task ends"));
}

TEST_CASE("chaos is refused where it cannot be had") {
  CHECK(why_no_chaos(chaos_config("parsync")).empty());
  CHECK(why_no_chaos(chaos_config("two-level", {"offers.timeout=1us"})).find("offers.timeout") !=
        std::string::npos);
  CHECK(why_no_chaos(chaos_config("sparrow", {"network.loss=0.1"})).empty());
}
