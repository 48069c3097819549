#include "support/pool_run.hpp"
#include "support/rigid_jobs.hpp"
#include "support/seeds.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace troupe;
using namespace troupe::testing;

// The starts of all jobs are those of plain schedulers that share no code with the start queue.

namespace {

constexpr std::pair<start_discipline, reference::discipline> disciplines[] = {
  {start_discipline::fcfs, reference::discipline::fcfs},
  {start_discipline::easy, reference::discipline::easy},
  {start_discipline::conservative, reference::discipline::conservative}};

} // namespace

TEST_CASE("every job of random logs starts when a plain scheduler starts it") {
  for (const auto how : {estimates::exact, estimates::over, estimates::both})
    for (std::uint64_t seed = 1; seed <= 50; seed += test::step_of_seeds(50)) {
      const auto processors = static_cast<std::int32_t>(8 + 7 * (seed % 12));
      const auto jobs = random_rigid_jobs(250, processors, how, seed);
      for (const auto& [ours, plain] : disciplines) {
        CAPTURE(seed);
        CAPTURE(name_of(ours));
        const auto starts = run_on_pool(jobs, processors, ours);
        REQUIRE(starts == reference::starts_of(jobs, processors, plain));
        REQUIRE(std::ranges::min(starts) >= 0);
      }
    }
}

TEST_CASE("with windows, every job of random logs starts when a plain scheduler starts it") {
  std::size_t moved = 0;
  for (const auto how : {estimates::exact, estimates::over, estimates::both})
    for (std::uint64_t seed = 1; seed <= 60; seed += test::step_of_seeds(60)) {
      const auto processors = static_cast<std::int64_t>(8 + 7 * (seed % 12));
      auto jobs = random_rigid_jobs(100, processors, how, seed);
      const auto parts = random_parts(jobs, processors, seed);
      for (const auto& [ours, plain] : disciplines) {
        CAPTURE(seed);
        CAPTURE(name_of(ours));
        const auto starts = run_on_parts(jobs, parts, ours);
        REQUIRE(starts == reference::starts_with_windows(jobs, parts, plain));
        REQUIRE(std::ranges::min(starts) >= 0);
        moved += starts != reference::starts_of(jobs, processors, plain);
      }
    }
  CHECK(moved > 0);
}

TEST_CASE("without windows, the plain scheduler of parts is that of a pool") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto jobs = random_rigid_jobs(100, 40, estimates::both, seed);
    for (const auto& [_, plain] : disciplines)
      CHECK(reference::starts_with_windows(jobs, {{40, {}}}, plain) ==
            reference::starts_of(jobs, 40, plain));
  }
}

TEST_CASE("the disciplines differ, so that none can stand for another") {
  const auto jobs = random_rigid_jobs(250, 32, estimates::over, 1);
  const auto fcfs = run_on_pool(jobs, 32, start_discipline::fcfs);
  const auto easy = run_on_pool(jobs, 32, start_discipline::easy);
  const auto conservative = run_on_pool(jobs, 32, start_discipline::conservative);
  CHECK(fcfs != easy);
  CHECK(fcfs != conservative);
  CHECK(easy != conservative);
}

TEST_CASE(
  "every job of a log that is given by TROUPE_SWF starts when a plain scheduler starts it") {
  const auto* path = std::getenv("TROUPE_SWF");
  if (path == nullptr)
    return;
  const auto* most = std::getenv("TROUPE_SWF_JOBS");
  const auto [jobs, processors] =
    rigid_jobs_of(path, most == nullptr ? 5000 : std::strtoul(most, nullptr, 10));
  REQUIRE_FALSE(jobs.empty());
  for (const auto& [ours, plain] : disciplines) {
    CAPTURE(name_of(ours));
    CHECK(run_on_pool(jobs, static_cast<std::int32_t>(processors), ours) ==
          reference::starts_of(jobs, processors, plain));
  }
}
