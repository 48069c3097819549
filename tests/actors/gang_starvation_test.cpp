#include "actors/offers/gang_starvation.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = gang_starvation::patience;

} // namespace

TEST_CASE("a gang with room starves when it is not offered all for long") {
  gang_starvation gangs{3};
  gangs.note(1, true, 5s);
  gangs.note(2, true, 4s);
  CHECK_FALSE(gangs.waits_for(4s + patience - 1ms));
  CHECK(gangs.waits_for(4s + patience) == 2);
  gangs.offered_all(2, 4s + patience);
  CHECK(gangs.waits_for(5s + patience) == 1);
  gangs.offered_all(1, 5s + patience);
  CHECK_FALSE(gangs.waits_for(3s + 2 * patience));
  CHECK(gangs.waits_for(4s + 2 * patience) == 2);
}

TEST_CASE("a gang that has no room between does not starve") {
  gang_starvation gangs{1};
  gangs.note(0, true, 0s);
  gangs.note(0, false, 20s);
  gangs.note(0, true, 21s);
  CHECK_FALSE(gangs.waits_for(patience));
  CHECK(gangs.waits_for(21s + patience) == 0);
  gangs.note(0, false, 22s + patience);
  CHECK_FALSE(gangs.waits_for(22s + patience));
}

TEST_CASE("offers are held back for a few rounds and seconds, and then for the next one") {
  gang_starvation gangs{2};
  gangs.note(0, true, 0s);
  gangs.note(1, true, 1s);
  const auto begin = 1s + patience;
  CHECK(gangs.waits_for(begin) == 0);
  CHECK(gangs.waits_for(begin + 500ms) == 0);
  CHECK(gangs.waits_for(begin + 1s) == 0);
  CHECK(gangs.waits_for(begin + 1500ms) == 0);
  CHECK(gangs.waits_for(begin + 2s) == 1);
  // With long intervals between rounds it is the rounds that count.
  CHECK(gangs.waits_for(begin + 12s) == 1);
  CHECK(gangs.waits_for(begin + 22s) == 1);
  CHECK(gangs.waits_for(begin + 32s) == 1);
  CHECK(gangs.waits_for(begin + 42s) == 0);
}
