#include "actors/allocator_fixture.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

using list = std::vector<machine_id>;

} // namespace

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "machines are offered in turn, what is offered counting as a share") {
  auto core = make();
  const auto offers = core.offer(0s);
  REQUIRE(offers.size() == 2);
  CHECK(offers[0].first == 0);
  CHECK(offers[0].second.id == 1);
  CHECK(offers[0].second.settled_below == 1);
  CHECK(machines_of(offers[0].second) == list{0, 2});
  CHECK(offers[0].second.machines[0].amount == two_slots);
  CHECK(machines_of(offers[1].second) == list{1, 3});
  CHECK(core.share(0) == 0.5);
  CHECK(core.offer(1s).empty()); // all is locked
}

TEST_CASE_FIXTURE(allocator_core_fixture, "or everything goes to the one with the least share") {
  rules.whole = true;
  auto core = make();
  const auto offers = core.offer(0s);
  REQUIRE(offers.size() == 1);
  CHECK(offers[0].first == 0);
  CHECK(machines_of(offers[0].second) == list{0, 1, 2, 3});
  core.answer(answer(0, 1, 1, {{0, one_slot}}), 1s);
  const auto next = core.offer(1s);
  REQUIRE(next.size() == 1);
  CHECK(next[0].first == 1);
  CHECK(next[0].second.machines[0] == machine_amount{0, one_slot});
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "what was left is not offered to the same framework for a while") {
  auto core = make();
  core.offer(0s);
  core.answer(answer(0, 1, 1, {{0, two_slots}}), 100ms);
  CHECK(core.free(0).is_zero());
  CHECK(core.free(2) == two_slots);
  const auto to_other = core.offer(1s);
  REQUIRE(to_other.size() == 1);
  CHECK(to_other[0].first == 1);
  CHECK(machines_of(to_other[0].second) == list{2});
  core.answer(answer(1, 2, 2), 2s);
  CHECK(core.offer(2s).empty()); // both have left it
  CHECK(core.offer(5s).empty());
  const auto again = core.offer(5100ms);
  REQUIRE(again.size() == 1);
  CHECK(again[0].first == 0);
  CHECK(again[0].second.settled_below == 2);
}

TEST_CASE_FIXTURE(allocator_core_fixture, "a filter covers no more than what was left") {
  auto core = make();
  core.offer(0s);
  core.answer(answer(0, 1, 1, {{0, one_slot}, {2, one_slot}}), 100ms);
  core.answer(answer(1, 1, 1, {{1, two_slots}, {3, two_slots}}), 100ms);
  core.book({0, 1, {{0, 0, one_slot}}, {}}, 200ms); // one more slot than framework 0 left
  const auto offers = core.offer(1s);
  REQUIRE(offers.size() == 2);
  CHECK(offers[0].second.machines == std::vector<machine_amount>{{0, two_slots}});
  CHECK(offers[1].second.machines == std::vector<machine_amount>{{2, one_slot}});
}

TEST_CASE_FIXTURE(allocator_core_fixture, "without a filter it comes again at once") {
  rules.filter = 0s;
  auto core = make();
  core.offer(0s);
  core.answer(answer(0, 1, 1), 1ms);
  CHECK(core.offer(1ms).size() == 1);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "an answer is booked once, and only for the offers that it names") {
  auto core = make();
  core.offer(0s);
  core.book({0, 1, {}, {}}, 0s);
  core.answer(answer(0, 2, 2, {{0, one_slot}}), 1ms); // there is no such offer
  CHECK(core.free(0).is_zero());
  core.answer(answer(0, 1, 1, {{0, one_slot}}), 1ms);
  core.answer(answer(0, 1, 1, {{0, one_slot}}), 2ms);
  CHECK(core.free(0) == one_slot);
  CHECK(core.free(2) == two_slots);
  CHECK(core.share(0) == 1.0 / 8);
}

