#include "workload/factory.hpp"
#include "workload/trace_files.hpp"

#include <doctest/doctest.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::read_trace_text;
using counts = std::map<std::string, std::uint64_t>;
using groups = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("rows of an Alibaba job are groups that wait for their parents") {
  const auto all = read_trace_text("R3_1_2,4,j_1,1,Terminated,100,130,50,0.2\r\n"
                                   "M1,2,j_1,1,Terminated,90,120,100,0.39\r\n"
                                   "M2,1,j_1,1,Terminated,95,95,100,0.39\r\n");
  REQUIRE(all.jobs.size() == 1);
  const auto& job = all.jobs[0];
  CHECK(job.submitted == 90s);
  REQUIRE(job.groups.size() == 3);
  CHECK(job.groups[0].count == 2);
  CHECK(job.groups[0].durations == std::vector<duration>{30s});
  CHECK(job.groups[0].demand[resource::cpu] == 1000);
  CHECK(job.groups[0].demand[resource::memory] == 399);
  CHECK(job.groups[0].after.empty());
  CHECK(job.groups[1].durations == std::vector<duration>{1s});
  CHECK(job.groups[2].count == 4);
  CHECK(job.groups[2].demand[resource::cpu] == 500);
  CHECK(job.groups[2].after == groups{0, 1});
  CHECK(all.skipped.empty());
}

TEST_CASE("rows of an Alibaba trace that cannot be run are left out by reason") {
  const auto all = read_trace_text("M1,,j_1,1,Waiting,0,0,,\n"
                                   "M1,1,j_2,1,Running,10,0,100,0.3\n"
                                   "M1,1,j_3,1,Terminated,10,20,,\n"
                                   "M1,0,j_4,1,Terminated,10,20,100,0.3\n"
                                   "task_LTg0MTUw,3,j_5,1,Terminated,10,20,100,\n"
                                   "R2_1,3,j_5,1,Terminated,10,20,100,0.2\n");
  REQUIRE(all.jobs.size() == 1);
  CHECK(all.jobs[0].groups.size() == 2);
  CHECK(all.jobs[0].groups[1].after.empty());
  CHECK(all.skipped == counts{{"never started", 1},
                              {"no end in the trace", 1},
                              {"no request", 1},
                              {"without instances", 1},
                              {"dependency on a task that is not there", 1}});
}

TEST_CASE("Alibaba jobs come in the order of submission, whatever that of the file is") {
  std::string text;
  for (int i = 3000; i > 0; --i)
    text += "M1,1,j_" + std::to_string(i) + ",1,Terminated," + std::to_string(i) + "," +
            std::to_string(i + 5) + ",100,0.2\n";
  const auto all = read_trace_text(text);
  REQUIRE(all.jobs.size() == 3000);
  CHECK(all.jobs.front().submitted == 1s);
  CHECK(all.jobs.back().submitted == 3000s);
  CHECK(std::ranges::is_sorted(all.jobs, {}, &trace_job::submitted));
}

TEST_CASE("an Alibaba trace cannot be one of gangs") {
  const test::temp_file file{"M1,1,j_1,1,Terminated,10,20,100,0.3\n"};
  workload_settings settings;
  settings.kind = "trace";
  settings.file = file.path();
  settings.gang = true;
  CHECK_THROWS_WITH(check_workload(settings),
                    ("[workload] gang = true: tasks of " + file.path() +
                     " wait for others of their job, so they cannot start together")
                      .c_str());
}

TEST_CASE("rows of an Alibaba trace that are wrong are named") {
  const std::string good = "M1,1,j_1,1,Terminated,10,20,100,0.3\n";
  CHECK(test::trace_refusal(good + "M1,1,j_2,1,Terminated,20,10,100,0.3\n")
          .starts_with(":2: end_time \"10\" is earlier than start_time \"20\""));
  CHECK(test::trace_refusal(good + "M1,x,j_2,1,Terminated,10,20,100,0.3\n")
          .starts_with(":2: instance_num \"x\" is no whole number"));
  CHECK(test::trace_refusal(good + "M1,1,j_2\n").starts_with(":2: this row has 3 fields"));
}

} // namespace troupe
