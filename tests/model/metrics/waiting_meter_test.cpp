#include "model/metrics/group_counters.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("what waits is integrated over time") {
  waiting_meter waits;
  waits.change(1s, 3);
  CHECK(waits.take(3s) == 6);
  waits.change(4s, -1);
  CHECK(waits.take(6s) == 3 + 4);
  CHECK(waits.tasks() == 2);
}

TEST_CASE("what is learned late counts from when it was") {
  waiting_meter waits;
  waits.change(1s, 2);
  CHECK(waits.take(5s) == 8);
  waits.change(4s, -1); // of the time that was told, one second too much was
  CHECK(waits.take(6s) == 1 - 1);
  waits.change(2s, 1); // four seconds too few
  CHECK(waits.take(6s) == 4);
}

TEST_CASE("nothing is counted that was before the beginning") {
  waiting_meter waits{10s};
  waits.change(3s, 2);
  CHECK(waits.take(11s) == 2);
}

TEST_CASE("each group's books tell what has waited in the interval") {
  group_counters books{0, 1s};
  books.of(1).counts.submitted = 2;
  books.wait(1, 0s, 2);
  books.wait(0, 2s, 1);
  CHECK(books.waiting() == 3);
  const auto samples = books.take(3s);
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].sample.waited == 1);
  CHECK(samples[1].sample.waited == 4);
  CHECK(books.take(4s)[1].sample.waited == 2);
}
