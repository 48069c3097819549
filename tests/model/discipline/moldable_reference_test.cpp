#include "model/discipline/start_queue.hpp"
#include "support/moldable_jobs.hpp"
#include "support/seeds.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <map>

using namespace troupe;
using namespace troupe::testing;
using std::chrono::seconds;

// Moldable jobs start when, and as wide as, plain schedulers start them that share no code with the
// start queue.

namespace {

resources slots_of(std::int64_t n) {
  resources r;
  r[resource::slots] = static_cast<std::int32_t>(n);
  return r;
}

start_request shaped_request(const reference::moldable_job& j, std::size_t number) {
  start_request what;
  what.first = {number, 0};
  what.submitted = seconds{j.submitted};
  for (const auto& w : j.widths)
    what.shapes.push_back({static_cast<std::uint32_t>(w.processors),
                           resource_sum{} + slots_of(w.processors), seconds{w.estimate}});
  what.requested = static_cast<std::uint32_t>(j.requested);
  mold(what, j.requested);
  if (j.widths.size() == 1)
    what.shapes.clear();
  return what;
}

/// Runs jobs on processors by a start queue.
std::vector<reference::molded_start> run_molded(const std::vector<reference::moldable_job>& jobs,
                                                std::int64_t processors, start_discipline how,
                                                width_rule by) {
  constexpr resource kinds[] = {resource::slots};
  start_queue queue{how, {}, kinds};
  queue.choose_widths(by);
  queue.set_capacity(resource_sum{} + slots_of(processors), {}, instant{0});
  std::vector<reference::molded_start> starts(jobs.size());
  std::multimap<std::int64_t, std::size_t> ends;
  std::size_t next = 0;
  constexpr auto never = std::numeric_limits<std::int64_t>::max();
  auto due_at = never;
  while (next < jobs.size() || !ends.empty() || !queue.empty()) {
    auto at = due_at;
    if (next < jobs.size())
      at = std::min(at, jobs[next].submitted);
    if (!ends.empty())
      at = std::min(at, ends.begin()->first);
    if (at == never)
      break;
    const instant now = seconds{at};
    for (; !ends.empty() && ends.begin()->first == at; ends.erase(ends.begin()))
      queue.end_run({ends.begin()->second, 0}, now);
    for (; next < jobs.size() && jobs[next].submitted == at; ++next)
      queue.add(shaped_request(jobs[next], next), now);
    while (const auto what = queue.next(now)) {
      const auto j = what->first.job;
      queue.begin_run({j, 0}, slots_of(what->tasks), queue.end_of_last(now), now);
      queue.started(now);
      starts[j] = {at, what->tasks};
      for (const auto& w : jobs[j].widths)
        if (w.processors == what->tasks)
          ends.emplace(at + w.runtime, j);
    }
    const auto due = queue.next_due(now);
    due_at = due ? std::chrono::duration_cast<seconds>(*due).count() : never;
  }
  return starts;
}

constexpr std::pair<start_discipline, reference::queueing> queueings[] = {
  {start_discipline::fcfs, reference::queueing::fcfs},
  {start_discipline::easy, reference::queueing::easy},
  {start_discipline::conservative, reference::queueing::conservative}};

constexpr std::pair<width_rule, reference::molding> moldings[] = {
  {width_rule::available, reference::molding::available},
  {width_rule::earliest_finish, reference::molding::earliest_finish}};

} // namespace

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
