#include "actors/machine/lease_board.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

process_lease lease_of(scheduler_id number, incarnation_id incarnation, instant answers) {
  return {role::scheduler, number, incarnation, 0, 1, answers, {}};
}

constexpr auto scheduler = role::scheduler;

} // namespace

TEST_CASE("a board knows the latest incarnation of each member that is obeyed") {
  lease_board board{1, 3};
  CHECK(board.obeyed().empty());
  board.obeys({scheduler, 2, 4});
  board.obeys({scheduler, 0, 1});
  board.obeys({scheduler, 2, 3}); // a machine that is late
  board.obeys({scheduler, 7, 1}); // there is none
  board.obeys({role::owner, 0, 5});
  board.obeys({role::owner, 1, 5}); // there is none
  const std::vector<lease_board::obeyed_member> all{
    {role::owner, 0, 5}, {scheduler, 0, 1}, {scheduler, 2, 4}};
  CHECK(board.obeyed() == all);
}

TEST_CASE("a board keeps the latest lease of each scheduler that is obeyed") {
  lease_board board{1, 2};
  board.grant(lease_of(1, 1, 1s)); // not obeyed
  CHECK(board.version() == 0);
  board.obeys({scheduler, 0, 1});
  board.obeys({scheduler, 1, 1});
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
  board.obeys({scheduler, 1, 2});
  board.grant(lease_of(1, 1, 4s)); // of an incarnation that has been replaced
  CHECK(board.leases_after(read).empty());
  board.grant(lease_of(1, 2, 1s));
  const auto later = board.leases_after(read);
  REQUIRE(later.size() == 1);
  CHECK(later[0]->answers_as == 2);
  CHECK(read == 3);
  CHECK(board.leases_after(read).empty());
}

TEST_CASE("a board keeps the latest lease of each owner apart") {
  lease_board board{2, 1};
  const auto grant = [&](std::uint32_t owner, instant answers) {
    board.grant({role::owner, owner, 1, 0, 1, answers, {}});
  };
  board.obeys({role::owner, 0, 1});
  board.obeys({role::owner, 1, 1});
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  CHECK_FALSE(board.owner_lease_after(0, first));
  grant(0, 1s);
  grant(1, 5s);
  grant(0, 2s);
  REQUIRE(board.owner_lease_after(1, second));
  CHECK_FALSE(board.owner_lease_after(1, second));
  const auto lease = board.owner_lease_after(0, first);
  REQUIRE(lease);
  CHECK(lease->answers == 2s);
  grant(1, 6s);
  CHECK_FALSE(board.owner_lease_after(0, first));
  CHECK(board.owner_lease_after(1, second)->answers == 6s);
  CHECK_FALSE(board.owner_lease_after(2, first)); // there is none
  CHECK(board.version() == 0);                    // of schedulers
}
