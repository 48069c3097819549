#include "actors/queue/lease_board.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

queue_lease lease_of(scheduler_id scheduler, incarnation_id incarnation, instant answers) {
  return {scheduler, incarnation, 0, 1, answers, {}};
}

} // namespace

TEST_CASE("a board knows the latest incarnation of each scheduler that is obeyed") {
  lease_board board{3};
  CHECK(board.obeyed().empty());
  board.obeys(2, 4);
  board.obeys(0, 1);
  board.obeys(2, 3); // a machine that is late
  board.obeys(7, 1); // there is none
  CHECK(board.obeyed() == std::vector<std::pair<scheduler_id, incarnation_id>>{{0, 1}, {2, 4}});
}

TEST_CASE("a board keeps the latest lease of each scheduler that is obeyed") {
  lease_board board{2};
  board.grant(lease_of(1, 1, 1s)); // not obeyed
  CHECK(board.version() == 0);
  board.obeys(0, 1);
  board.obeys(1, 1);
  board.grant(lease_of(1, 1, 2s));
  board.grant(lease_of(1, 1, 1s)); // late
  CHECK(board.version() == 1);
  board.grant(lease_of(0, 1, 3s));
  CHECK(board.version() == 2);
  std::uint64_t read = 0;
  const auto leases = board.leases_after(read);
  REQUIRE(leases.size() == 2);
  CHECK(leases[1]->answers == 2s);
  CHECK(read == 2);
  board.obeys(1, 2);
  board.grant(lease_of(1, 1, 4s)); // of an incarnation that has been replaced
  CHECK(board.leases_after(read).empty());
  board.grant(lease_of(1, 2, 1s));
  const auto later = board.leases_after(read);
  REQUIRE(later.size() == 1);
  CHECK(later[0]->scheduler_incarnation == 2);
  CHECK(read == 3);
  CHECK(board.leases_after(read).empty());
}
