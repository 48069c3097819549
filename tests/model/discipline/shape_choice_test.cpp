#include "model/discipline/shape_choice.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Offers starts and lengths. Returns the number of the best one, or -1.
int best_of(width_rule by, std::initializer_list<std::pair<instant, duration>> offers) {
  shape_choice choice{by};
  std::size_t n = 0;
  for (const auto& [start, length] : offers)
    choice.add(n++, start, length);
  return choice.best() ? static_cast<int>(choice.best()->shape) : -1;
}

} // namespace

TEST_CASE("earliest-finish waits for a wide shape if it ends earlier, available never waits") {
  // 1 processor now for 100 s, or 4 in 30 s for 25 s.
  const std::initializer_list<std::pair<instant, duration>> offers{{0s, 100s}, {30s, 25s}};
  CHECK(best_of(width_rule::earliest_finish, offers) == 1);
  CHECK(best_of(width_rule::available, offers) == 0);
}

TEST_CASE("of shapes that may start at once, both rules take the one that ends first") {
  for (const auto by : {width_rule::earliest_finish, width_rule::available})
    CHECK(best_of(by, {{5s, 100s}, {5s, 40s}, {5s, 50s}}) == 1);
}

TEST_CASE("of equal shapes, the first one is taken, which is the narrowest") {
  for (const auto by : {width_rule::earliest_finish, width_rule::available})
    CHECK(best_of(by, {{5s, 40s}, {5s, 40s}}) == 0);
  CHECK(best_of(width_rule::earliest_finish, {{10s, 40s}, {20s, 30s}}) == 0);
}

TEST_CASE("shapes that never start are not chosen") {
  CHECK(best_of(width_rule::earliest_finish, {{far_future, 1s}, {5s, 100s}}) == 1);
  CHECK(best_of(width_rule::earliest_finish, {{far_future, 1s}}) == -1);
}
