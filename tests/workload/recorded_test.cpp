#include "workload/formats/machine_table.hpp"
#include "workload/formats/recorded_rows.hpp"
#include "workload/generate/factory.hpp"
#include "workload/trace_files.hpp"

#include <doctest/doctest.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::read_trace_text;

const std::string head = to_line(recording_head{1'700'000'000'000, 1'700'000'600'000}) + '\n';

recorded_job two_groups() {
  recorded_job job{"12", 1.5, 3, false, "ci", {}};
  auto& first = job.groups.emplace_back();
  first.demand[resource::cpu] = 500;
  first.demand[resource::memory] = 256;
  first.durations_s = {1, 2.25};
  first.constraints = {parse_constraint("gpu in A100,V100")};
  auto& second = job.groups.emplace_back();
  second.demand[resource::slots] = 1;
  second.durations_s = {4, 4, 4};
  second.after = {0};
  return job;
}

} // namespace

TEST_CASE("a recorded job has what its line says") {
  const auto all = read_trace_text(head + to_line(two_groups()) + '\n');
  REQUIRE(all.jobs.size() == 1);
  const auto& job = all.jobs[0];
  CHECK(job.submitted == 1500ms);
  CHECK(job.priority == 3);
  CHECK(job.tenant == "ci");
  CHECK(job.asks);
  CHECK_FALSE(job.gang);
  REQUIRE(job.groups.size() == 2);
  CHECK(job.groups[0].count == 2);
  CHECK(job.groups[0].demand[resource::cpu] == 500);
  CHECK(job.groups[0].demand[resource::memory] == 256);
  CHECK(job.groups[0].durations == std::vector<duration>{1s, 2250ms});
  CHECK(job.groups[0].constraints == std::vector{parse_constraint("gpu in A100,V100")});
  CHECK(job.groups[1].count == 3);
  CHECK(job.groups[1].durations == std::vector<duration>{4s});
  CHECK(job.groups[1].after == std::vector<std::uint32_t>{0});
  CHECK(job.estimate == 3050ms);
}

TEST_CASE("recorded jobs come in the order of submission, and gangs are gangs") {
  auto late = two_groups();
  late.at_s = 9;
  recorded_job gang{"13", 2, 0, true, "", {}};
  gang.groups.emplace_back(two_groups().groups[1]).after.clear();
  const auto all = read_trace_text(head + to_line(late) + '\n' + to_line(gang) + '\n');
  REQUIRE(all.jobs.size() == 2);
  CHECK(all.jobs[0].gang);
  CHECK(all.jobs[1].submitted == 9s);
  CHECK(all.jobs[0].tenant.empty());
}

TEST_CASE("recorded jobs belong to the tenants that the settings have") {
  std::string text = head;
  double at = 0;
  for (const char* tenant : {"ci", "web", "unknown", ""}) {
    auto job = two_groups();
    job.tenant = tenant;
    job.at_s = ++at;
    text += to_line(job) + '\n';
  }
  const test::temp_file file{text};
  workload_settings settings;
  settings.kind = workload_kind::trace;
  settings.file = file.path();
  settings.trace.format = trace_format::recorded;
  const auto tenants_of = [&](const trace_tenants& known) {
    const auto source = make_job_source(settings, 1, 1, random_stream{}, known);
    std::vector<std::uint32_t> found;
    while (const auto job = source->next())
      found.push_back(job->tenant);
    return found;
  };
  CHECK(tenants_of({{"web", "other", "ci"}, 1}) == std::vector<std::uint32_t>{2, 0, 1, 1});
  CHECK(tenants_of({}) == std::vector<std::uint32_t>{0, 0, 0, 0});
}

