#include "model/metrics/busy_meter.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// Returns what was booked for two groups since the last time.
std::pair<duration, duration> taken(group_counters& books) {
  std::pair<duration, duration> busy{std::exchange(books.of(0).sample.busy, duration{0}),
                                     std::exchange(books.of(1).sample.busy, duration{0})};
  return busy;
}

using pair = std::pair<duration, duration>;

} // namespace

TEST_CASE("a decision counts in each interval with the part that falls into it") {
  group_counters books{0};
  busy_meter busy;
  busy.begin(500ms);
  busy.add(0, 1s);
  busy.add(1, 400ms);
  busy.add(1, 600ms);
  busy.pass(500ms, books);
  CHECK(taken(books) == pair{0s, 0s});
  busy.pass(1s, books);
  CHECK(taken(books) == pair{500ms, 0s});
  busy.pass(2s, books);
  CHECK(taken(books) == pair{500ms, 500ms});
  busy.end(books);
  CHECK(taken(books) == pair{0s, 500ms});
  busy.pass(9s, books);
  CHECK(taken(books) == pair{0s, 0s});
}

TEST_CASE("a decision that is given up has taken the time until then") {
  group_counters books{0};
  busy_meter busy;
  busy.begin(1s);
  busy.add(1, 3s);
  busy.give_up(2s, books);
  busy.end(books);
  CHECK(taken(books) == pair{0s, 1s});
}
