#include "actors/plugin/queues/stolen_reservations.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

const auto none_over = [](const reserved_group&) { return false; };

} // namespace

TEST_CASE("a stolen reservation is there until its machine asks") {
  stolen_reservations stolen;
  stolen.add(2, {{1, 0}, 5, -1}, none_over);
  CHECK_FALSE(stolen.take({1, 0, 2, 4})); // placed on another machine
  CHECK_FALSE(stolen.take({1, 1, 2, 5}));
  CHECK_FALSE(stolen.take({1, 0, 3, 5}));
  CHECK(stolen.take({1, 0, 2, 5}));
  CHECK_FALSE(stolen.take({1, 0, 2, 5}));
}

TEST_CASE("reservations for jobs that are over are forgotten when another one comes") {
  stolen_reservations stolen;
  stolen.add(2, {{1, 0}, 5, 0}, none_over);
  stolen.add(2, {{2, 0}, 5, 0}, none_over);
  stolen.add(2, {{3, 0}, 5, 0}, [](const reserved_group& of) { return of.job == 1; });
  const auto all = stolen.take_all(2);
  REQUIRE(all.size() == 2);
  CHECK(all[0].of.job == 2);
  CHECK(all[1].of.job == 3);
  CHECK(stolen.take_all(2).empty());
}
