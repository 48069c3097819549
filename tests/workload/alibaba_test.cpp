#include "workload/formats/machine_table.hpp"
#include "workload/generate/factory.hpp"
#include "workload/trace_files.hpp"
#include "workload/traces/trace_format.hpp"

#include <doctest/doctest.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::read_trace;
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
  settings.kind = workload_kind::trace;
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
          .starts_with(":2: instance_num \"x\" is not a whole number"));
  CHECK(test::trace_refusal(good + "M1,1,j_2\n").starts_with(":2: this row has 3 fields"));
}

namespace {

/// Jobs of three rows each, the third of which waits for the other two.
std::vector<std::string> rows_of(int jobs) {
  std::vector<std::string> rows;
  for (int i = 1; i <= jobs; ++i) {
    const auto rest = ",j_" + std::to_string(i) + ",1,Terminated," + std::to_string(100 + i) + "," +
                      std::to_string(200 + i) + ",100,0.2\n";
    rows.push_back("M1,2" + rest);
    rows.push_back("M2,3" + rest);
    rows.push_back("R3_1_2,4" + rest);
  }
  return rows;
}

std::string joined(const std::vector<std::string>& rows) {
  std::string text;
  for (const auto& r : rows)
    text += r;
  return text;
}

} // namespace

TEST_CASE("the rows of an Alibaba trace may stand in any order") {
  auto rows = rows_of(3000);
  const auto sorted = read_trace_text(joined(rows));
  random_stream random{3};
  for (auto i = rows.size() - 1; i > 0; --i)
    std::swap(rows[i], rows[random.below(i + 1)]);
  const auto shuffled = read_trace_text(joined(rows));
  CHECK(sorted.jobs.size() == 3000);
  REQUIRE(shuffled.jobs.size() == 3000);
  CHECK(shuffled.skipped.empty());
  for (std::size_t i = 0; i < 3000; ++i) {
    const auto& job = shuffled.jobs[i];
    REQUIRE(job.submitted == sorted.jobs[i].submitted);
    REQUIRE(job.task_count() == 9);
    REQUIRE(job.groups.back().after == groups{0, 1});
  }
}

TEST_CASE("rows of an Alibaba trace that stand there twice are noticed") {
  const auto rows = rows_of(3000);
  CHECK(test::trace_refusal(joined(rows) + joined(rows)).find("are the same rows in two files?") !=
        std::string::npos);
  CHECK(test::trace_refusal(joined(rows_of(2)) + joined(rows_of(2))).find("occurs twice") !=
        std::string::npos);
  const auto one = read_trace_text(joined(rows) + rows[7]);
  CHECK(one.jobs.size() == 3000);
  CHECK(one.skipped == counts{{"row that stands there twice", 1}});
  const test::temp_directory here;
  here.write("batch_task.csv", joined(rows));
  here.write("batch_task.csv.gz", test::gzip(joined(rows)));
  CHECK_THROWS_WITH_AS(
    read_trace(here.path()),
    (here.path() + "/batch_task.csv.gz: this file begins with the same rows as " + here.path() +
     "/batch_task.csv: one is a copy of the other; leave one of them out")
      .c_str(),
    std::runtime_error);
}

TEST_CASE("a last row without a line end may be cut, and is left out") {
  const auto all = read_trace_text("M1,1,j_1,1,Terminated,10,20,100,0.3\n"
                                   "M1,1,j_2,1,Terminated,10,20,100,0.3");
  CHECK(all.jobs.size() == 1);
  CHECK(all.skipped == counts{{"last row, without a line end: it may be cut", 1}});
}

TEST_CASE("the table that Spar makes of an Alibaba trace is read as it is") {
  const auto all = read_trace_text("0,j_1,M1,30,100,0.39,2\n"
                                   "0,j_1,R2_1,7.5,50,0.2,4\n"
                                   "12.5,j_2,task_abc,0,100,0.3,1\n");
  REQUIRE(all.jobs.size() == 2);
  CHECK(all.jobs[0].submitted == 0s);
  REQUIRE(all.jobs[0].groups.size() == 2);
  CHECK(all.jobs[0].groups[0].count == 2);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{30s});
  CHECK(all.jobs[0].groups[0].demand[resource::memory] == 399);
  CHECK(all.jobs[0].groups[1].durations == std::vector<duration>{7500ms});
  CHECK(all.jobs[0].groups[1].demand[resource::cpu] == 500);
  CHECK(all.jobs[0].groups[1].after == groups{0});
  CHECK(all.jobs[1].submitted == 12500ms);
  CHECK(all.jobs[1].groups[0].durations == std::vector<duration>{1s});
}

TEST_CASE("the batch tasks of Alibaba's trace of 2017 are groups that wait for nothing") {
  const test::temp_directory here;
  here.write("batch_task.csv", "100,130,7,1,2,Terminated,50,0.004\n"
                               "101,131,7,2,1,Failed,100,0.01\n"
                               "0,131,8,1,1,Terminated,100,0.01\n"
                               "140,150,9,1,1,Running,100,0.01\n"
                               "140,140,9,2,1,Waiting,,\n");
  here.write("server_event.csv", "0,1,add,,64,0.69,1\n0,2,add,,64,0.5,1\n"
                                 "500,1,softerror,links,,,\n");
  CHECK(find_trace(here.path(), trace_format::automatic).format == trace_format::alibaba2017);
  const auto all = read_trace(here.path());
  REQUIRE(all.jobs.size() == 1);
  const auto& job = all.jobs[0];
  CHECK(job.submitted == 100s);
  REQUIRE(job.groups.size() == 2);
  CHECK(job.groups[0].count == 2);
  CHECK(job.groups[0].demand[resource::cpu] == 500);
  CHECK(job.groups[0].demand[resource::memory] == 410); // 0.4 GiB
  CHECK(job.groups[1].after.empty());
  CHECK(all.skipped == counts{{"before the trace began", 1}, {"no end in the trace", 2}});
  machine_trace_settings machines;
  machines.file = here.path();
  const auto table = read_machines(machines);
  REQUIRE(table.machines.size() == 2);
  CHECK(table.machines[0].greatest[resource::cpu] == 64000);
  CHECK(table.machines[0].greatest[resource::memory] == 70656);
  CHECK(table.skipped.at("error of a machine") == 1);
}

} // namespace troupe