TEST_CASE_FIXTURE(allocator_core_fixture, "what was used and refused is free again") {
  auto core = make();
  core.offer(0s);
  core.answer({0, 1, 1, {{0, two_slots}}, {{0, one_slot}}}, 1ms);
  CHECK(core.free(0) == one_slot);
  CHECK(core.share(0) == 1.0 / 8);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a task may end before the answer that tells of it has come") {
  auto core = make();
  core.offer(0s);
  core.book({0, 1, {{0, 0, one_slot}}, {}}, 10ms);
  CHECK(core.free(0) == one_slot); // the other one is still locked
  core.answer(answer(0, 1, 1, {{0, one_slot}}), 20ms);
  CHECK(core.free(0) == two_slots);
  CHECK(core.share(0) == 0);
}

TEST_CASE_FIXTURE(allocator_core_fixture, "reports are booked in their order, and once") {
  auto core = make();
  core.offer(0s);
  core.answer(answer(0, 1, 1, {{0, two_slots}}), 1ms);
  const capacity_report first{0, 1, {{0, 0, one_slot}}, {}};
  const capacity_report second{0, 2, {{0, 0, one_slot}}, {}};
  CHECK(core.book(second, 2ms) == 0);
  CHECK(core.free(0).is_zero());
  CHECK(core.book(first, 3ms) == 2);
  CHECK(core.free(0) == two_slots);
  CHECK(core.book(first, 4ms) == 2);
  CHECK(core.free(0) == two_slots);
  CHECK(core.booked(0) == 2);
  CHECK(core.booked(1) == 0);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a machine that is gone is not offered until it is back") {
  auto core = make();
  core.book({0, 1, {}, {{0, false}}}, 0s);
  const auto offers = core.offer(0s);
  CHECK(machines_of(offers[0].second) == list{1, 3});
  CHECK(machines_of(offers[1].second) == list{2});
  core.book({0, 2, {}, {{0, true}}}, 1s);
  CHECK(machines_of(core.offer(1s).at(0).second) == list{0});
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "a machine that goes while it is under offer comes back whole") {
  auto core = make();
  core.offer(0s);
  core.book({0, 1, {{0, 0, one_slot}}, {{0, false}}}, 1s); // a task was lost there
  core.answer(answer(0, 1, 1, {{0, one_slot}}), 2s);
  CHECK(core.free(0).is_zero());
  core.book({0, 2, {}, {{0, true}}}, 3s);
  CHECK(core.free(0) == two_slots);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "an offer without an answer is asked after, and asked back in time") {
  rules.timeout = 3s;
  auto core = make();
  CHECK(core.next_recall() == instant::max());
  core.offer(0s);
  core.answer(answer(1, 1, 1), 1ms);
  CHECK(core.next_recall() == 2s);
  CHECK(core.recalls(1999ms).empty());
  auto recalls = core.recalls(2s);
  REQUIRE(recalls.size() == 1);
  CHECK(recalls[0].first == 0);
  CHECK(recalls[0].second.id == 1);
  CHECK_FALSE(recalls[0].second.rescind);
  CHECK(core.next_recall() == 3s);
  recalls = core.recalls(3s);
  REQUIRE(recalls.size() == 1);
  CHECK(recalls[0].second.rescind);
  CHECK(core.next_recall() == 5s); // until the answer comes, it stays locked
  CHECK(core.free(0).is_zero());
  core.answer(answer(0, 1, 1), 3s);
  CHECK(core.next_recall() == instant::max());
  const auto status = core.take_sample(4s);
  CHECK(status.groups[0].timed_out == 1);
  CHECK(status.groups[0].rescinded == 1);
  CHECK(status.groups[1].declined == 1);
  CHECK(status.all.made == 2);
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "what is locked and what each has is measured over time") {
  auto core = make();
  core.offer(0s);
  core.answer(answer(0, 1, 1, {{0, two_slots}}), 1s);
  core.answer(answer(1, 1, 1), 3s);
  const auto status = core.take_sample(4s);
  CHECK(status.all.seconds == 4);
  CHECK(status.all.locked_max == 1);
  CHECK(status.all.locked_seconds == doctest::Approx(1 * 1 + 2 * 0.5));
  CHECK(status.groups[0].locked() == doctest::Approx(0.5 / 4));
  CHECK(status.groups[0].share_seconds == doctest::Approx(0.5 + 3 * 0.25));
  CHECK(status.groups[0].share_max == 0.5);
  CHECK(status.groups[0].accepted == 1);
  CHECK(status.groups[1].declined == 1);
  CHECK(core.take_sample(5s).all.locked() == 0);
}

