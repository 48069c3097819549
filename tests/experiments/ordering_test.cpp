#include "runtime/running.hpp"

#include <map>

using namespace troupe;
using namespace troupe::test;

// E1 and E2 of ParSync (Feng et al., USENIX ATC 2021) at 1/20 of their scale: as many schedulers,
// each a twentieth as fast, on a twentieth of the machines. A decision on a whole batch of ten
// would take 100 ms at that speed, hence batches and jobs of one task.

namespace {

const std::vector<std::string> one_twentieth{"cluster.machines=5000", "scheduler.t_task=10ms",
                                             "scheduler.batch=1", "workload.tasks_per_job.value=1"};

/// What the runs of one experiment said, by the end of their names.
using outcomes = std::map<std::string, nlohmann::ordered_json>;

outcomes run_all(const std::string& experiment, const std::vector<std::string>& names,
                 const std::vector<std::string>& overrides) {
  outcomes all;
  for (const auto& name : names) {
    CAPTURE(name);
    const auto results = run_config(experiment + "/" + name + ".toml", overrides);
    check_passed(results);
    all[name] = summary_of(results);
    MESSAGE(experiment << "-" << name << ": delay " << all[name]["scheduling_delay_s"]["mean"]
                       << " s, quality " << all[name]["quality"]["mean"]);
  }
  return all;
}

double delay(const nlohmann::ordered_json& of) {
  return of["scheduling_delay_s"]["mean"].get<double>();
}

double quality(const nlohmann::ordered_json& of) {
  return of["quality"]["mean"].get<double>();
}

} // namespace

TEST_CASE("E2: latency-first < adaptive < quality-first < StateSync in delay") {
  auto overrides = one_twentieth;
  overrides.push_back("duration=100s");
  for (int phase = 0; phase < 5; ++phase)
    overrides.push_back("workload.phases." + std::to_string(phase) + ".length=20s");
  auto runs = run_all("e2", {"latency-first", "adaptive", "quality-first", "statesync"}, overrides);
  const auto& fast = runs["latency-first"];
  const auto& adaptive = runs["adaptive"];
  const auto& good = runs["quality-first"];
  const auto& full = runs["statesync"];
  for (const auto& [name, run] : runs)
    CHECK(run["tasks"]["submitted"] == 142'000);
  CHECK(delay(fast) < delay(adaptive));
  CHECK(delay(adaptive) < delay(good));
  CHECK(delay(good) < delay(full));
  // The load rises until phase 2 (of 0 .. 4), and falls again.
  for (std::size_t phase = 0; phase < 5; ++phase)
    CHECK(delay(fast["phases"][phase]) < 0.1);
  CHECK(delay(adaptive["phases"][2]) > 1);
  CHECK(delay(adaptive["phases"][2]) < 2);
  for (std::size_t phase = 1; phase < 4; ++phase)
    CHECK(delay(full["phases"][phase]) > 1.5 * delay(full["phases"][phase - 1]));

  CHECK(quality(full) > quality(adaptive));
  CHECK(quality(full) == doctest::Approx(quality(good)).epsilon(0.05));
  CHECK(quality(good) > quality(adaptive));
  CHECK(quality(adaptive) > quality(fast));
  CHECK(quality(fast["phases"][2]) < quality(fast["phases"][0]));
  CHECK(quality(adaptive["phases"][2]) < quality(adaptive["phases"][0]));
}

TEST_CASE("E1: each policy pays for the load in its own coin") {
  auto runs = run_all("e1", {"latency-first", "adaptive", "quality-first"}, one_twentieth);
  const auto phase = [&](const char* policy, std::size_t number, std::size_t group) {
    const auto& part = runs[policy]["phases"][2 * number + group];
    REQUIRE(part["group"] == (group == 0 ? "A" : "B"));
    return part;
  };
  constexpr std::size_t a = 0;
  constexpr std::size_t b = 1;
  // Quality-first: the best quality; the delay runs away for whoever is at full load.
  CHECK(quality(runs["quality-first"]) > quality(runs["adaptive"]));
  CHECK(quality(runs["adaptive"]) > quality(runs["latency-first"]));
  CHECK(delay(phase("quality-first", 0, a)) < 0.2);
  CHECK(delay(phase("quality-first", 1, a)) > 10 * delay(phase("quality-first", 1, b)));
  CHECK(delay(phase("quality-first", 2, a)) > 2 * delay(phase("quality-first", 1, a)));
  CHECK(delay(phase("quality-first", 2, b)) > 10 * delay(phase("quality-first", 1, b)));
  // Latency-first: the lowest delay in every phase at full load; it rises in the last one.
  for (const std::size_t group : {a, b})
    CHECK(delay(phase("latency-first", 2, group)) < delay(phase("adaptive", 2, group)));
  CHECK(delay(phase("latency-first", 1, a)) < delay(phase("adaptive", 1, a)));
  CHECK(delay(phase("latency-first", 2, b)) > delay(phase("latency-first", 1, b)));
  CHECK(quality(phase("latency-first", 2, a)) < quality(phase("latency-first", 1, a)));
  // Adaptive: held at tau, 1.5 s; A gives its quality up in phase 2, B keeps it until phase 3.
  CHECK(delay(phase("adaptive", 1, a)) > 1);
  CHECK(delay(phase("adaptive", 1, a)) < 2);
  CHECK(delay(phase("adaptive", 2, a)) < delay(phase("quality-first", 2, a)) / 2);
  CHECK(quality(phase("adaptive", 1, b)) > 1.05 * quality(phase("adaptive", 1, a)));
  CHECK(quality(phase("adaptive", 2, b)) < 0.95 * quality(phase("adaptive", 1, b)));
}
