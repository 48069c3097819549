#include "workload/formats/openb_reader.hpp"
#include "workload/trace_files.hpp"

#include <doctest/doctest.h>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::read_trace_text;
using counts = std::map<std::string, std::uint64_t>;

const std::string header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,"
                           "creation_time,deletion_time,scheduled_time\n";

} // namespace

TEST_CASE("a pod of openb is a job of one task that may demand models of GPU") {
  const auto all =
    read_trace_text(header + "pod-1,6000,12288,1,460,,LS,Running,50,200,60\n"
                             "pod-0,12000,16384,2,1000,V100M32|P100|V100M32,BE,Failed,10,110.5,10\n"
                             "pod-2,1000,1024,0,0,T4,Burstable,Running,70,71,70\n");
  REQUIRE(all.jobs.size() == 3);
  const auto& first = all.jobs[0];
  CHECK(first.submitted == 10s);
  CHECK(first.priority == 0);
  CHECK(first.groups[0].demand[resource::gpu] == 2000);
  CHECK(first.groups[0].demand[resource::cpu] == 12000);
  CHECK(first.groups[0].demand[resource::memory] == 16384);
  CHECK(first.groups[0].durations == std::vector<duration>{100500ms});
  CHECK(first.groups[0].constraints ==
        std::vector<constraint>{{"model", constraint_operator::in, {"P100", "V100M32"}}});
  CHECK(all.jobs[1].priority == 2);
  CHECK(all.jobs[1].groups[0].demand[resource::gpu] == 460);
  CHECK(all.jobs[1].groups[0].durations == std::vector<duration>{140s});
  CHECK(all.jobs[1].groups[0].constraints.empty());
  CHECK(all.jobs[2].priority == 1);
  CHECK(all.jobs[2].groups[0].constraints ==
        std::vector<constraint>{{"model", constraint_operator::equals, {"T4"}}});
}

TEST_CASE("pods that were never scheduled, or ask for nothing, are left out") {
  const auto all = read_trace_text(header + "a,6000,12288,1,460,,LS,Pending,50,200,\n"
                                            "b,0,0,0,0,,LS,Running,50,200,60\n"
                                            "c,1,0,0,0,,LS,Running,50,200,60\n");
  CHECK(all.jobs.size() == 1);
  CHECK(all.skipped == counts{{"never scheduled", 1}, {"asks for nothing", 1}});
}

TEST_CASE("columns of openb are found by their names") {
  const auto all =
    read_trace_text("creation_time,name,memory_mib,cpu_milli,scheduled_time,gpu_milli,"
                    "num_gpu,deletion_time\n5,a,1024,2000,6,1000,1,8\n");
  REQUIRE(all.jobs.size() == 1);
  CHECK(all.jobs[0].groups[0].demand[resource::cpu] == 2000);
  CHECK(all.jobs[0].groups[0].durations == std::vector<duration>{2s});
  CHECK(test::trace_refusal("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,1\n")
          .starts_with(":1: the header has no column 'creation_time'"));
}

TEST_CASE("rows of openb that are wrong are named") {
  CHECK(test::trace_refusal(header + "a,x,0,0,0,,LS,Running,50,200,60\n")
          .starts_with(":2: cpu_milli \"x\" is not a whole number"));
  CHECK(test::trace_refusal(header + "a,1,0,0,0,,LS,Running,50,50,60\n")
          .starts_with(":2: scheduled_time \"60\" and deletion_time \"50\" are not times"));
  CHECK(
    test::trace_refusal(header + "a,1\n").starts_with(":2: this row has 2 fields, the header 11"));
}

} // namespace troupe
