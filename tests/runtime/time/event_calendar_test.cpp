#include "model/base/random.hpp"
#include "runtime/time/event_calendar.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

using namespace troupe;

namespace {

/// An event that is there or not.
using number = std::unique_ptr<int>;

struct expected {
  std::int64_t due = 0;
  std::uint32_t tie = 0;
  int value = 0;
};

/// Takes all events of the next instant.
std::vector<int> take(event_calendar<number>& from) {
  std::vector<int> all;
  from.take_next();
  for (std::size_t i = 0; i < from.taken(); ++i)
    if (const auto event = std::exchange(from.taken(i), {}))
      all.push_back(*event);
  return all;
}

} // namespace

TEST_CASE(
  "events come by instant, then by tie, then in the order of adding, without cancelled ones") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    random_stream random{seed};
    event_calendar<number> calendar;
    std::map<int, event_place> places;
    std::vector<expected> all;
    std::int64_t now = 0;
    int next = 0;
    for (int step = 0; step < 4000; ++step) {
      const auto what = random.below(10);
      if (what < 6) {
        const expected e{now + 1 +
                           static_cast<std::int64_t>(random.below(seed % 2 == 0 ? 20 : 2000)),
                         static_cast<std::uint32_t>(random.below(5)), next++};
        places[e.value] =
          calendar.add(e.due, std::make_unique<int>(e.value), [&] { return e.tie; });
        CHECK(*calendar.at(places[e.value]) == e.value);
        all.push_back(e);
      } else if (what < 8 && !all.empty()) {
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(random.below(all.size()));
        CHECK(*calendar.cancel(places[at->value]) == at->value);
        all.erase(at);
      } else if (!all.empty()) {
        REQUIRE(calendar.any());
        now = std::ranges::min_element(all, {}, &expected::due)->due;
        REQUIRE(calendar.next() == now);
        std::vector<expected> due;
        std::ranges::copy_if(all, std::back_inserter(due),
                             [&](const expected& e) { return e.due == now; });
        std::ranges::stable_sort(due, {}, &expected::tie);
        std::vector<int> values;
        for (const auto& e : due)
          values.push_back(e.value);
        CHECK(take(calendar) == values);
        std::erase_if(all, [&](const expected& e) { return e.due == now; });
      } else {
        CHECK_FALSE(calendar.any());
      }
    }
  }
}

TEST_CASE(
  "what is added for the instant that was taken comes next, and what was taken can be cancelled") {
  event_calendar<number> calendar;
  const auto none = [] { return 0U; };
  calendar.add(5, std::make_unique<int>(1), none);
  const auto second = calendar.add(5, std::make_unique<int>(2), none);
  REQUIRE(calendar.take_next() == 2);
  calendar.add(5, std::make_unique<int>(3), none);
  CHECK(calendar.place_of(1) == second);
  CHECK(*calendar.cancel(second) == 2);
  CHECK(*calendar.taken(0) == 1);
  CHECK(calendar.taken(1) == nullptr);
  REQUIRE(calendar.any());
  CHECK(calendar.next() == 5);
  CHECK(take(calendar) == std::vector{3});
  CHECK_FALSE(calendar.any());
}

TEST_CASE("instants whose events were all cancelled are forgotten, and can have others") {
  event_calendar<number> calendar;
  std::vector<event_place> places;
  const auto none = [] { return 0U; };
  for (int i = 0; i < 5000; ++i)
    places.push_back(calendar.add(i, std::make_unique<int>(i), none));
  for (int i = 0; i < 5000; ++i)
    if (i % 1000 != 7)
      calendar.cancel(places[static_cast<std::size_t>(i)]);
  calendar.add(3, std::make_unique<int>(-3), none);
  REQUIRE(calendar.any());
  CHECK(take(calendar) == std::vector{-3});
  for (int i = 7; i < 5000; i += 1000) {
    REQUIRE(calendar.any());
    CHECK(calendar.next() == i);
    CHECK(take(calendar) == std::vector{i});
  }
  CHECK_FALSE(calendar.any());
}

TEST_CASE("a calendar that is dropped while its events are handled has none left") {
  event_calendar<number> calendar;
  const auto none = [] { return 0U; };
  for (int i = 0; i < 3; ++i)
    calendar.add(1, std::make_unique<int>(i), none);
  calendar.add(2, std::make_unique<int>(3), none);
  REQUIRE(calendar.take_next() == 3);
  calendar.drop_all();
  CHECK(calendar.taken() == 0);
  CHECK_FALSE(calendar.any());
  calendar.add(1, std::make_unique<int>(4), none);
  REQUIRE(calendar.any());
  CHECK(take(calendar) == std::vector{4});
}
