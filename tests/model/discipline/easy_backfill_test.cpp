#include "model/discipline/easy_backfill.hpp"
#include "requests.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

/// Four slots, of which one is held until 10 s and one until 100 s.
struct easy_fixture {
  easy_fixture() {
    pools.set_capacity(0, sum_of_slots(4), {});
    pools.begin_run({90, 0}, {10s, of_slots(1)}, 0);
    pools.begin_run({91, 0}, {100s, of_slots(1)}, 0);
  }

  void add(const start_request& what) { easy.added(line.insert(*line.rank(what, 0s))); }

  std::optional<std::size_t> next(instant now) {
    const auto found = easy.next_behind_first(line, pools, now);
    return found ? std::optional{found->index} : std::nullopt;
  }

  capacity_pools pools{nullptr};
  request_line line{{}};
  easy_backfill easy{width_rule::earliest_finish};
};

} // namespace

TEST_CASE_FIXTURE(easy_fixture, "a request passes the first one if it does not delay that") {
  add(request(1, 3, 50s));
  add(request(2, 1, 20s)); // neither over at 10 s, nor is a slot left then
  add(request(3, 1, 10s));
  CHECK(next(0s) == 2);
  CHECK(easy.reserved_at() == 10s);
  line.erase(2);
  easy.erased(2);
  CHECK_FALSE(next(0s));
}

TEST_CASE_FIXTURE(easy_fixture, "what the first one leaves is given once") {
  add(request(1, 2, 50s, 0s));
  pools.begin_run({92, 0}, {20s, of_slots(1)}, 0); // one slot is free, at 10 s two, one at 20 s
  add(request(2, 1, 5s));
  add(request(3, 1, 100s));
  CHECK(next(0s) == 1);
  CHECK(easy.reserved_at() == 10s);
  easy.started(line[1], {1, {}}, 0s); // over before the first one starts: nothing is used
  line.erase(1);
  easy.erased(1);
  CHECK_FALSE(next(0s)); // the first one leaves nothing
}

TEST_CASE_FIXTURE(easy_fixture,
                  "what others release after the first one's start is not left then") {
  pools.count_estimate(50s);
  pools.set_capacity(0, sum_of_slots(4), sum_of_slots(5));
  add(request(1, 3, 50s));
  add(request(2, 1, 200s));
  CHECK_FALSE(next(0s));
  CHECK(easy.reserved_at() == 10s);
}

TEST_CASE_FIXTURE(easy_fixture,
                  "an instant that was promised stays although others hold for longer") {
  pools.set_capacity(0, sum_of_slots(2), sum_of_slots(2));
  pools.count_estimate(50s);
  add(request(1, 3, 50s));
  CHECK_FALSE(next(0s));
  CHECK(easy.reserved_at() == 50s);
  easy.changed();
  CHECK_FALSE(next(20s)); // the guess is 70 s by now
  CHECK(easy.reserved_at() == 50s);
}
