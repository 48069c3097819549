#include "actors/sparrow/probing/probe_rounds.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("a round of probes ends with its last answer, and once") {
  probe_rounds rounds;
  const auto number = rounds.begin({1, 0, {0}, {{4}, {5}}});
  CHECK_FALSE(rounds.answer({number, 0, 7}));
  CHECK_FALSE(rounds.answer({number, 0, 7})); // again
  CHECK_FALSE(rounds.answer({number, 9, 7})); // no such probe
  REQUIRE(rounds.owed_by(5).size() == 1);
  CHECK(rounds.owed_by(4).empty());
  const auto over = rounds.answer({number, 1, -2});
  REQUIRE(over);
  CHECK(over->with_room() == 1);
  CHECK(over->shortest(true) == std::vector<std::size_t>{1});
  CHECK_FALSE(rounds.answer({number, 1, -2}));
  CHECK(rounds.owed_by(5).empty());
}

TEST_CASE("the shortest queues are those of all probes, or of those for each task") {
  const probe_round round{1, 0, {0, 1}, {{4, 1}, {5, 2}, {6, 9}, {7, 8}}};
  CHECK(round.shortest(true) == std::vector<std::size_t>{0, 1});
  CHECK(round.shortest(false) == std::vector<std::size_t>{0, 3});
}
