#include "actors/allocator_fixture.hpp"

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a framework with gangs gets all that is free at once when there is enough") {
  auto core = make();
  core.offer(0s);
  auto declines = answer(1, 1, 1, {{1, one_slot}});
  declines.wants.amount[static_cast<std::size_t>(resource::slots)] = 6;
  core.answer(answer(0, 1, 1), 100ms);
  core.answer(declines, 100ms);
  declines.used.clear();
  CHECK(core.offer(1s).size() == 2); // framework 0 has less, and had not seen all of them
  core.answer(answer(0, 2, 2), 1100ms);
  declines.first = declines.last = 2;
  core.answer(declines, 1100ms);
  const auto all = core.offer(2s); // though it has just left all of them, one after the other
  REQUIRE(all.size() == 1);
  CHECK(all[0].first == 1);
  CHECK(machines_of(all[0].second) == std::vector<machine_id>{0, 1, 2, 3});
  declines.first = declines.last = 3;
  core.answer(declines, 2100ms);
  CHECK(core.offer(3s).empty()); // not before more has become free, or the filter's time is over
  core.book({0, 1, {}, {}}, 3s);
  CHECK(core.offer(4s).size() == 1);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a framework that finds no place in all that is free lets others pass") {
  auto core = make();
  core.withhold(0, true);
  std::vector<int> rounds;
  offer_id next = 0;
  for (int round = 0; round < 40; ++round) {
    const auto now = instant{round * 100ms};
    for (const auto& [to, offer] : core.offer(now))
      if (to == 1) {
        rounds.push_back(round);
        next = offer.id;
      }
    auto declines = answer(1, next, next);
    declines.wants.amount[static_cast<std::size_t>(resource::slots)] = 8;
    core.answer(declines, now);
    core.book({0, static_cast<std::uint64_t>(round) + 1, {}, {}}, now); // more has become free
  }
  CHECK(rounds == std::vector<int>{0, 1, 3, 7, 15, 31});
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "gangs that need more than is free are offered nothing apart") {
  auto core = make();
  core.offer(0s);
  core.answer(answer(0, 1, 1, {{0, two_slots}, {2, two_slots}}), 100ms);
  auto declines = answer(1, 1, 1);
  declines.wants.amount[static_cast<std::size_t>(resource::slots)] = 6;
  core.answer(declines, 100ms);
  const auto offers = core.offer(1s);
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].first == 0);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a framework may say without an answer that gangs have come") {
  auto core = make();
  core.offer(0s);
  core.answer(answer(0, 1, 1), 100ms);
  core.answer(answer(1, 1, 1), 100ms);
  core.offer(200ms); // to each what the other one left
  core.answer(answer(0, 2, 2), 300ms);
  core.answer(answer(1, 2, 2), 300ms);
  CHECK(core.offer(1s).empty());
  auto asks = answer(0, 1, 0);
  asks.wants.amount[static_cast<std::size_t>(resource::slots)] = 8;
  core.answer(asks, 1s);
  const auto offers = core.offer(1s);
  REQUIRE(offers.size() == 1);
  CHECK(machines_of(offers[0].second) == std::vector<machine_id>{0, 1, 2, 3});
}

TEST_CASE_FIXTURE(
  allocator_core_fixture,
  "a gang that fits with what is still offered waits for the answer, and gets all") {
  auto core = make();
  core.offer(0s); // half of the slots to each
  auto wants = answer(1, 1, 0);
  wants.wants.amount[static_cast<std::size_t>(resource::slots)] = 6;
  core.answer(wants, 50ms);
  core.answer(answer(0, 1, 1), 100ms);
  CHECK(core.offer(200ms).empty()); // else two offers of a half each could alternate for ever
  wants.last = 1;
  core.answer(wants, 300ms);
  const auto offers = core.offer(400ms);
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].first == 1);
  CHECK(machines_of(offers[0].second) == std::vector<machine_id>{0, 1, 2, 3});
}

namespace {

/// How often offers are made, and how long frameworks take to decline them.
struct offer_rhythm {
  std::size_t frameworks;
  duration filter;
  duration round;
  duration takes;
};

/// Two machines of one slot go round among frameworks. After a second one of these has a gang of
/// two: returns when it is offered both, within two minutes.
std::optional<instant> gang_is_offered_both(const offer_rhythm& by) {
  const auto machines = even_catalog(2, 1, 1);
  const auto last = static_cast<scheduler_id>(by.frameworks - 1);
  allocator_core core{machines,
                      std::vector<double>(by.frameworks, 1),
                      std::vector<std::uint32_t>(by.frameworks),
                      {.filter = by.filter, .timeout = 0s}};
  bool has_gang = false;
  const auto answer = [&](scheduler_id f, offer_id first, offer_id to) {
    offer_answer declines{f, first, to, {}, {}};
    if (has_gang && f == last)
      declines.wants.amount[static_cast<std::size_t>(resource::slots)] = 2;
    return declines;
  };
  std::multimap<instant, offer_answer> due;
  for (instant now{0}; now < 120s; now += by.round) {
    for (; !due.empty() && due.begin()->first <= now; due.erase(due.begin()))
      core.answer(due.begin()->second, now);
    if (now >= 1s && !std::exchange(has_gang, true))
      core.answer(answer(last, 1, 0), now);
    for (const auto& [to, offer] : core.offer(now)) {
      if (has_gang && to == last && offer.machines.size() == 2)
        return now;
      // The first answer is late: the two slots are free at different times from then on.
      due.emplace(now + by.takes + (now == instant{0} && to == 0 ? 10ms : 0ms),
                  answer(to, offer.id, offer.id));
    }
  }
  return std::nullopt;
}

} // namespace

