#include "support/moldable_jobs.hpp"
#include "support/molded_run.hpp"
#include "support/seeds.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace troupe;
using namespace troupe::testing;
using std::chrono::seconds;

// Moldable jobs start when, and as wide as, plain schedulers start them that share no code with the
// start queue.

TEST_CASE("moldable jobs of random logs start as plain schedulers start them") {
  std::size_t other_widths = 0;
  for (const auto how : {estimates::exact, estimates::over, estimates::both})
    for (std::uint64_t seed = 1; seed <= 50; seed += test::step_of_seeds(50)) {
      const auto processors = static_cast<std::int64_t>(8 + 7 * (seed % 12));
      const auto jobs = random_moldable_jobs(120, processors, how, seed);
      for (const auto& [ours, plain] : queueings)
        for (const auto& [by, plain_rule] : moldings) {
          CAPTURE(seed);
          CAPTURE(name_of(ours));
          CAPTURE(name_of(by));
          const auto starts = run_molded(jobs, processors, ours, by);
          const auto expected =
            reference::moldable_pool{jobs, processors, plain, plain_rule}.starts();
          for (std::size_t j = 0; j < jobs.size(); ++j) {
            CAPTURE(j);
            REQUIRE(starts[j].at == expected[j].at);
            REQUIRE(starts[j].processors == expected[j].processors);
            REQUIRE(starts[j].at >= jobs[j].submitted);
            other_widths += starts[j].processors != jobs[j].widths[jobs[j].requested].processors;
          }
        }
    }
  CHECK(other_widths > 1000);
}

TEST_CASE("a first job waits for its requested width if it ends earlier so, or starts narrow") {
  // 8 processors, 6 of which are taken for 10 s; then a job of 8 for 10 s, or of 2 for 40 s.
  const std::vector<reference::moldable_job> jobs{{0, {{6, 10, 10}}, 0},
                                                  {0, {{2, 40, 40}, {8, 10, 10}}, 1}};
  for (const auto how :
       {start_discipline::fcfs, start_discipline::easy, start_discipline::conservative}) {
    CHECK(run_molded(jobs, 8, how, width_rule::earliest_finish)[1] ==
          reference::molded_start{10, 8});
    CHECK(run_molded(jobs, 8, how, width_rule::available)[1] == reference::molded_start{0, 2});
  }
}

TEST_CASE("a reservation that is wider than what there is by now is made anew") {
  constexpr resource kinds[] = {resource::slots};
  start_queue queue{start_discipline::conservative, {}, kinds};
  queue.set_capacity(resource_sum{} + slots_of(8), {}, instant{0});
  queue.begin_run({9, 0}, slots_of(8), seconds{10}, instant{0});
  queue.add(shaped_request({0, {{2, 40, 40}, {8, 10, 10}}, 0}, 1), instant{0});
  CHECK(queue.reserved_at({1, 0}) == seconds{10});
  queue.end_run({9, 0}, seconds{12});
  queue.set_capacity(resource_sum{} + slots_of(4), {}, seconds{12});
  const auto what = queue.next(seconds{12});
  REQUIRE(what);
  CHECK(what->tasks == 2);
}

TEST_CASE("a job with one shape starts as a rigid one does") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto rigid = random_moldable_jobs(100, 40, estimates::both, seed);
    for (auto& j : rigid) {
      j.widths = {j.widths[j.requested]};
      j.requested = 0;
    }
    for (const auto& [ours, plain] : queueings) {
      const auto starts = run_molded(rigid, 40, ours, width_rule::earliest_finish);
      CHECK(
        starts ==
        reference::moldable_pool{rigid, 40, plain, reference::molding::earliest_finish}.starts());
    }
  }
}
