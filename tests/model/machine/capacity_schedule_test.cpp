#include "model/machine/capacity_clock.hpp"
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

TEST_CASE("a machine does not have what others use on its host") {
  const auto others = std::make_shared<foreign_use>();
  capacity_schedule has;
  has.add(0s, resources::of_slots(5));
  has.share_with(others);
  capacity_clock clock{has, std::make_shared<run_begin>(instant{0}), resources::of_slots(9)};
  CHECK(clock.catch_up(1s) == resources::of_slots(5) - resources::of_slots(9));
  others->set(resources::of_slots(3));
  CHECK(clock.catch_up(2s) == resources{} - resources::of_slots(3));
  CHECK(clock.has() == resources::of_slots(2));
  others->set(resources::of_slots(8));
  CHECK(has.at(3s, {}).is_zero());
  others->set({});
  CHECK(clock.catch_up(3s) == resources::of_slots(3));
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