TEST_CASE("offers that go round are held back in the end for a gang that starves") {
  for (const std::size_t frameworks : {3, 4, 5})
    for (const auto filter : {0ms, 300ms})
      for (const auto round : {10ms, 30ms, 50ms})
        for (const auto takes : {60ms, 110ms, 200ms}) {
          CAPTURE(frameworks);
          CAPTURE(filter.count());
          CAPTURE(round.count());
          CAPTURE(takes.count());
          const auto at = gang_is_offered_both({frameworks, filter, round, takes});
          REQUIRE(at);
          CHECK(*at < 1s + gang_starvation::patience + gang_starvation::longest_wait);
        }
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "of two that hoard what the other one needs, one gets all in the end") {
  rules.hoarding = true;
  rules.timeout = 100s;
  auto core = make();
  core.offer(0s); // half of the slots to each
  for (scheduler_id f = 0; f < 2; ++f) {
    auto wants = answer(f, 1, 0);
    wants.wants.amount[static_cast<std::size_t>(resource::slots)] = 6;
    core.answer(wants, 0s);
  }
  const auto starved = 1s + gang_starvation::patience;
  for (instant at = 1s; at < starved; at += 1s) {
    CHECK(core.offer(at).empty());
    for (const auto& [_, recall] : core.recalls(at))
      CHECK_FALSE(recall.rescind);
  }
  CHECK(core.offer(starved).empty());
  CHECK(core.next_recall() <= starved);
  const auto recalls = core.recalls(starved);
  REQUIRE(recalls.size() == 2);
  for (scheduler_id f = 0; f < 2; ++f) {
    CHECK(recalls[f].second.rescind);
    auto gives_back = answer(f, 1, 1);
    gives_back.wants.amount[static_cast<std::size_t>(resource::slots)] = 6;
    core.answer(gives_back, starved);
  }
  const auto offers = core.offer(starved + 1s);
  REQUIRE(offers.size() == 1);
  CHECK(machines_of(offers[0].second) == std::vector<machine_id>{0, 1, 2, 3});
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "parts of machines that time out by turns are offered together in the end") {
  rules.hoarding = true;
  rules.timeout = 1s;
  rules.filter = 300ms;
  auto core = make();
  core.withhold(1, true);
  const auto wants_a_machine = [](offer_answer by) {
    by.wants.amount[static_cast<std::size_t>(resource::slots)] = 2;
    return by;
  };
  core.offer(0s);
  core.answer(
    wants_a_machine(answer(0, 1, 1, {{0, one_slot}, {1, one_slot}, {2, one_slot}, {3, one_slot}})),
    100ms);
  REQUIRE(core.offer(1s).size() == 1); // a slot of each machine; then the other ones are freed
  core.book({0, 1, {{0, 0, one_slot}, {1, 0, one_slot}, {2, 0, one_slot}, {3, 0, one_slot}}, {}},
            1500ms);
  bool whole = false;
  for (instant at = 2s; at < 20s && !whole; at += 1s) {
    const auto recalls = core.recalls(at);
    for (const auto& [to, offer] : core.offer(at))
      for (const auto& m : offer.machines)
        whole = whole || (to == 0 && m.amount == two_slots);
    for (const auto& [to, recall] : recalls)
      core.answer(wants_a_machine(answer(to, recall.id, recall.id)), at + 4ms);
  }
  CHECK(whole);
}

TEST_CASE_FIXTURE(
  allocator_core_fixture,
  "gangs that need different kinds of resources are offered all that is free, too") {
  auto core = make();
  core.offer(0s);
  auto declines = answer(1, 1, 1);
  declines.gangs = true; // each needs something, and there is nothing that all need
  core.answer(answer(0, 1, 1), 100ms);
  core.answer(declines, 100ms);
  const auto parts = core.offer(1s);
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].first == 1);
  CHECK(machines_of(parts[0].second) == std::vector<machine_id>{0, 1, 2, 3});
  declines.first = declines.last = parts[0].second.id;
  declines.gangs = false;
  core.answer(declines, 1100ms);
  CHECK(core.offer(2s).size() <= 1); // and nobody waits for all any more
}
