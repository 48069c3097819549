#include "workload/trace_files.hpp"

#include <doctest/doctest.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::read_trace_text;
using counts = std::map<std::string, std::uint64_t>;

constexpr const char* swf_header = "; Version: 2.2\n; MaxNodes: 4\n; MaxProcs: 10\n";

} // namespace

TEST_CASE("a job of an SWF log is a gang of its processors") {
  const auto all = read_trace_text(std::string{swf_header} +
                                   "1 10 5 100 8 -1 -1 8 120 -1 1 3 1 -1 1 -1 -1 -1\r\n"
                                   "  2   20 0   0.0 4 -1 -1  -1 -1 -1 1 3 1 -1 1 -1 -1 -1 \n"
                                   "3 30 0 2.5 1 -1 2048 1 60 -1 0 3 1 -1 1 -1 -1 -1\n");
  REQUIRE(all.jobs.size() == 3);
  CHECK(all.jobs[0].submitted == 10s);
  CHECK(all.jobs[0].groups[0].count == 8);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{100s});
  CHECK(all.jobs[0].estimate == 120s);
  CHECK(all.jobs[0].gang);
  CHECK_FALSE(all.jobs[0].asks);
  CHECK(all.jobs[1].groups[0].count == 4);
  CHECK(all.jobs[1].groups[0].durations == std::vector<duration>{500ms});
  CHECK(all.jobs[1].estimate == 0s);
  CHECK_FALSE(all.jobs[2].gang);
  CHECK(all.jobs[2].groups[0].durations == std::vector<duration>{2500ms});
  CHECK(all.skipped.empty());
}

TEST_CASE("parts of jobs, jobs that never ran and those without processors are left out") {
  const auto all =
    read_trace_text(std::string{swf_header} + "1 10 5 100 8 -1 -1 8 120 -1 1 3 1 -1 1 -1 -1 -1\n"
                                              "1 10 5 40 8 -1 -1 8 120 -1 2 3 1 -1 1 -1 -1 -1\n"
                                              "1 10 5 60 8 -1 -1 8 120 -1 3 3 1 -1 1 -1 -1 -1\n"
                                              "2 20 -1 -1 -1 -1 -1 8 120 -1 5 3 1 -1 1 -1 -1 -1\n"
                                              "3 30 0 10 -1 -1 -1 -1 120 -1 1 3 1 -1 1 -1 -1 -1\n");
  CHECK(all.jobs.size() == 1);
  CHECK(all.skipped == counts{{"part of a job that has a row of its own", 2},
                              {"never ran", 1},
                              {"without processors", 1}});
}

TEST_CASE("processes of an SWF log may ask for the log's memory and start one by one") {
  trace_settings settings;
  settings.memory = true;
  settings.gangs = false;
  const auto all = read_trace_text(std::string{swf_header} +
                                     "1 10 5 100 8 -1 2048 8 120 4097 1 3 1 -1 1 -1 -1 -1\n"
                                     "2 11 5 100 8 -1 2048 8 120 -1 1 3 1 -1 1 -1 -1 -1\n",
                                   settings);
  REQUIRE(all.jobs.size() == 2);
  CHECK_FALSE(all.jobs[0].gang);
  CHECK(all.jobs[0].asks);
  CHECK(all.jobs[0].groups[0].demand[resource::cpu] == 1000);
  CHECK(all.jobs[0].groups[0].demand[resource::memory] == 5);
  CHECK(all.jobs[1].groups[0].demand[resource::memory] == 2);
}

TEST_CASE("jobs of an SWF log get the processors that they asked for, or those that they had") {
  const auto text = std::string{swf_header} + "1 10 5 100 6 -1 -1 8 120 -1 1 3 1 -1 1 -1 -1 -1\n"
                                              "2 11 5 100 4 -1 -1 -1 120 -1 1 3 1 -1 1 -1 -1 -1\n"
                                              "3 12 5 100 -1 -1 -1 2 120 -1 1 3 1 -1 1 -1 -1 -1\n";
  const auto widths = [&](processors_kind which) {
    trace_settings settings;
    settings.processors = which;
    std::vector<std::uint32_t> found;
    for (const auto& j : read_trace_text(text, settings).jobs)
      found.push_back(j.groups[0].count);
    return found;
  };
  CHECK(widths(processors_kind::requested) == std::vector<std::uint32_t>{8, 4, 2});
  CHECK(widths(processors_kind::used) == std::vector<std::uint32_t>{6, 4, 2});
}

TEST_CASE("rows of an SWF log that are wrong are named") {
  CHECK(test::trace_refusal(std::string{swf_header} + "1 10 5\n")
          .starts_with(":4: this row has 3 fields"));
  CHECK(
    test::trace_refusal(std::string{swf_header} + "1 10 5 x 8 -1 -1 8 120 -1 1 3 1 -1 1 -1 -1 -1\n")
      .starts_with(":4: field 4, \"x\", is not a number"));
  CHECK(test::trace_refusal(std::string{swf_header} +
                            "2e110 10 5 60 8 -1 -1 8 120 -1 1 3 1 -1 1 -1 -1 -1\n")
          .starts_with(":4: job number \"2e110\" is beyond 9007199254740992"));
  CHECK(test::trace_refusal(swf_header).starts_with(": the file holds no rows"));
}

} // namespace troupe