TEST_CASE("recorded machines are there from their time on, with their attributes") {
  recorded_machine first{"a", 0, {}, {{"zone", "b"}}};
  first.capacity[resource::cpu] = 2000;
  recorded_machine second{"b", 5, {}, {}};
  second.capacity[resource::cpu] = 4000;
  const test::temp_file file{head + to_line(first) + '\n' + to_line(second) + '\n' +
                             to_line(two_groups()) + '\n'};
  machine_trace_settings settings;
  settings.file = file.path();
  const auto table = read_machines(settings);
  REQUIRE(table.machines.size() == 2);
  CHECK(table.machines[0].name == "a");
  CHECK(table.machines[0].at_begin[resource::cpu] == 2000);
  CHECK(table.kinds[table.machines[0].kind].attributes.at("zone") == "b");
  CHECK(table.machines[1].at_begin[resource::cpu] == 0);
  REQUIRE(table.changes.size() == 1);
  CHECK(table.changes[0].at == 5s);
}

TEST_CASE("lines of recorded machines may come in any order") {
  recorded_machine joins{"a", 0, {}, {{"arch", "x86_64"}}};
  joins.capacity[resource::cpu] = 4000;
  const recorded_machine leaves{"a", 20, {}, {}};
  const test::temp_file file{head + to_line(leaves) + '\n' + to_line(joins) + '\n'};
  machine_trace_settings settings;
  settings.file = file.path();
  const auto table = read_machines(settings);
  REQUIRE(table.machines.size() == 1);
  CHECK(table.present() == 1);
  CHECK(table.leaves == 1);
  REQUIRE(table.changes.size() == 1);
  CHECK(table.changes[0].at == 20s);
  CHECK(table.changes[0].capacity.is_zero());
}

TEST_CASE(
  "a recorded machine that leaves keeps its attributes, which another capacity may change") {
  recorded_machine line{"a", 0, {}, {{"arch", "x86_64"}}};
  line.capacity[resource::cpu] = 4000;
  auto text = head + to_line(line) + '\n';
  const auto attributes_in = [](const std::string& recording) {
    const test::temp_file file{recording};
    machine_trace_settings settings;
    settings.file = file.path();
    const auto table = read_machines(settings);
    return table.kinds.at(table.machines.at(0).kind).attributes;
  };
  text += to_line(recorded_machine{"a", 50, {}, {}}) + '\n';
  CHECK(attributes_in(text) == line.attributes);
  line.at_s = 60;
  line.attributes["arch"] = "arm64";
  CHECK(attributes_in(text + to_line(line) + '\n') == line.attributes);
}

TEST_CASE("lines that are none of a recording are refused with what is wrong") {
  const auto fault = [](const std::string& line) {
    try {
      read_recorded(line);
    } catch (const recording_fault& e) {
      return std::string{e.what()};
    }
    return std::string{};
  };
  CHECK(fault("{") == "this line is not a JSON object");
  CHECK(fault("{}") == "this line has none of the members recording, machine and job");
  CHECK(fault(R"({"recording":2,"from_ms":0,"to_ms":0})") ==
        "this is version 2 of recordings; this program reads version 1");
  CHECK(fault(R"({"job":"1","at_s":-1,"groups":[]})") ==
        "at_s -1 is not a number of seconds in 0 .. 1000000000");
  CHECK(fault(R"({"job":"1","at_s":0,"groups":[]})") == "a job has no groups");
  CHECK(fault(R"({"job":"1","at_s":0,"tenant":7,"groups":[]})") == "tenant 7 is not a text");
  CHECK(fault(R"({"job":"1","at_s":0,"groups":[{"demand":{"cpu":1}}]})") ==
        "there is no member \"durations_s\"");
  CHECK(fault(R"({"job":"1","at_s":0,"groups":[{"demand":{"disk":1},"durations_s":[1]}]})") ==
        "demand has a member that is none of cpu, memory, gpu and slots");
  CHECK(fault(R"({"job":"1","at_s":0,"groups":[{"demand":{"cpu":1},"durations_s":[1],)"
              R"("after":[0]}]})") == "a group waits for one that is not before it");
  CHECK(fault(R"({"machine":"a","at_s":0,"capacity":{"cpu":18446744073709551615}})") ==
        "cpu 18446744073709551615 is not a whole number in 0 .. 2147483647");
}

TEST_CASE("a recording of another version is refused") {
  CHECK(test::trace_refusal("{\"recording\":2,\"from_ms\":0,\"to_ms\":0}\n",
                            test::of_format(trace_format::recorded))
          .find("this program reads version 1") != std::string::npos);
}

} // namespace troupe
