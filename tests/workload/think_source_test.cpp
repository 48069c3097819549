#include "workload/temp_file.hpp"
#include "workload/traces/trace_source.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// A row of an SWF log: a job of two processors for 10 s.
std::string session_row(int job, int submit, int preceding, int think) {
  return std::to_string(job) + " " + std::to_string(submit) +
         " -1 10 2 -1 -1 2 60 -1 1 3 1 -1 1 -1 " + std::to_string(preceding) + " " +
         std::to_string(think) + "\n";
}

trace_source source_of(const std::string& rows, std::uint64_t jobs = 0) {
  const test::temp_file file{"; MaxProcs: 10\n" + rows};
  workload_settings settings;
  settings.kind = workload_kind::trace;
  settings.file = file.path();
  settings.trace.format = trace_format::swf;
  settings.trace.think_times = true;
  settings.jobs = jobs;
  return trace_source{settings, random_stream{1}};
}

} // namespace

TEST_CASE("a job that others wait for releases them when its last task has ended") {
  auto source = source_of(session_row(1, 0, -1, -1) + session_row(2, 5, 1, 20) +
                          session_row(3, 6, 1, 1) + session_row(4, 100, -1, -1));
  CHECK(source.hears_ends());
  CHECK(source.next()->submitted == 0s);
  CHECK(source.jobs_wait());
  auto last = source.next(); // of the log's time 100
  REQUIRE(last);
  CHECK(last->id == 1);
  CHECK(last->submitted == 100s);
  CHECK_FALSE(source.next());
  source.note_end(0, 40s);
  CHECK_FALSE(source.next()); // its other task runs
  source.note_end(0, 50s);
  CHECK_FALSE(source.jobs_wait());
  // Both are due before the job returned last; 51 s comes first.
  CHECK(source.next()->submitted == 51s);
  CHECK(source.next()->submitted == 70s);
  CHECK_FALSE(source.next());
}

TEST_CASE("a job that is given back is returned again, with its number, in its turn") {
  auto source = source_of(session_row(1, 0, -1, -1) + session_row(2, 5, 1, 20) +
                          session_row(3, 100, -1, -1) + session_row(4, 200, 3, 0));
  source.next();
  auto later = source.next();
  CHECK(later->id == 1);
  CHECK(later->submitted == 100s);
  source.note_end(0, 30s);
  source.note_end(0, 30s);
  source.give_back(std::move(*later));
  const auto sooner = source.next();
  CHECK(sooner->id == 1);
  CHECK(sooner->submitted == 50s);
  const auto again = source.next();
  CHECK(again->id == 2);
  CHECK(again->submitted == 100s);
  CHECK(again->groups.front().count == 2);
  // Job 4 follows it by its new number.
  source.note_end(2, 110s);
  source.note_end(2, 111s);
  CHECK(source.next()->submitted == 111s);
}

TEST_CASE("nothing waits once the greatest number of jobs has come") {
  auto source = source_of(session_row(1, 0, -1, -1) + session_row(2, 5, 1, 20), 1);
  source.next();
  CHECK_FALSE(source.jobs_wait());
  source.note_end(0, 30s);
  source.note_end(0, 30s);
  CHECK_FALSE(source.next());
}
