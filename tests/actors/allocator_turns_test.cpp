#include "actors/allocator_fixture.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

// That whoever needs something is offered it in the end.
namespace {

const auto offered_slots = resources::of_slots(2);

/// The framework that gets the only offer; -1: there is none.
int offered_to(allocator_core& core, instant now) {
  const auto offers = core.offer(now);
  return offers.empty() ? -1 : static_cast<int>(offers.front().first);
}

} // namespace

TEST_CASE("in time every framework is offered every machine, whatever the others leave") {
  const auto machines = even_catalog(2, 1, 1);
  for (const auto filter : {0s, 5s}) {
    CAPTURE(filter.count());
    allocator_core core{
      machines, std::vector<double>(20, 1.0), std::vector<std::uint32_t>(20), {.filter = filter}};
    std::vector<std::vector<bool>> offered(20, std::vector<bool>(2));
    for (instant now{0}; now < 400s; now += 1s)
      for (const auto& [to, offer] : core.offer(now)) {
        for (const auto& m : offer.machines)
          offered[to][m.machine] = true;
        core.answer({to, offer.id, offer.id, {}, {}}, now);
      }
    for (const auto& of : offered)
      CHECK((of[0] && of[1]));
  }
}

TEST_CASE("a gang's turn comes although others of the same share want nothing") {
  const auto machines = even_catalog(3, 1, 1);
  allocator_core core{machines, {1, 1, 1}, {0, 0, 0}, {.filter = 5s}};
  std::size_t most = 0;
  for (instant now{0}; now < 100s; now += 2s)
    for (const auto& [to, offer] : core.offer(now)) {
      offer_answer declines{to, offer.id, offer.id, {}, {}};
      if (to == 0) {
        declines.wants.amount[static_cast<std::size_t>(resource::slots)] = 3;
        most = std::max(most, offer.machines.size());
      }
      core.answer(declines, now);
    }
  CHECK(most == 3);
}

TEST_CASE("who has something to return is given an empty offer for that") {
  const auto machines = even_catalog(4, 2, 2);
  allocator_core core{machines, {1, 1}, {0, 1}, {.filter = 5s}};
  core.offer(0s);
  core.answer({0, 1, 1, {{0, offered_slots}, {2, offered_slots}}, {}}, 1ms);
  core.answer({1, 1, 1, {{1, offered_slots}, {3, offered_slots}}, {}}, 1ms);
  CHECK(core.offer(1s).empty());
  const offer_answer asks{0, 1, 0, {}, {{0, offered_slots}}};
  core.answer(asks, 1s);
  core.answer(asks, 1s);
  CHECK(core.free(0).is_zero());
  const auto offers = core.offer(2s);
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].first == 0);
  CHECK(offers[0].second.machines.empty());
  CHECK(core.offer(3s).empty());
  core.answer({0, 2, 2, {}, {{0, offered_slots}}}, 3s);
  CHECK(core.free(0) == offered_slots);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a framework that suppresses offers gets none before it asks, despite filters") {
  auto core = make();
  core.offer(0s); // half of the slots to each
  auto idle = answer(0, 1, 1);
  idle.suppresses = true;
  core.answer(idle, 100ms);
  core.answer(answer(1, 1, 1), 100ms);
  auto offers = core.offer(1s);
  REQUIRE(offers.size() == 1); // framework 1 is offered what it has not seen
  CHECK(offers[0].first == 1);
  core.answer(answer(1, 2, 2), 1100ms);
  CHECK(core.offer(2s).empty());
  core.answer(answer(0, 1, 0), 2100ms); // it asks
  offers = core.offer(3s);
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].first == 0);
  CHECK(machines_of(offers[0].second).size() == 4);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a framework from which offers are withheld gets an empty one only") {
  auto core = make();
  core.withhold(1, true);
  auto offers = core.offer(0s);
  REQUIRE(offers.size() == 2);
  CHECK(machines_of(offers[0].second).size() == 4);
  CHECK(offers[1].second.machines.empty());
  core.answer(answer(0, 1, 1), 100ms);
  CHECK(core.offer(1s).empty());
  core.answer(answer(1, 1, 1), 1100ms);
  core.withhold(1, false);
  offers = core.offer(2s);
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].first == 1);
  CHECK(machines_of(offers[0].second).size() == 4);
}

TEST_CASE("parts of a machine that frameworks decline by turns are offered together in the end") {
  const auto machines = even_catalog(1, 1, 2);
  for (const auto filter : {0ms, 10ms, 1'000ms, 5'000ms})
    for (const std::size_t frameworks : {1, 2, 3}) {
      CAPTURE(filter.count());
      CAPTURE(frameworks);
      allocator_core core{machines,
                          std::vector<double>(frameworks, 1.0),
                          std::vector<std::uint32_t>(frameworks),
                          {.filter = filter}};
      REQUIRE(core.offer(0ms).size() == 1);
      core.answer({0, 1, 1, {{0, resources::of_slots(1)}}, {}}, 0ms);
      // Each needs both slots, and answers after more than one round.
      std::multimap<instant, std::pair<scheduler_id, offer_id>> to_come;
      instant both{0};
      for (instant now{30ms}; now < 20s && both == 0s; now += 30ms) {
        if (now == 60ms)
          core.book({0, 1, {{0, 0, resources::of_slots(1)}}, {}}, now);
        for (const auto& [to, offer] : core.offer(now))
          if (offer.machines.front().amount == offered_slots)
            both = now;
          else
            to_come.emplace(now + 100ms, std::pair{to, offer.id});
        for (; !to_come.empty() && to_come.begin()->first <= now; to_come.erase(to_come.begin())) {
          const auto& [to, id] = to_come.begin()->second;
          core.answer({to, id, id, {}, {}}, now);
        }
      }
      CHECK(both > 0s);
      CHECK(both < 1s + 2 * filter);
    }
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a framework that does not answer keeps parts from others for a time only") {
  const auto machine = even_catalog(1, 1, 2);
  allocator_core core{machine, {1, 1}, {0, 1}, {.filter = 0s}};
  core.offer(0s);
  core.answer(answer(0, 1, 1, {{0, offered_slots}}), 0s);
  core.book({0, 1, {{0, 0, resources::of_slots(1)}}, {}}, 1s);
  CHECK(offered_to(core, 1s) == 1); // which does not answer
  core.book({0, 2, {{0, 0, resources::of_slots(1)}}, {}}, 2s);
  CHECK(offered_to(core, 2s) == 0);
  core.answer(answer(0, 2, 2), 3s);
  CHECK(offered_to(core, 7s) == 1);
  core.answer(answer(1, 2, 2), 7s);
  CHECK(offered_to(core, 8s) == 0);
}
