#include "model/machine/capacity_schedule.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("a schedule tells what a machine has at any time") {
  const auto whole = resources::of_slots(4);
  capacity_schedule has;
  CHECK(has.empty());
  CHECK(has.at(5s, whole) == whole);
  CHECK(has.next(5s) == instant::max());
  has.add(2s, {});
  has.add(7s, resources::of_slots(3));
  CHECK_FALSE(has.empty());
  CHECK(has.at(1999ms, whole) == whole);
  CHECK(has.at(2s, whole).is_zero());
  CHECK(has.at(7s, whole) == resources::of_slots(3));
  CHECK(has.next(0s) == 2s);
  CHECK(has.next(2s) == 7s);
  CHECK(has.next(7s) == instant::max());
}

TEST_CASE("the time of a run stands at 0 until the run begins") {
  run_begin begin;
  CHECK_FALSE(begin.known());
  CHECK(begin.run_time(9s) == 0s);
  CHECK(begin.member_time(1s) == instant::max());
  begin.set(10s);
  CHECK(begin.run_time(9s) == 0s);
  CHECK(begin.run_time(12s) == 2s);
  CHECK(begin.member_time(1s) == 11s);
  CHECK(begin.member_time(instant::max()) == instant::max());
}
