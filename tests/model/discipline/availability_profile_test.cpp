#include "model/base/random.hpp"
#include "model/discipline/availability_profile.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace troupe;

namespace {

constexpr resource slots_and_memory[] = {resource::slots, resource::memory};

resource_sum amount(std::int64_t slots, std::int64_t memory) {
  resource_sum sum;
  sum.amount[static_cast<std::size_t>(resource::slots)] = slots;
  sum.amount[static_cast<std::size_t>(resource::memory)] = memory;
  return sum;
}

} // namespace

TEST_CASE("a profile finds the first instant with enough of each kind for long enough") {
  availability_profile free{slots_and_memory};
  free.add(instant{0}, far_future, amount(10, 100));
  free.take(instant{10}, instant{20}, amount(8, 0));
  free.take(instant{30}, instant{40}, amount(0, 95));
  CHECK(free.find(instant{0}, amount(3, 10), duration{10}) == instant{0});
  CHECK(free.find(instant{0}, amount(3, 10), duration{11}) == instant{40});
  CHECK(free.find(instant{0}, amount(3, 5), duration{11}) == instant{20});
  CHECK(free.find(instant{12}, amount(2, 5), duration{100}) == instant{12});
  CHECK(free.find(instant{0}, amount(3, 10), duration{11}, instant{40}) == far_future);
  CHECK(free.find(instant{0}, amount(11, 0), duration{1}) == far_future);
  CHECK(free.find(instant{0}, amount(10, 100), duration::max()) == instant{40});
}

TEST_CASE("a reservation can be moved to where only it is in its own way") {
  availability_profile free{slots_and_memory};
  free.add(instant{0}, far_future, amount(4, 0));
  free.take(instant{0}, instant{5}, amount(4, 0));   // a run, which ends earlier than expected
  free.take(instant{10}, instant{20}, amount(3, 0)); // the reservation
  CHECK(free.find_earlier(instant{0}, amount(3, 0), duration{10}, instant{10}) == instant{5});
  free.add(instant{2}, instant{5}, amount(3, 0));
  CHECK(free.find_earlier(instant{2}, amount(3, 0), duration{10}, instant{10}) == instant{2});
  CHECK(free.find_earlier(instant{2}, amount(4, 0), duration{10}, instant{10}) == instant{5});
  free.take(instant{12}, instant{14}, amount(2, 0)); // more is promised than there is
  CHECK(free.find_earlier(instant{2}, amount(3, 0), duration{10}, instant{10}) == instant{2});
  CHECK(free.find_earlier(instant{3}, amount(3, 0), duration{10}, instant{10}) == far_future);
}

TEST_CASE("a profile of random changes is that of a table by instant") {
  auto random = random_stream::derive(1, "profile", 0);
  for (int round = 0; round < 200; ++round) {
    availability_profile free{slots_and_memory};
    std::vector<std::int64_t> table(200, 50);
    free.add(instant{0}, far_future, amount(50, 0));
    instant now{0};
    for (int change = 0; change < 60; ++change) {
      const auto from = now.count() + static_cast<std::int64_t>(random.below(100));
      const auto to = from + static_cast<std::int64_t>(random.below(40));
      const auto n = static_cast<std::int64_t>(random.below(20)) - 10;
      free.add(instant{from}, instant{to}, amount(n, 0));
      for (auto i = from; i < to && i < 200; ++i)
        table[static_cast<std::size_t>(i)] += n;
      if (random.below(10) == 0)
        free.advance(now += duration{static_cast<std::int64_t>(random.below(5))});
      const auto need = static_cast<std::int64_t>(random.below(80));
      const auto length = 1 + static_cast<std::int64_t>(random.below(30));
      auto first = now.count();
      const auto holds = [&] {
        for (auto i = first; i < first + length && i < 200; ++i)
          if (table[static_cast<std::size_t>(i)] < need)
            return false;
        return true;
      };
      while (first < 200 && !holds())
        ++first;
      CHECK(free.find(now, amount(need, 0), duration{length}) ==
            (first < 200 ? instant{first} : far_future));
    }
  }
}