TEST_CASE_FIXTURE(allocator_core_fixture, "a greater weight is offered more") {
  const auto more = even_catalog(12, 2, 1);
  allocator_core core{more, {1, 3}, {0, 0}, rules};
  const auto offers = core.offer(0s);
  CHECK(offers[0].second.machines.size() == 3);
  CHECK(offers[1].second.machines.size() == 9);
}

TEST_CASE("free, offered and used always add up to the capacity") {
  const auto machines = even_catalog(10, 2, 3);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto random = random_stream::derive(seed, "allocator", 0);
    allocator_core core{machines,
                        {1, 2, 1},
                        {0, 0, 1},
                        {.filter = seed % 2 == 0 ? 3s : 0s, .timeout = 4s, .whole = seed % 3 == 0}};
    struct holding {
      std::vector<resource_offer> open;
      std::vector<offer_answer> sent;
    };
    std::vector<holding> frameworks(3);
    std::vector<freed_amount> running;
    std::vector<std::uint64_t> reports(2);
    const auto any = [&](std::size_t n) { return static_cast<std::size_t>(random.below(n)); };
    for (int step = 0; step < 2'000; ++step) {
      const instant now = step * 100ms;
      const auto f = static_cast<scheduler_id>(any(3));
      auto& h = frameworks[f];
      switch (any(4)) {
      case 0:
        for (auto& [to, offer] : core.offer(now))
          frameworks[to].open.push_back(std::move(offer));
        break;
      case 1:
        if (!h.open.empty()) {
          offer_answer reply{f, h.open.front().id, h.open.back().id, {}, {}};
          for (const auto& offer : h.open)
            for (const auto& [m, amount] : offer.machines)
              if (any(2) == 0) {
                reply.used.push_back({m, one_slot});
                running.push_back({m, f, one_slot});
              }
          h.open.clear();
          core.answer(reply, now);
          core.answer(reply, now);
        }
        break;
      case 2:
        if (!running.empty()) {
          const auto i = any(running.size());
          const auto owner = machines.place_of(running[i].machine).partition;
          core.book({owner, ++reports[owner], {running[i]}, {}}, now);
          running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
        }
        break;
      default:
        core.recalls(now);
      }
      std::vector<resources> sum(machines.machines());
      for (machine_id m = 0; m < machines.machines(); ++m) {
        REQUIRE_FALSE(core.free(m).any_negative());
        sum[m] += core.free(m);
      }
      for (const auto& one : frameworks)
        for (const auto& offer : one.open)
          for (const auto& [m, amount] : offer.machines)
            sum[m] += amount;
      for (const auto& r : running)
        sum[r.machine] += r.amount;
      for (const auto& s : sum)
        REQUIRE(s == resources::of_slots(3));
    }
    CHECK(core.take_sample(300s).all.made > 50);
  }
}

TEST_CASE_FIXTURE(allocator_core_fixture,
                  "in a cluster that grows, shares are parts of what the machines have") {
  machines.let_grow();
  auto core = make();
  for (machine_id m = 0; m < 4; ++m)
    machines.growth()->set({{m, {two_slots, {}}}});
  core.offer(0s);
  CHECK(core.share(0) == 4.0 / 8);
  machines.growth()->set({{3, {}, true}});
  core.offer(1s);
  CHECK(core.share(0) == 4.0 / 6);
}
