#include "actors/scheduler/view/held_offers.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("an offer is in the view until it is answered") {
  scheduler_fixture all{small_limits(view_source::offers)};
  auto& offers = all.parts.offers;
  const auto& seen = all.parts.charged.seen();
  const gangs_aside none;
  CHECK_FALSE(offers.answer(none, false));
  offers.receive({1, 0, {{2, resources::of_slots(2)}}}, 0, 1);
  CHECK(seen.units() == 2);
  CHECK(offers.has_room(0));
  CHECK_FALSE(offers.has_room(1)); // one task waited when it came
  offers.use(2, one_slot);
  CHECK_FALSE(offers.has_room(0));
  CHECK(offers.takes_back({1, 0, true}));
  const auto answer = offers.answer(none, false);
  REQUIRE(answer);
  CHECK(answer->used == std::vector<machine_amount>{{2, one_slot}});
  CHECK(seen.units() == 0);
  CHECK_FALSE(offers.takes_back({1, 0, true}));
}

TEST_CASE("offers of an earlier incarnation of the allocator mean nothing") {
  scheduler_fixture all{small_limits(view_source::offers)};
  auto& offers = all.parts.offers;
  offers.receive({first_offer(1) + 1, 0, {{0, one_slot}}}, 0, 1);
  CHECK(offers.incarnation() == 1);
  CHECK(offers.replaced_by(first_offer(2) + 1));
  offers.receive({first_offer(2) + 1, 0, {{1, one_slot}}}, 0, 1);
  CHECK(all.parts.charged.seen().units() == 1);
  offers.give_back(0, one_slot, 1); // used under the earlier incarnation
  CHECK(offers.answer({}, false)->returned.empty());
  offers.receive({first_offer(1) + 2, 0, {{0, one_slot}}}, 0, 1);
  CHECK(all.parts.charged.seen().units() == 0);
}

TEST_CASE("a scheduler in which nothing waits suppresses offers, and asks for them again once") {
  auto limits = small_limits(view_source::offers);
  limits.suppress_offers = true;
  scheduler_fixture all{limits};
  auto& offers = all.parts.offers;
  const gangs_aside none;
  offers.receive({1, 0, {{2, one_slot}}}, 0, 0);
  CHECK(offers.answer(none, false)->suppresses);
  CHECK_FALSE(offers.answer(none, false));
  const auto asks = offers.answer(none, true);
  REQUIRE(asks);
  CHECK(asks->first > asks->last);
  CHECK_FALSE(asks->suppresses);
  CHECK_FALSE(offers.answer(none, true));
  CHECK_FALSE(offers.recall({1, 0, false}, none, true)->suppresses); // an answer that was lost
  offers.repeat_revival();
  CHECK(offers.answer(none, true));
  offers.receive({2, 2, {{2, one_slot}}}, 0, 1);
  offers.repeat_revival();
  CHECK_FALSE(offers.answer(none, true)->suppresses);
  CHECK_FALSE(offers.answer(none, false)); // what it left is not offered to it before long anyway
}

TEST_CASE("an answer tells of gangs that wait, also if they need different kinds of resources") {
  scheduler_fixture all{small_limits(view_source::offers)};
  auto& offers = all.parts.offers;
  gangs_aside gangs;
  offers.receive({1, 0, {{2, one_slot}}}, 0, 1);
  CHECK_FALSE(offers.answer(gangs, true)->gangs);
  const auto put = [&](const job& of, const resources& each) {
    waiting_task whole = waiting_one(of);
    whole.whole = true;
    gang_need need;
    need.total = resource_sum{} + each;
    gangs.put(whole, need, false);
  };
  const auto first = slot_job(1, 2);
  const auto second = slot_job(2, 2);
  put(first, {.amount = {1000, 0, 0, 0}});
  offers.receive({2, 2, {{2, one_slot}}}, 0, 1);
  auto told = offers.answer(gangs, true);
  CHECK(told->gangs);
  CHECK(told->wants == resource_sum{} + resources{.amount = {1000, 0, 0, 0}});
  put(second, {.amount = {0, 0, 1000, 0}});
  offers.receive({3, 3, {{2, one_slot}}}, 0, 1);
  told = offers.answer(gangs, true);
  CHECK(told->gangs);
  CHECK(told->wants == resource_sum{});
}
