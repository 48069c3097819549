#include "actors/queue/deadline_heap.hpp"
#include "model/base/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace troupe;

TEST_CASE("a heap of deadlines knows the first one, and those that have passed by number") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    random_stream random{seed};
    const auto schedulers = static_cast<scheduler_id>(1 + random.below(40));
    deadline_heap heap;
    heap.resize(schedulers);
    CHECK(heap.first() == instant::max());
    std::vector<instant> all(schedulers, instant::max());
    for (int step = 0; step < 2000; ++step) {
      const auto s = static_cast<scheduler_id>(random.below(schedulers));
      all[s] = random.below(3) == 0 ? instant::max()
                                    : instant{static_cast<std::int64_t>(random.below(30))};
      heap.set(s, all[s]);
      REQUIRE(heap.of(s) == all[s]);
      REQUIRE(heap.first() == *std::ranges::min_element(all));
      const instant now{static_cast<std::int64_t>(random.below(30))};
      const auto from = static_cast<scheduler_id>(random.below(schedulers + 1));
      auto expected = deadline_heap::none;
      for (auto i = from; i < schedulers && expected == deadline_heap::none; ++i)
        if (all[i] <= now)
          expected = i;
      REQUIRE(heap.passed(from, now) == expected);
    }
  }
}
