#include "experiments/sweeps/bisection.hpp"
#include "experiments/sweeps/glob.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;

namespace {

struct outcome {
  std::optional<std::int64_t> found;
  int tries = 0;
};

/// Searches for the least value that is at least `threshold`.
outcome search(std::int64_t from, std::int64_t to, std::int64_t step, std::int64_t threshold) {
  bisection b(from, to, step);
  outcome result;
  while (const auto value = b.next()) {
    const int left = b.steps_left();
    b.tell(*value >= threshold);
    ++result.tries;
    CHECK(b.steps_left() < left);
  }
  CHECK(b.steps_left() == 0);
  result.found = b.found();
  return result;
}

} // namespace

TEST_CASE("the least good value is found, wherever it is") {
  for (std::int64_t threshold = 90; threshold <= 200; ++threshold)
    for (const std::int64_t step : {1, 3, 7}) {
      const auto result = search(100, 200, step, threshold);
      std::int64_t expected = 100;
      while (expected < threshold && expected < 200)
        expected = std::min<std::int64_t>(expected + step, 200);
      CAPTURE(threshold);
      CAPTURE(step);
      CHECK(result.found == expected);
      CHECK(result.tries <= 9);
    }
}

TEST_CASE("nothing is found after one try where even the greatest value will not do") {
  const auto result = search(1, 1'000'000, 1, 1'000'001);
  CHECK_FALSE(result.found);
  CHECK(result.tries == 1);
  CHECK(search(5, 5, 1, 5).found == 5);
  CHECK_FALSE(search(5, 5, 1, 6).found);
}

TEST_CASE("a pattern's * stands for anything within one place of a name") {
  CHECK(fits("N[*,5]", "N[500ms,5]"));
  CHECK_FALSE(fits("N[*,5]", "N[500ms,50]"));
  CHECK_FALSE(fits("N[*]", "N[1,2]"));
  CHECK(fits("N[*,*]", "N[1,2]"));
  CHECK(fits("*", "adaptive"));
  CHECK(fits("e*-*", "e1-adaptive"));
  CHECK_FALSE(fits("e*", "E"));
  CHECK(fits("a*", "a"));
  CHECK_FALSE(fits("", "a"));
}
