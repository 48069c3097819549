#include "model/jobs/job_source.hpp"
#include "runtime/running.hpp"
#include "support/lublin_log.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

// Logs of parallel jobs: gangs that wait.
namespace {

class swf_log {
public:
  explicit swf_log(const std::string& text) {
    path_ = std::filesystem::temp_directory_path() /
            ("troupe-gangs-" + std::to_string(::getpid()) + ".swf");
    std::ofstream{path_, std::ios::binary} << text;
  }

  ~swf_log() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  swf_log(const swf_log&) = delete;
  swf_log& operator=(const swf_log&) = delete;

  std::vector<std::string> settings(const std::string& architecture) const {
    return {"architecture=" + architecture, "workload.file=" + path_.string(),
            "cluster.trace.file=" + path_.string()};
  }

private:
  std::filesystem::path path_;
};

std::string swf_row(int number, int at, int seconds, int size) {
  const auto n = std::to_string(size);
  return std::to_string(number) + " " + std::to_string(at) + " -1 " + std::to_string(seconds) +
         " " + n + " -1 -1 " + n + " -1 -1 1 1 1 1 1 -1 -1 -1\n";
}

constexpr const char* batch_cluster = R"(
schedulers = 2
duration = "0s"
interval = "600s"
[cluster]
partitions = 2
owners = 1
[sync]
gap = "60s"
[scheduler]
policy = "best-fit"
t_task = "1ms"
[workload]
kind = "trace"
)";

} // namespace

TEST_CASE("a congested log of parallel jobs comes to its end under every architecture") {
  const swf_log log{troupe::testing::lublin_log(120, 64, 1.2)};
  for (const std::string architecture : {"parsync", "statesync", "two-level", "monolithic"}) {
    CAPTURE(architecture);
    const auto results = run_text(batch_cluster, log.settings(architecture));
    check_passed(results);
    const auto summary = summary_of(results);
    CHECK(summary.at("jobs").at("finished") == 120);
    CHECK(summary.at("tasks").at("finished") == summary.at("tasks").at("submitted"));
  }
}

TEST_CASE("a congested log comes to its end where schedulers hoard offers") {
  const swf_log log{troupe::testing::lublin_log(120, 64, 1.2)};
  for (const std::string limit : {"0.3", "1"}) {
    CAPTURE(limit);
    auto settings = log.settings("two-level");
    settings.insert(settings.end(), {"offers.hoard=" + limit, "offers.timeout=60s"});
    const auto results = run_text(batch_cluster, settings);
    check_passed(results);
    CHECK(summary_of(results).at("jobs").at("finished") == 120);
  }
}

TEST_CASE("gangs as large as the cluster start under two-level scheduling, on an idle cluster") {
  std::string text = "; MaxNodes: 16\n; MaxProcs: 16\n";
  for (int i = 0; i < 6; ++i)
    text += swf_row(i + 1, 1 + 7 * i, 100 + i, i < 2 ? 1 : 16);
  const swf_log log{text};
  const auto results = run_text(batch_cluster, log.settings("two-level"));
  check_passed(results);
  CHECK(summary_of(results).at("jobs").at("finished") == 6);
}

TEST_CASE("a gang larger than its cluster is abandoned and counted") {
  const swf_log log{"; MaxNodes: 16\n; MaxProcs: 16\n" + swf_row(1, 0, 10, 17) +
                    swf_row(2, 1, 10, 16)};
  const auto results = run_text(batch_cluster, log.settings("parsync"));
  check_passed(results);
  const auto summary = summary_of(results);
  CHECK(summary.at("tasks").at("abandoned") == 17);
  CHECK(summary.at("attempts").at("gangs").at("impossible") == 1);
  CHECK(summary.at("tasks").at("finished") == 16);
}

TEST_CASE("a gang that takes longer to decide on than offers last is abandoned and counted") {
  const swf_log log{"; MaxNodes: 16\n; MaxProcs: 16\n" + swf_row(1, 0, 10, 16) +
                    swf_row(2, 1, 10, 15)};
  auto settings = log.settings("two-level");
  settings.insert(settings.end(), {"offers.timeout=150ms", "scheduler.t_task=10ms"});
  const auto results = run_text(batch_cluster, settings);
  check_passed(results);
  const auto summary = summary_of(results);
  CHECK(summary.at("tasks").at("abandoned") == 16);
  CHECK(summary.at("attempts").at("gangs").at("impossible") == 1);
  CHECK(summary.at("tasks").at("finished") == 15);
}

TEST_CASE("a gang of a trace ends a run in which schedulers probe machines") {
  const swf_log log{"; MaxNodes: 16\n; MaxProcs: 16\n" + swf_row(1, 0, 10, 1) +
                    swf_row(2, 1, 10, 16)};
  for (const std::string architecture : {"sparrow", "hybrid"}) {
    auto settings = log.settings(architecture);
    CHECK_THROWS_AS(run_text(batch_cluster, settings), input_error);
    settings.push_back("workload.trace.gangs=false");
    CHECK(summary_of(run_text(batch_cluster, settings)).at("tasks").at("finished") == 17);
  }
}
