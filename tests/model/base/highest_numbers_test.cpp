#include "model/base/highest_numbers.hpp"
#include "model/base/random.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("the highest of numbers is found, of equal ones the first from a place on") {
  highest_numbers numbers{40};
  CHECK(numbers.first_highest(0) == 40);
  numbers.set(3, 2);
  numbers.set(20, 5);
  numbers.set(39, 5);
  CHECK(numbers.first_highest(0) == 20);
  CHECK(numbers.first_highest(20) == 20);
  CHECK(numbers.first_highest(21) == 39);
  numbers.set(39, 4);
  CHECK(numbers.first_highest(21) == 20);
  numbers.set(20, 0);
  CHECK(numbers.first_highest(39) == 39);
  numbers.set(39, 0);
  CHECK(numbers.first_highest(10) == 3);
  CHECK(numbers.numbers()[3] == 2);
  CHECK(highest_numbers{0}.first_highest(0) == 0);
}

TEST_CASE("the highest of numbers is found as by a look at each") {
  random_stream random{7};
  for (const std::size_t size : {1, 15, 16, 17, 33, 200}) {
    highest_numbers numbers{size};
    for (int step = 0; step < 2000; ++step) {
      numbers.set(random.below(size), static_cast<double>(random.below(5)));
      if (step % 3 != 0)
        continue;
      const auto start = random.below(size);
      auto best = size;
      double most = 0;
      for (std::size_t k = 0; k < size; ++k)
        if (const auto i = (start + k) % size; numbers.numbers()[i] > most) {
          best = i;
          most = numbers.numbers()[i];
        }
      REQUIRE(numbers.first_highest(start) == best);
    }
  }
}
