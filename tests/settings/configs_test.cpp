#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

const std::filesystem::path configs = std::filesystem::path(TROUPE_SOURCE_DIR) / "configs";

run_settings experiment(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_settings(configs / "experiments" / (name + ".toml"), overrides);
}

double tasks_per_second(const group_settings& g, double load) {
  return load * g.schedulers / to_seconds(g.scheduler.t_task);
}

} // namespace

TEST_CASE("every shipped settings file can be read") {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(configs)) {
    if (entry.path().extension() != ".toml" || entry.path().filename() == "experiment.toml")
      continue;
    CAPTURE(entry.path().string());
    ++count;
    run_settings s;
    // A trace is named on the command line.
    std::vector<std::string> overrides = {"workload.file=jobs.tr"};
    if (entry.path().parent_path().filename() == "traces")
      overrides.push_back("cluster.trace.file=machines");
    CHECK_NOTHROW(s = read_settings(entry.path(), overrides));
    CHECK(parse_settings(to_toml(s), "again") == s);
    const auto folder = entry.path().parent_path();
    if (folder.parent_path().filename() == "experiments") {
      const auto stem = entry.path().stem().string();
      CHECK(s.name == folder.filename().string() + (stem == "settings" ? "" : "-" + stem));
    }
  }
  CHECK(count >= 9);
}

TEST_CASE("E1 loads two groups in three phases") {
  for (const auto* policy : {"latency-first", "quality-first", "adaptive"}) {
    const auto s = experiment(std::string("e1/") + policy);
    REQUIRE(s.groups.size() == 2);
    CHECK(s.length == 90s);
    CHECK(s.cluster.machines * static_cast<std::uint32_t>(s.cluster.slots) == 200'000);
    for (const auto& group : s.groups) {
      CHECK(group.scheduler.policy == policy);
      CHECK(group.schedulers == 10);
      REQUIRE(group.workload.phases.size() == 3);
      CHECK(tasks_per_second(group, group.workload.phases[0].load) ==
            doctest::Approx(40'000 / 3.0));
      CHECK(tasks_per_second(group, group.workload.phases[2].load) == doctest::Approx(20'000));
    }
    CHECK(s.groups[0].workload.phases[1].load == 1);
    CHECK(s.groups[1].workload.phases[1].load == doctest::Approx(2 / 3.0));
  }
}

TEST_CASE("E2 submits 8,520,000 tasks in 300 s") {
  for (const auto* name :
       {"latency-first", "quality-first", "adaptive", "statesync", "statesync-global"}) {
    const auto s = experiment(std::string("e2/") + name);
    CHECK(s.length == 300s);
    CHECK(s.schedulers == 20);
    CHECK(s.sync.plan == (std::string(name).starts_with("statesync")
                            ? sync_plan_kind::full
                            : sync_plan_kind::partitioned));
    double tasks = 0;
    for (const auto& phase : s.groups.at(0).workload.phases)
      tasks += tasks_per_second(s.groups.at(0), phase.load) * to_seconds(phase.length);
    CHECK(tasks == doctest::Approx(8'520'000));
  }
}

TEST_CASE("the model checks are varied on the command line") {
  const auto s =
    experiment("conflict-model/settings", {"schedulers=20", "workload.tasks_per_job.value=1000"});
  CHECK(s.groups.at(0).schedulers == 20);
  CHECK(s.groups.at(0).workload.tasks_per_job.value == 1000);
  // A burst is over, decided on and run, before the next sync.
  const auto& w = s.workload;
  CHECK(w.burst_interval == s.sync.gap);
  const auto deciding = s.scheduler.t_task * static_cast<int>(w.tasks_per_job.value);
  CHECK(w.burst_start + deciding + from_seconds(w.duration.value) < s.sync.gap);
  CHECK(w.burst_start > 0s);
  CHECK(deciding < from_seconds(w.duration.value));
  CHECK(experiment("staleness/settings", {"sync.groups=2"}).sync.groups == 2);
}

TEST_CASE("no shipped settings file pins what an architecture presets") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(configs)) {
    if (entry.path().extension() != ".toml" || entry.path().filename() == "experiment.toml")
      continue;
    CAPTURE(entry.path().string());
    std::vector<std::string> overrides = {"workload.file=jobs.tr"};
    if (entry.path().parent_path().filename() == "traces")
      overrides.push_back("cluster.trace.file=machines");
    const auto as_it_is = read_settings(entry.path(), overrides);
    overrides.push_back("architecture=" + to_string(as_it_is.architecture));
    const auto as_preset = read_settings(entry.path(), overrides);
    CHECK(as_it_is.sync.plan == as_preset.sync.plan);
    CHECK(as_it_is.scheduler.actor == as_preset.scheduler.actor);
    CHECK(as_it_is.scheduler.own_share == as_preset.scheduler.own_share);
  }
}
