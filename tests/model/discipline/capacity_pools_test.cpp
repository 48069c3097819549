#include "model/discipline/capacity_pools.hpp"
#include "requests.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

TEST_CASE("a pool knows what is free, and when a request is expected to fit") {
  capacity_pools pools{nullptr};
  pools.set_capacity(0, sum_of_slots(4), {});
  CHECK(pools.begin_run({1, 0}, {20s, of_slots(1)}, 0));
  CHECK_FALSE(pools.begin_run({1, 0}, {30s, of_slots(1)}, 0));
  CHECK(pools.begin_run({2, 0}, {10s, of_slots(2)}, 0));
  CHECK(pools.free() == sum_of_slots(1));
  CHECK(pools.held(0) == sum_of_slots(3));
  CHECK(pools.next_end(0s) == 10s);
  CHECK(pools.next_end(20s) == 20s); // there is none
  CHECK(pools.fit_now(request(3, 1, 5s), 0s));
  CHECK_FALSE(pools.fit_now(request(3, 2, 5s), 0s));
  CHECK(pools.first_start(request(3, 1, 5s), 0s) == 0s);
  CHECK(pools.first_start(request(3, 3, 5s), 0s) == 10s);
  CHECK(pools.first_start(request(3, 4, 5s), 0s) == 20s);
  CHECK(pools.first_start(request(3, 5, 5s), 0s) == far_future);
  // A run that outlives its estimate ends at any moment, but not now.
  CHECK(pools.first_start(request(3, 3, 5s), 15s) == 15s + 1ns);
  const auto ended = pools.end_run({2, 0});
  REQUIRE(ended);
  CHECK(ended->what.end == 10s);
  CHECK_FALSE(pools.end_run({2, 0}));
  CHECK(pools.free() == sum_of_slots(3));
}

TEST_CASE("what others hold is expected to be free after the mean estimate") {
  capacity_pools pools{nullptr};
  pools.set_capacity(0, sum_of_slots(2), sum_of_slots(3));
  CHECK(pools.any_others());
  CHECK(pools.all(0) == sum_of_slots(5));
  CHECK(pools.others_hold_for() == 1s); // until one is known
  pools.count_estimate(10s);
  pools.count_estimate(0s); // unknown
  pools.count_estimate(30s);
  CHECK(pools.others_hold_for() == 20s);
  CHECK(pools.first_start(request(3, 4, 5s), 1s) == 21s);
  CHECK(pools.first_start(request(3, 6, 5s), 1s) == far_future);
}

TEST_CASE("pools that close soonest are used first, and none that closes too soon") {
  // Machine 1 is closed in [10 s, 20 s), machine 2 in [30 s, 40 s).
  const machine_windows windows{{{10s, 20s, {}, {1}}, {30s, 40s, {}, {2}}}, 3, nullptr};
  capacity_pools pools{&windows};
  REQUIRE(pools.size() == 3);
  for (std::uint32_t p = 0; p < 3; ++p)
    pools.set_capacity(p, sum_of_slots(2), {});
  CHECK(pools.fit_now(request(1, 3, 5s), 0s) == pool_counts{0, 2, 1});
  CHECK(pools.fit_now(request(1, 3, 15s), 0s) == pool_counts{1, 0, 2});
  CHECK_FALSE(pools.fit_now(request(1, 3, 50s), 0s));
  CHECK(pools.open_for(request(1, 3, 15s), 0s, 15s) == pool_counts{2, 0, 2});
  const auto fit =
    pools.first_fit(request(1, 5, 15s), 0s); // all three are open for 15 s after 40 s
  CHECK(fit.at == 40s);
  CHECK(pools.first_start(request(1, 5, 15s), 0s) == 40s);
}
