#include "workload/trace_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::read_trace;
using test::read_trace_text;
using test::temp_directory;
using counts = std::map<std::string, std::uint64_t>;

/// A row of task_events at so many seconds after the trace began.
std::string row(double seconds, std::uint64_t job, int index, int event,
                const std::string& rest = "0,2,0.0125,0.01553,0.0003,0") {
  return std::to_string(static_cast<std::uint64_t>((600 + seconds) * 1e6)) + ",," +
         std::to_string(job) + "," + std::to_string(index) + ",77," + std::to_string(event) +
         ",user," + rest + "\n";
}

constexpr int submit = 0, schedule = 1, evict = 2, fail = 3, finish = 4, kill = 5;

resources units(std::int32_t cpu, std::int32_t memory) {
  resources r;
  r[resource::cpu] = cpu;
  r[resource::memory] = memory;
  return r;
}

} // namespace

TEST_CASE("tasks of a Google trace run from their last start to their end") {
  const auto all =
    read_trace_text(row(1, 5, 0, submit) + row(1, 5, 1, submit) + row(2, 5, 0, schedule) +
                    row(3, 5, 1, schedule) + row(9, 5, 1, evict) + row(9, 5, 1, submit) +
                    row(10, 5, 1, schedule) + row(12, 5, 0, finish) + row(14, 5, 1, kill));
  REQUIRE(all.jobs.size() == 1);
  const auto& job = all.jobs[0];
  CHECK(job.submitted == 1s);
  CHECK(job.asks);
  CHECK(job.priority == 2);
  CHECK_FALSE(job.spread);
  REQUIRE(job.groups.size() == 1);
  CHECK(job.groups[0].count == 2);
  CHECK(job.groups[0].demand == units(12500, 15530));
  CHECK(job.groups[0].durations == std::vector<duration>{10s, 4s});
  CHECK(job.estimate == 7s);
  CHECK(all.skipped.empty());
  CHECK(all.events ==
        counts{{"SUBMIT", 3}, {"SCHEDULE", 3}, {"EVICT", 1}, {"FINISH", 1}, {"KILL", 1}});
}

TEST_CASE("tasks of a Google trace without an end are cut or dropped") {
  const auto text = row(0, 5, 0, submit) + row(1, 5, 0, schedule) +
                    row(0, 6, 0, submit).substr(0, 0) + row(2, 6, 0, submit) +
                    row(3, 6, 0, schedule) + row(11, 6, 0, finish);
  const auto cut = read_trace_text(text);
  REQUIRE(cut.jobs.size() == 2);
  CHECK(cut.jobs[0].groups[0].durations == std::vector<duration>{10s});
  trace_settings settings;
  settings.unfinished = unfinished_kind::drop;
  const auto dropped = read_trace_text(text, settings);
  REQUIRE(dropped.jobs.size() == 1);
  CHECK(dropped.jobs[0].submitted == 2s);
  CHECK(dropped.skipped ==
        counts{{"task without an end in the trace", 1}, {"job of which no task is left", 1}});
}

TEST_CASE("a Google job is handed on at its horizon, however long its tasks run") {
  std::string text = row(0, 5, 0, submit) + row(1, 5, 0, schedule);
  for (int i = 0; i < 100; ++i)
    text += row(2 + i, 100 + i, 0, submit) + row(2.1 + i, 100 + i, 0, schedule) +
            row(2.5 + i, 100 + i, 0, finish);
  text += row(103, 5, 0, finish);
  trace_settings settings;
  settings.horizon = 20s;
  const auto all = read_trace_text(text, settings);
  REQUIRE(all.jobs.size() == 101);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{19s});
  CHECK(std::ranges::is_sorted(all.jobs, {}, &trace_job::submitted));
}

TEST_CASE("a Google task that fails before it runs, or asks for nothing known, is left out") {
  const auto all =
    read_trace_text(row(0, 5, 0, submit) + row(1, 5, 0, kill) + row(2, 6, 0, submit) +
                    row(2, 6, 1, submit, "0,9,,,,") + row(3, 6, 0, schedule) +
                    row(3, 6, 1, schedule) + row(4, 6, 0, fail) + row(4, 6, 1, finish));
  REQUIRE(all.jobs.size() == 1);
  CHECK(all.jobs[0].task_count() == 1);
  CHECK(all.skipped == counts{{"task that never ran to an end", 1},
                              {"job of which no task is left", 1},
                              {"task without a request", 1}});
}

