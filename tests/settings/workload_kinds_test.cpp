#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;

TEST_CASE("the machines of a cluster for jobs are not known from the beginning") {
  const std::string jobs = "[workload]\nkind = \"jobs\"\n";
  const std::string expected = "f.toml:2: key 'workload.kind': value \"jobs\"; expected phases, "
                               "burst or trace, as ";
  CHECK(refusal(jobs) == "accepted");
  CHECK(refusal(jobs + "[[task_classes]]\nname = \"a\"\n") ==
        expected + "classes of tasks ([[task_classes]]) need machines that are known from the "
                   "beginning");
  CHECK(refusal(jobs + "[cluster.trace]\nfile = \"machines\"\n") ==
        expected + "the machines of a trace (cluster.trace.file) are emulated");
}

TEST_CASE("a model of parallel jobs needs an end, and schedulers that start gangs") {
  const std::string lublin = "[workload]\nkind = \"lublin\"\n";
  CHECK(refusal("duration = \"0s\"\n" + lublin)
          .find("key 'workload.jobs': value 0 (the default); expected a number of jobs, or a "
                "duration of the run") != std::string::npos);
  CHECK(refusal(lublin + "jobs = 10\n") == "accepted");
  CHECK(refusal("duration = \"9s\"\n" + lublin) == "accepted");
  CHECK(refusal(lublin + "jobs = 10\nstages = 2\n").find("key 'workload.stages'") !=
        std::string::npos);
  CHECK(refusal("architecture = \"sparrow\"\n" + lublin + "jobs = 10\n")
          .find("key 'workload.kind': value \"lublin\"; expected another one") !=
        std::string::npos);
  for (const char* wrong : {"processors = 1", "interarrival_factor = 0", "duration_factor = 6001",
                            "time_of_day = \"24h\"", "jobs = \"serial\""}) {
    CAPTURE(wrong);
    CHECK(
      refusal(lublin + "jobs = 10\n[workload.lublin]\n" + wrong).find("key 'workload.lublin.") !=
      std::string::npos);
  }
}
