#include "workload/trace_files.hpp"

#include <doctest/doctest.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;

constexpr const char* think_header = "; Version: 2.2\n; MaxProcs: 10\n";

/// A row of an SWF log.
std::string think_row(int job, int submit, int run, int preceding, int think) {
  return std::to_string(job) + " " + std::to_string(submit) + " -1 " + std::to_string(run) +
         " 1 -1 -1 1 60 -1 1 3 1 -1 1 -1 " + std::to_string(preceding) + " " +
         std::to_string(think) + "\n";
}

trace_settings with_think_times() {
  trace_settings settings;
  settings.think_times = true;
  return settings;
}

} // namespace

TEST_CASE("preceding jobs and think times of an SWF log are read if that is asked for") {
  const auto text = std::string{think_header} + think_row(1, 10, 100, -1, -1) +
                    think_row(2, 20, 100, 1, 30) + think_row(3, 25, 100, 1, -1);
  const auto plain = test::read_trace_text(text);
  REQUIRE(plain.jobs.size() == 3);
  CHECK(plain.jobs[1].preceding == trace_job::none);
  auto settings = with_think_times();
  settings.speedup = 2;
  const auto all = test::read_trace_text(text, settings);
  REQUIRE(all.jobs.size() == 3);
  CHECK(all.jobs[0].number == 1);
  CHECK(all.jobs[0].preceding == trace_job::none);
  CHECK(all.jobs[1].preceding == 1);
  CHECK(all.jobs[1].think == 15s); // a time between submissions: twice as fast
  CHECK(all.jobs[2].think == 0s);  // unknown
}

TEST_CASE("a job whose preceding one is left out is submitted as in the log") {
  const auto text = std::string{think_header} + think_row(1, 10, -1, -1, -1) + // never ran
                    think_row(2, 20, 100, 1, 30) + think_row(3, 200, 100, 2, 30);
  const auto all = test::read_trace_text(text, with_think_times());
  REQUIRE(all.jobs.size() == 2);
  CHECK(all.jobs[0].preceding == trace_job::none);
  CHECK(all.jobs[1].preceding == 2);
  auto settings = with_think_times();
  settings.from = 100s;
  const auto late = test::read_trace_text(text, settings);
  REQUIRE(late.jobs.size() == 1);
  CHECK(late.jobs[0].preceding == trace_job::none);
}

TEST_CASE("a preceding job that is missing, later, or the job itself is refused") {
  for (const int preceding : {7, 2, 3}) {
    CAPTURE(preceding);
    CHECK(test::trace_refusal(std::string{think_header} + think_row(1, 10, 100, -1, -1) +
                                think_row(2, 20, 100, preceding, 30) +
                                think_row(3, 30, 100, -1, -1),
                              with_think_times()) ==
          ":4: field 17, the preceding job, is " + std::to_string(preceding) +
            "; expected the number of a job of an earlier row, or -1 (none), or "
            "workload.trace.think_times = false");
  }
}

} // namespace troupe