TEST_CASE("what was there before a Google trace began, or after it ended, is left out") {
  const auto all = read_trace_text(
    "0,2,3418309,0,4155527081,0,user,3,9,,,,\n0,2,3418309,0,4155527081,1,user,3,9,0.1,0.1,0.1,0\n" +
    row(1, 3418309, 0, finish) + row(2, 6, 0, submit) + row(3, 6, 0, schedule) +
    row(4, 6, 0, finish) + "9223372036854775807,,6,0,,4,user,3,9,0.1,0.1,0.1,0\n");
  REQUIRE(all.jobs.size() == 1);
  CHECK(all.jobs[0].submitted == 2s);
  CHECK(all.skipped == counts{{"before the trace began", 2}, {"after the trace ended", 1}});
  CHECK(all.events.at("without a request") == 1);
}

TEST_CASE("tasks of a Google job that differ are groups of their own, and the job may spread") {
  const auto all = read_trace_text(
    row(1, 5, 0, submit, "0,0,0.5,0.25,0,1") + row(1, 5, 1, submit, "0,0,0.5,0.25,0,1") +
    row(1, 5, 2, submit, "0,0,0.25,0.25,0,1") + row(2, 5, 0, schedule) + row(2, 5, 1, schedule) +
    row(2, 5, 2, schedule) + row(3, 5, 0, finish) + row(4, 5, 1, finish) + row(5, 5, 2, finish));
  REQUIRE(all.jobs.size() == 1);
  CHECK(all.jobs[0].spread);
  REQUIRE(all.jobs[0].groups.size() == 2);
  CHECK(all.jobs[0].groups[0].demand == units(500000, 250000));
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{1s, 2s});
  CHECK(all.jobs[0].groups[1].demand == units(250000, 250000));
}

TEST_CASE("a Google trace is a directory of parts, plain or packed, with constraints beside") {
  const temp_directory here;
  here.write("task_events/part-00000-of-00002.csv.gz",
             test::gzip(row(1, 5, 0, submit) + row(2, 5, 0, schedule)));
  here.write("task_events/part-00001-of-00002.csv", row(2, 5, 1, submit) + row(4, 5, 1, schedule) +
                                                      row(7, 5, 0, finish) + row(8, 5, 1, finish));
  here.write("task_constraints/part-00000-of-00001.csv",
             "601000000,5,0,0,gpu,yes\n601000000,5,0,2,cores,8\n602000000,5,1,3,cores,\n604000000,"
             "9,0,1,a,b\n");
  here.write("machine_events/part-00000-of-00001.csv", "0,5,0,p,0.5,0.2493\n");
  const auto all = read_trace(here.path());
  REQUIRE(all.jobs.size() == 1);
  REQUIRE(all.jobs[0].groups.size() == 2);
  CHECK(all.jobs[0].groups[0].constraints ==
        std::vector<constraint>{{"gpu", constraint_operator::equals, {"yes"}},
                                {"cores", constraint_operator::less, {"8"}}});
  CHECK(all.jobs[0].groups[1].constraints.empty());
  CHECK(all.skipped == counts{{"constraint that compares with nothing", 1}});
}

