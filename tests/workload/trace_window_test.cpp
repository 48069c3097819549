#include "workload/trace_files.hpp"
#include "workload/traces/trace_window.hpp"

#include <doctest/doctest.h>

namespace troupe {

using namespace std::chrono_literals;

TEST_CASE("durations are cut, then sped up, and never nothing") {
  trace_settings settings;
  settings.max_duration = 100s;
  settings.duration_speedup = 4;
  const trace_window window{settings};
  CHECK(window.shortened(200s) == 25s);
  CHECK(window.shortened(10s) == 2500ms);
  CHECK(window.shortened(0s) == 1ns);
}

TEST_CASE("times between submissions are stretched, but not beyond what can be told") {
  trace_settings settings;
  settings.speedup = 0.5;
  CHECK(trace_window{settings}.stretched(3s) == 6s);
  settings.speedup = 1e-7;
  CHECK(trace_window{settings}.stretched(50s) == 500'000'000s);
  CHECK(trace_window{settings}.stretched(1000s) == 1'000'000'000s);
}

TEST_CASE("a sample is about as large as it should be and grows with its share") {
  int small = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto hash = hash_of("job-" + std::to_string(i));
    small += in_sample(hash, 0.2);
    if (in_sample(hash, 0.2))
      REQUIRE(in_sample(hash, 0.5));
  }
  CHECK(small > 1800);
  CHECK(small < 2200);
  CHECK(in_sample(hash_of("any"), 1));
}

TEST_CASE("the settings of a window hold for .tr traces too") {
  trace_settings settings;
  settings.max_duration = 3s;
  settings.duration_speedup = 2;
  const auto all = test::read_trace_text("0 2 6 2 10\n", settings);
  REQUIRE(all.jobs.size() == 1);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{1s, 1500ms});
}

} // namespace troupe
