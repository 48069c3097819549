#include "model/base/planted_faults.hpp"
#include "runtime/faults/chaos.hpp"
#include "runtime/swarm/shrink.hpp"
#include "runtime/swarm/swarm_seeds.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace troupe;

TEST_CASE("every invariant holds in a swarm under failures") {
  test::check_swarm_seeds(swarm_mode::failing, 1, 400);
}

TEST_CASE("every self-check passes in a swarm without failures") {
  test::check_swarm_seeds(swarm_mode::calm, 1, 60);
}

TEST_CASE("runs in which a swarm found a defect keep every invariant") {
  std::size_t runs = 0;
  for (const auto& file : std::filesystem::directory_iterator{TROUPE_SWARM_FOUND}) {
    CAPTURE(file.path().string());
    const auto trial = try_run(read_settings(file.path()), swarm_mode::failing);
    CHECK_MESSAGE(!trial.failure, trial.failure.value_or(""));
    CHECK(trial.starts > 0);
    ++runs;
  }
  CHECK(runs > 0);
}

TEST_CASE("a calm run ends when its jobs do, and fails if nothing happens for ten minutes") {
  const auto try_tasks = [](const std::string& seconds, const std::string& phase) {
    return try_run(parse_settings("schedulers = 1\nduration = '0s'\n"
                                  "cluster = {machines = 1, partitions = 1, owners = 1}\n"
                                  "[workload]\narrivals = 'constant'\ntasks_per_job.value = 1\n"
                                  "duration.value = " +
                                    seconds + "\nphases = [" + phase + "]",
                                  "calm.toml"),
                   swarm_mode::calm);
  };
  const auto slow_arrivals = try_tasks("1", "{length = '20m', rate = 0.003}");
  CHECK_MESSAGE(!slow_arrivals.failure, slow_arrivals.failure.value_or(""));
  CHECK(slow_arrivals.starts > 1);
  const auto stuck = try_tasks("1000", "{length = '1s', rate = 3}");
  REQUIRE(stuck.failure);
  CHECK_MESSAGE(stuck.failure->starts_with("tasks are not over after 6"), *stuck.failure);
}

TEST_CASE("failures of one class differ in numbers only") {
  CHECK(failure_class("task 12.3 runs on machine 4 and on machine 15") ==
        failure_class("task 1.0 runs on machine 10 and on machine 2"));
  CHECK(failure_class("machine 4 runs more than it has room for") !=
        failure_class("owner 4 runs more than it has room for"));
}

#ifdef TROUPE_CHECKS

namespace {

class planting {
public:
  explicit planting(planted_fault what) { planted_now = what; }
  ~planting() { planted_now = planted_fault::none; }

  planting(const planting&) = delete;
  planting& operator=(const planting&) = delete;
};

/// Returns the first seed that fails, or 0.
std::uint64_t first_failing() {
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    if (try_run(draw_swarm(seed, swarm_mode::failing).settings, swarm_mode::failing).failure)
      return seed;
  return 0;
}

} // namespace

TEST_CASE("a swarm finds what is planted") {
  for (const auto what : {planted_fault::unchecked_capacity, planted_fault::dropped_rejection,
                          planted_fault::doubled_end, planted_fault::trusted_claim,
                          planted_fault::ignored_constraints, planted_fault::ignored_windows}) {
    CAPTURE(static_cast<int>(what));
    const planting fault{what};
    CHECK(first_failing() > 0);
  }
}

TEST_CASE("a failing run is made smaller, fails likewise, and can be written down") {
  const planting fault{planted_fault::unchecked_capacity};
  const auto draw = draw_swarm(first_failing(), swarm_mode::failing);
  const auto trial = try_run(draw.settings, swarm_mode::failing);
  REQUIRE(trial.failure);
  const auto small = shrink(draw, swarm_mode::failing, trial, 150);
  // A limit of jobs is not drawn: it makes the run shorter.
  const auto drawn = std::ranges::count_if(
    small.choices, [](const swarm_choice& c) { return c.key != "workload.jobs"; });
  CHECK(static_cast<std::size_t>(drawn) + small.faults.size() <
        draw.choices.size() + trial.faults.size());
  CHECK(small.faults.size() <= trial.faults.size());
  CHECK(failure_class(small.failure) == failure_class(*trial.failure));
  CHECK(small.runs <= 150);
  auto read = parse_settings(to_toml(small), "small.toml");
  read.seed = small.seed;
  CHECK(run_chaos(read).violation == small.failure);
}

#endif
