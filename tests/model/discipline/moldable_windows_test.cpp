#include "support/moldable_jobs.hpp"
#include "support/molded_run.hpp"
#include "support/reference_moldable_windows.hpp"
#include "support/seeds.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

// Moldable jobs on machines with windows start when, and as wide as, plain schedulers start them
// that share no code with the start queue.

TEST_CASE("with windows, moldable jobs of random logs start as plain schedulers start them") {
  std::size_t other_widths = 0;
  std::size_t moved = 0;
  for (const auto how : {estimates::exact, estimates::over, estimates::both})
    for (std::uint64_t seed = 1; seed <= 48; seed += test::step_of_seeds(48)) {
      const auto processors = static_cast<std::int64_t>(8 + 7 * (seed % 12));
      auto jobs = random_moldable_jobs(80, processors, how, seed);
      const auto parts = random_parts(jobs, processors, seed);
      for (const auto& [ours, plain] : queueings)
        for (const auto& [by, plain_rule] : moldings) {
          CAPTURE(seed);
          CAPTURE(name_of(ours));
          CAPTURE(name_of(by));
          const auto starts = run_molded_on_parts(jobs, parts, ours, by);
          const auto expected = reference::moldable_parts{jobs, parts, plain, plain_rule}.starts();
          for (std::size_t j = 0; j < jobs.size(); ++j) {
            CAPTURE(j);
            REQUIRE(starts[j].at == expected[j].at);
            REQUIRE(starts[j].processors == expected[j].processors);
            REQUIRE(starts[j].at >= jobs[j].submitted);
            other_widths += starts[j].processors != jobs[j].widths[jobs[j].requested].processors;
          }
          moved += starts != run_molded(jobs, processors, ours, by);
        }
    }
  CHECK(other_widths > 1000);
  CHECK(moved > 0);
}

TEST_CASE("without windows, the plain scheduler of moldable jobs on parts is that of a pool") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto jobs = random_moldable_jobs(80, 40, estimates::both, seed);
    for (const auto& [_, plain] : queueings)
      for (const auto& [by, rule] : moldings)
        CHECK(reference::moldable_parts{jobs, {{40, {}}}, plain, rule}.starts() ==
              reference::moldable_pool{jobs, 40, plain, rule}.starts());
  }
}

TEST_CASE("with jobs of one width, the plain scheduler of moldable jobs is that of rigid ones") {
  constexpr std::pair<reference::queueing, reference::discipline> same[] = {
    {reference::queueing::fcfs, reference::discipline::fcfs},
    {reference::queueing::easy, reference::discipline::easy},
    {reference::queueing::conservative, reference::discipline::conservative}};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    auto rigid = random_rigid_jobs(80, 40, estimates::both, seed);
    const auto parts = random_parts(rigid, 40, seed);
    std::vector<reference::moldable_job> jobs;
    for (const auto& j : rigid)
      jobs.push_back({j.submitted, {{j.processors, j.runtime, j.estimate}}, 0, j.tenant});
    for (const auto& [queueing, discipline] : same) {
      const auto starts =
        reference::moldable_parts{jobs, parts, queueing, reference::molding::available}.starts();
      const auto expected = reference::starts_with_windows(rigid, parts, discipline);
      for (std::size_t j = 0; j < jobs.size(); ++j)
        CHECK(starts[j].at == expected[j]);
    }
  }
}

TEST_CASE("a moldable job takes a width whose run ends before a window, or one that waits for it") {
  // 4 processors without windows, and 4 under maintenance from 20 until 40. A job of 4 for 30 s, or
  // of 8 for 15 s; then the same while the first 4 are taken until 10.
  const std::vector<reference::part> parts{{4, {}}, {4, {{20, 40, -1}}}};
  const reference::moldable_job either{0, {{4, 30, 30}, {8, 15, 15}}, 0};
  const reference::moldable_job taker{0, {{4, 10, 10}}, 0, 0};
  for (const auto& [how, _] : queueings) {
    CHECK(run_molded_on_parts({either}, parts, how, width_rule::earliest_finish)[0] ==
          reference::molded_start{0, 8});
    // The part that closes first is used first: by then only those without windows are open.
    const auto after = run_molded_on_parts({taker, either}, parts, how, width_rule::available);
    CHECK(after[0] == reference::molded_start{0, 4});
    CHECK(after[1] == reference::molded_start{0, 4});
  }
}

TEST_CASE("a moldable job that finds no machines looks in all pools, then takes a narrower width") {
  const auto windows = windows_of_parts({{4, {}}, {4, {{1000, 2000, -1}}}});
  constexpr resource kinds[] = {resource::slots};
  for (const auto& [how, _] : queueings) {
    start_queue queue{how, {}, kinds, &windows};
    for (std::uint32_t p = 0; p < 2; ++p)
      queue.set_capacity(resource_sum{} + slots_of(4), {}, instant{0}, p);
    queue.add(shaped_request({0, {{1, 40, 40}, {4, 10, 10}}, 1}, 1), instant{0});
    const auto expect = [&](std::uint32_t tasks, bool first_pool, bool second_pool) {
      const auto what = queue.next(instant{0});
      REQUIRE(what);
      CHECK(what->tasks == tasks);
      CHECK(queue.may_use_pool(0) == first_pool);
      CHECK(queue.may_use_pool(1) == second_pool);
      queue.has_no_place(instant{0});
    };
    expect(4, false, true);
    expect(4, true, true);
    expect(1, false, true);
    expect(1, true, true);
    CHECK_FALSE(queue.next(instant{0}));
    CHECK(queue.any_without_place());
  }
}
