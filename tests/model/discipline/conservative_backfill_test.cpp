#include "model/discipline/conservative_backfill.hpp"
#include "requests.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Four slots, of which two are held until 10 s.
struct conservative_fixture {
  conservative_fixture() {
    set_capacity(4, 0s);
    const expected_runs::run held{10s, of_slots(2)};
    pools.begin_run({90, 0}, held, 0);
    schedule.begin_run({0, held}, 0s);
  }

  void set_capacity(std::int32_t slots, instant now) {
    schedule.change_capacity(pools, 0, sum_of_slots(slots), {}, now);
    pools.set_capacity(0, sum_of_slots(slots), {});
  }

  instant add(const start_request& what, instant now) {
    auto added = *line.rank(what, now);
    schedule.admit(added, line, pools, now);
    const auto start = added.start;
    line.insert(std::move(added));
    return start;
  }

  capacity_pools pools{nullptr};
  request_line line{{}};
  conservative_backfill schedule{pools, kinds, width_rule::earliest_finish};
};

} // namespace

TEST_CASE_FIXTURE(conservative_fixture,
                  "each request is given the earliest start that moves no other") {
  CHECK(add(request(1, 3, 10s), 0s) == 10s);
  CHECK(add(request(2, 2, 10s), 0s) == 0s);
  CHECK(add(request(3, 2, 10s), 0s) == 20s);
  CHECK(add(request(4, 1, 10s), 0s) == 10s);
  const auto first = schedule.next(line, pools, 0s);
  REQUIRE(first);
  CHECK(line[first->index].what.first.job == 2);
}

TEST_CASE_FIXTURE(conservative_fixture, "reservations move forward when a run ends early") {
  add(request(1, 3, 10s), 0s);
  add(request(2, 2, 10s, 1s), 1s);
  CHECK(line[1].start == 20s); // two are free until 10 s only
  const auto ended = pools.end_run({90, 0});
  REQUIRE(ended);
  schedule.end_run(*ended, 4s);
  const auto found = schedule.next(line, pools, 4s);
  REQUIRE(found);
  CHECK(found->index == 0);
  CHECK(line[0].start == 4s);
  CHECK(line[1].start == 14s);
}

TEST_CASE_FIXTURE(conservative_fixture, "reservations are made again if machines leave") {
  CHECK(add(request(1, 4, 10s), 0s) == 10s);
  CHECK(add(request(2, 2, 5s, 1s), 1s) == 1s);
  set_capacity(3, 2s);
  schedule.next(line, pools, 2s);
  CHECK(line[0].start == far_future); // never again so many
  CHECK(schedule.next_due() == far_future);
  set_capacity(4, 3s);
  schedule.next(line, pools, 3s);
  CHECK(line[0].start == 10s);
}