TEST_CASE("tasks of a Google job that are submitted later are submitted later in the run") {
  const auto text = row(1, 5, 0, submit) + row(1.5, 5, 2, submit) + row(2, 5, 0, schedule) +
                    row(3, 6, 0, submit) + row(3, 6, 0, schedule) + row(4, 5, 1, submit) +
                    row(4.5, 5, 3, submit) + row(5, 5, 1, schedule) + row(5, 5, 2, schedule) +
                    row(6, 5, 3, schedule) + row(9, 5, 0, finish) + row(9, 5, 1, finish) +
                    row(9, 5, 2, finish) + row(10, 5, 3, finish) + row(11, 6, 0, finish) +
                    row(2000, 5, 4, submit) + row(2001, 5, 4, schedule) + row(2002, 5, 4, finish);
  const auto all = read_trace_text(text);
  REQUIRE(all.jobs.size() == 4);
  CHECK(all.jobs[0].submitted == 1s);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{7s, 4s}); // tasks 0 and 2
  CHECK(all.jobs[1].submitted == 3s);
  CHECK(all.jobs[2].submitted == 4s);
  CHECK(all.jobs[2].groups[0].durations == std::vector<duration>{4s, 4s});
  CHECK(all.jobs[3].submitted == 2000s);
  CHECK(all.events.at("later parts of jobs, as jobs") == 2);
  CHECK(all.events.at("tasks in these") == 3);
  trace_settings settings;
  settings.to = 100s;
  const auto early = read_trace_text(text, settings);
  CHECK(early.jobs.size() == 3);
  CHECK(early.skipped == counts{{"task submitted after the window", 1}});
}

TEST_CASE("a Google task that was there before the trace is a job when it is submitted again") {
  const auto all = read_trace_text("0,2,5,0,77,0,user,3,9,0.1,0.1,0,0\n"
                                   "0,2,5,0,77,1,user,3,9,0.1,0.1,0,0\n" +
                                   row(1, 5, 0, evict) + row(2, 5, 0, submit) +
                                   row(3, 5, 0, schedule) + row(4, 5, 0, finish));
  REQUIRE(all.jobs.size() == 1);
  CHECK(all.jobs[0].submitted == 2s);
}

TEST_CASE("a directory of parts alone is a table, by its name or by what they hold") {
  const auto text = row(1, 5, 0, submit) + row(2, 5, 0, schedule) + row(7, 5, 0, finish);
  const temp_directory here;
  here.write("task_events/part-00000-of-00500.csv.gz", test::gzip(text));
  here.write("elsewhere/part-00000-of-00500.csv", text);
  CHECK(read_trace(here.path() + "/task_events").jobs.size() == 1);
  CHECK(read_trace(here.path() + "/task_events/").jobs.size() == 1);
  CHECK(read_trace(here.path() + "/elsewhere").jobs.size() == 1);
}

TEST_CASE("job events alone are jobs of one task") {
  const auto all = read_trace_text("601000000,,5,0,user,2,name,logical\n"
                                   "602000000,,5,1,user,2,name,logical\n"
                                   "605500000,,5,4,user,2,name,logical\n");
  REQUIRE(all.jobs.size() == 1);
  CHECK_FALSE(all.jobs[0].asks);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{3500ms});
}

TEST_CASE("window, speed-up and sample choose among the jobs of a Google trace") {
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += row(i, static_cast<std::uint64_t>(i + 1), 0, submit) +
            row(i + 0.1, static_cast<std::uint64_t>(i + 1), 0, schedule) +
            row(i + 0.6, static_cast<std::uint64_t>(i + 1), 0, finish);
  trace_settings settings;
  settings.from = 100s;
  settings.to = 300s;
  settings.speedup = 10;
  settings.duration_speedup = 5;
  const auto all = read_trace_text(text, settings);
  REQUIRE(all.jobs.size() == 200);
  CHECK(all.jobs[10].submitted == 1s);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{100ms});
  CHECK(all.skipped == counts{{"before the window", 100}, {"after the window", 100}});
  settings.sample = 0.5;
  const auto half = read_trace_text(text, settings);
  CHECK(half.jobs.size() > 70);
  CHECK(half.jobs.size() < 130);
  CHECK(half.skipped.at("not in the sample") == 200 - half.jobs.size());
}

TEST_CASE("rows of a Google trace that are wrong are named") {
  CHECK(test::trace_refusal("1,2,3\n", test::of_format(trace_format::google2011))
          .starts_with(":1: this row has 3 fields; a row of task_events has 13 fields"));
  CHECK(test::trace_refusal(row(5, 1, 0, submit) + row(4, 1, 0, schedule))
          .starts_with(":2: time \"604000000\" is earlier than that of a row before"));
  CHECK(test::trace_refusal(row(5, 1, 0, submit, "0,2,1.5e9,0,0,0"))
          .starts_with(":1: CPU request \"1.5e9\" and memory request \"0\" are not shares"));
}

} // namespace troupe
