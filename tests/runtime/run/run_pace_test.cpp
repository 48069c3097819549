#include "runtime/run/run_pace.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("a run at full speed does not wait") {
  run_pace pace;
  CHECK(pace.next(0s, 1s, {}) == 0s);
  CHECK(pace.next(1s, 2s, {}) == 0s);
}

TEST_CASE("a paused run takes steps only") {
  run_pace pace{{true, 0}};
  const run_pace::wall::time_point now{};
  CHECK(!pace.next(0s, 1s, now));
  pace.step(2);
  CHECK(pace.next(0s, 1s, now) == 0s);
  CHECK(pace.next(1s, 2s, now) == 0s);
  CHECK(!pace.next(2s, 3s, now));
  pace.step(1);
  pace.pause();
  CHECK(!pace.next(2s, 3s, now));
  pace.go_on();
  CHECK(pace.next(2s, 3s, now) == 0s);
  pace.step(1);
  CHECK(pace.read().paused);
}

TEST_CASE("a speed sets how long intervals take, and lateness is not made up for") {
  run_pace pace{{false, 10}};
  run_pace::wall::time_point now{};
  CHECK(pace.next(0s, 1s, now) == 100ms);
  now += 100ms;
  CHECK(pace.next(0s, 1s, now) == 0ms);
  CHECK(pace.next(1s, 2s, now + 30ms) == 70ms);
  now += 10s;
  CHECK(pace.next(2s, 3s, now) == 0ms);
  CHECK(pace.next(3s, 4s, now) == 100ms);
  pace.set_speed(1);
  CHECK(pace.next(4s, 5s, now) == 1s);
  pace.pause();
  CHECK(!pace.next(4s, 5s, now));
  pace.go_on();
  CHECK(pace.next(4s, 5s, now + 1h) == 1s);
  pace.set_speed(0);
  CHECK(pace.next(4s, 5s, now) == 0s);
}

TEST_CASE("a run that waits ends when it is told to, and says that it waits") {
  run_pace pace{{true, 0}};
  int told = 0;
  bool stop = false;
  pace.wait(
    0s, 1s, [&] { return stop; },
    [&](bool paused) {
      CHECK(paused);
      ++told;
      stop = true;
    });
  CHECK(told == 1);
  pace.go_on();
  pace.wait(
    0s, 1s, [] { return false; }, [&](bool) { ++told; });
  CHECK(told == 1);
}
