#include "nodes/clocks/clock_offset.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>

using troupe::clock_offset;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t day = std::int64_t{20'000} * 86'400'000 * ms;

/// A question at `asked`, of which both ways take so long, to a clock that is ahead.
void ask(clock_offset& of, std::int64_t asked, std::int64_t ahead, std::int64_t there,
         std::int64_t back) {
  const auto received = asked + there + ahead;
  of.add(asked, received, received + ms, asked + there + ms + back);
}

} // namespace

TEST_CASE("the offset of a clock comes from the quickest answer") {
  clock_offset of;
  ask(of, day, 25 * ms, 9 * ms, ms);
  ask(of, day + 500 * ms, 25 * ms, ms / 4, ms / 2);
  CHECK_FALSE(of.best());
  ask(of, day + 1000 * ms, 25 * ms, ms, 30 * ms);
  const auto best = of.best();
  REQUIRE(best);
  CHECK(std::abs(best->ahead - 25 * ms) <= best->error);
  CHECK(best->error <= ms / 2);
  CHECK(best->at_least() > 24 * ms);
}

TEST_CASE("a clock that is behind, and ways that differ") {
  clock_offset of;
  for (int i = 0; i < 3; ++i)
    ask(of, day + i * 500 * ms, -40 * ms, 6 * ms, 0);
  const auto best = of.best();
  REQUIRE(best);
  CHECK(std::abs(best->ahead + 40 * ms) <= best->error);
  CHECK(best->at_least() >= 34 * ms - 1);
}

TEST_CASE("only the last answers count") {
  clock_offset of;
  ask(of, day, 100 * ms, 0, 0);
  for (std::size_t i = 1; i <= clock_offset::most_kept; ++i)
    ask(of, day + static_cast<std::int64_t>(i) * 500 * ms, 0, ms, ms);
  REQUIRE(of.best());
  CHECK(std::abs(of.best()->ahead) <= of.best()->error);
  CHECK(of.best()->at_least() == 0);
}

TEST_CASE("answers that cannot be true are left out") {
  clock_offset of;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  for (int i = 0; i < 3; ++i) {
    of.add(day, most, most, day + ms);
    of.add(day, least, least, day + ms);
    of.add(day, least, most, day + ms);
    of.add(day, day + 2 * ms, day + ms, day + 3 * ms); // answered before it was asked
    of.add(day, day, day + 9 * ms, day + ms);          // took longer than the whole way
    of.add(day + ms, day, day, day);
  }
  CHECK_FALSE(of.best());
}
