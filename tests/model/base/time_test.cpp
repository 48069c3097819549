#include "model/base/clock_text.hpp"
#include "model/base/ids.hpp"
#include "model/base/moving_average.hpp"
#include "model/base/time.hpp"

#include <doctest/doctest.h>

#include <unordered_set>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("a duration is rendered in the largest unit that divides it") {
  CHECK(to_string(duration{0}) == "0s");
  CHECK(to_string(5s) == "5s");
  CHECK(to_string(3600s) == "3600s");
  CHECK(to_string(250ms) == "250ms");
  CHECK(to_string(1500us) == "1500us");
  CHECK(to_string(1500ms) == "1500ms");
  CHECK(to_string(7ns) == "7ns");
  CHECK(to_string(-20ms) == "-20ms");
  CHECK(to_string(1'000'000'001ns) == "1000000001ns");
}

TEST_CASE("an instant is rendered in seconds, exactly") {
  CHECK(clock_text(instant{0}) == "0 s");
  CHECK(clock_text(5s) == "5 s");
  CHECK(clock_text(61500ms) == "61.5 s");
  CHECK(clock_text(3'214'817'233ns) == "3.214817233 s");
  CHECK(clock_text(7ns) == "0.000000007 s");
  CHECK(clock_text(1'000'000'010ns) == "1.00000001 s");
}

TEST_CASE("seconds are rounded to the nearest nanosecond") {
  CHECK(from_seconds(0.1) == 100ms);
  CHECK(from_seconds(1e-9 * 2.6) == 3ns);
  CHECK(from_seconds(-1e-9 * 2.6) == -3ns);
  CHECK(to_seconds(from_seconds(8640.25)) == 8640.25);
}

TEST_CASE("task ids are ordered by job, then by index, and told apart when hashed") {
  CHECK(task_id{1, 9} < task_id{2, 0});
  CHECK(task_id{2, 0} < task_id{2, 1});
  CHECK(to_string(task_id{17, 4}) == "17.4");
  std::unordered_set<std::size_t> hashes;
  for (job_id job = 0; job < 100; ++job)
    for (std::uint32_t index = 0; index < 100; ++index)
      hashes.insert(std::hash<task_id>{}({job, index}));
  CHECK(hashes.size() == 10'000);
}

TEST_CASE("a moving average starts at its first value and moves by its weight") {
  moving_average average{0.25};
  CHECK(average.value() == 0);
  average.add(8);
  CHECK(average.value() == 8);
  average.add(4);
  CHECK(average.value() == 7);
  average.add(15);
  CHECK(average.value() == 9);
}

TEST_CASE("a moving average tends to what it is fed") {
  moving_average average{0.1};
  average.add(100);
  for (int i = 0; i < 22; ++i)
    average.add(0);
  CHECK(average.value() == doctest::Approx(100 * 0.098477).epsilon(1e-4)); // 0.9^22
}
