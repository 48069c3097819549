#include "experiments/compare/default_metrics.hpp"
#include "experiments/compare/summary_skeleton.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace troupe;

namespace {

constexpr const char* two_groups = R"(
schedulers = 2
[[groups]]
name = "short"
schedulers = 1
[[groups]]
name = "long"
schedulers = 1
[[workload.phases]]
length = "2s"
rate = 5
[[workload.phases]]
length = "2s"
rate = 9
)";

nlohmann::ordered_json skeleton_of(const std::vector<std::string>& set = {}) {
  return summary_skeleton(parse_settings(two_groups, "f.toml", set));
}

} // namespace

TEST_CASE("a skeleton has everything that tables show unless told otherwise") {
  const auto skeleton = skeleton_of();
  for (const auto& metric : comparison_metrics)
    CHECK_MESSAGE(fault_of_path(skeleton, metric.path) == "", metric.path);
  for (const auto& metric : experiment_metrics)
    CHECK_MESSAGE(fault_of_path(skeleton, metric.path) == "", metric.path);
}

TEST_CASE("a skeleton has groups, phases, rows of the time series and settings") {
  const auto skeleton = skeleton_of();
  for (const char* path :
       {"groups.long.scheduling_delay_s.p99", "phases.2.short.quality.mean",
        "series.75.long.quality_mean", "series.60-89.short.utilization.max", "config.schedulers",
        "config.sync.gap", "resources.slots.utilization.mean", "attempts.per_task.max",
        "checks.tasks balance.passed"})
    CHECK_MESSAGE(fault_of_path(skeleton, path) == "", path);
}

TEST_CASE("a skeleton has nothing that a run does not have") {
  const auto skeleton = skeleton_of();
  struct mistake {
    const char* path;
    const char* complaint;
  };
  const mistake mistakes[] = {{"qualty.mean", "did you mean 'quality'?"},
                              {"foo.bar", "there is no 'foo'"},
                              {"quality", "that is a table or a list"},
                              {"phases.3.short.conflicts", "the run has 2 phases"},
                              {"phases.1.conflicts", "name one of them"},
                              {"groups.middle.conflicts", "none is 'middle'"},
                              {"series.10.long.qualty", "there is no 'qualty'"},
                              {"series.first.long.quality_mean", "there is no interval"},
                              {"policy", "that is the text"},
                              {"offers.made", "there is no 'offers'"},
                              {"sparrow.probes", "there is no 'sparrow'"},
                              {"resources.gpu.utilization.mean", "there is no 'gpu'"}};
  for (const auto& [path, complaint] : mistakes) {
    const auto fault = fault_of_path(skeleton, path);
    CHECK_MESSAGE(fault.find(complaint) != std::string::npos, path, ": ", fault);
  }
}

TEST_CASE("what a skeleton has depends on the architecture") {
  CHECK(fault_of_path(skeleton_of({"architecture=two-level"}), "offers.made") == "");
  CHECK(fault_of_path(skeleton_of({"architecture=sparrow"}), "sparrow.probes") == "");
}

TEST_CASE("an expression has the faults of its paths") {
  const auto skeleton = skeleton_of();
  CHECK(fault_of_value(skeleton, "{tasks.placed} / {jobs.submitted} <= 3") == "");
  CHECK(fault_of_value(skeleton, "{tasks.placed} / {jobs.submited}").find("did you mean") !=
        std::string::npos);
}
