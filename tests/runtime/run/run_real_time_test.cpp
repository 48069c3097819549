#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/recording.hpp"
#include "runtime/sparrow_runs.hpp"
#include "support/scratch_windows.hpp"

#include <cmath>

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr auto both = R"(
schedulers = 4
duration = "2500ms"
interval = "500ms"
[cluster]
machines = 400
slots = 1
partitions = 8
owners = 4
[sync]
gap = "400ms"
[network]
latency = "1ms"
[scheduler]
policy = "quality-first"
t_task = "5ms"
batch = 1
[workload]
phases = [{ length = "1500ms", rate = 400 }]
[workload.duration]
value = 0.6
)";

double number(const nlohmann::ordered_json& summary, const char* part, const char* name) {
  return summary[part][name].get<double>();
}

} // namespace

TEST_CASE("gangs with reservations come to their ends in real time") {
  for (const std::string discipline : {"fcfs", "easy", "conservative"}) {
    CAPTURE(discipline);
    const auto results =
      run_text(both, {"clock=real", "scheduler.discipline=" + discipline, "workload.gang=true",
                      "workload.tasks_per_job={value=20}", "cluster.machines=200", "duration=0s",
                      "workload.phases=[{length=\"800ms\",rate=500}]"});
    check_passed(results);
    const auto summary = summary_of(results);
    CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
    const auto& measured = summary["parallel_jobs"];
    CHECK(measured["jobs"] == summary["jobs"]["finished"]);
    CHECK(measured["by_width"]["17-64"]["jobs"] == measured["jobs"]);
    CHECK(measured["processor_utilization"].get<double>() > 0.1);
  }
}

TEST_CASE("moldable jobs come to their ends in real time") {
  for (const std::string discipline : {"fcfs", "easy", "conservative"}) {
    CAPTURE(discipline);
    const auto made = run_recorded(
      both,
      {"clock=real", "scheduler.discipline=" + discipline, "scheduler.width=earliest-finish",
       "workload.moldable={share=1,speedup=\"linear\"}", "workload.gang=true",
       "workload.tasks_per_job={value=20}", "workload.duration_per_job=true",
       "cluster.machines=200", "duration=0s", "workload.phases=[{length=\"800ms\",rate=500}]"});
    check_passed(made.results);
    const auto summary = summary_of(made.results);
    CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
    int others = 0;
    for (const auto& j : made.records.jobs) {
      CHECK(j.requested == 20);
      CHECK((j.tasks == 5 || j.tasks == 10 || j.tasks == 20 || j.tasks == 40 || j.tasks == 80));
      others += j.tasks != 20;
    }
    CHECK(others > 0);
  }
}

TEST_CASE("windows of machines hold in real time") {
  const testing::scratch_windows windows{
    "start_s,end_s,partitions,machines\n0.5,1.6,0,\n0.2,0.9,,150-199\n"};
  for (const auto& [discipline, width] :
       std::vector<std::pair<std::string, std::string>>{{"fit", "requested"},
                                                        {"easy", "requested"},
                                                        {"conservative", "requested"},
                                                        {"easy", "earliest-finish"},
                                                        {"conservative", "available"}}) {
    CAPTURE(discipline);
    CAPTURE(width);
    const auto made = run_recorded(
      both, {"clock=real", "scheduler.discipline=" + discipline, "scheduler.width=" + width,
             "workload.moldable={share=1,speedup=\"linear\"}", "workload.duration_per_job=true",
             "cluster.windows=" + windows.path(), "workload.gang=true",
             "workload.tasks_per_job={value=20}", "cluster.machines=200", "duration=0s",
             "workload.phases=[{length=\"800ms\",rate=500}]"});
    check_passed(made.results);
    const auto summary = summary_of(made.results);
    CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
    // A window may begin while a decision goes on, not before it.
    const auto machines = build_machines(made.settings).machines;
    const auto& in = *machines.windows();
    int used = 0;
    for (const auto& t : made.records.tasks) {
      const auto of = in.class_of(t.machine);
      const auto begin = t.at.began;
      used += of > 0;
      CHECK(in.open_until(of, begin, 0) > begin);
    }
    CHECK(used > 0);
  }
}

TEST_CASE("windows of machines that are probed hold in real time") {
  const testing::scratch_windows windows{
    "start_s,end_s,partitions,machines\n0,0.6,0,\n0,0.5,,150-199\n"};
  for (const std::string architecture : {"sparrow", "hybrid"}) {
    CAPTURE(architecture);
    const auto made = run_recorded(
      both, {"clock=real", "architecture=" + architecture, "cluster.windows=" + windows.path(),
             "workload.tasks_per_job={value=5}", "cluster.machines=200", "duration=0s",
             "workload.phases=[{length=\"800ms\",rate=500}]"});
    check_passed(made.results);
    const auto summary = summary_of(made.results);
    CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
    const auto machines = build_machines(made.settings).machines;
    const auto& in = *machines.windows();
    int used = 0;
    for (const auto& t : made.records.tasks) {
      const auto of = in.class_of(t.machine);
      if (t.at.started == no_instant) // an owner has granted it
        continue;
      used += of > 0;
      CHECK(in.open_until(of, t.at.started, 0) > t.at.started);
    }
    CHECK(used > 0);
  }
}

TEST_CASE("virtual and real time agree on the same cluster") {
  const auto simulated = run_text(both);
  const auto real = run_text(both, {"clock=real"});
  check_passed(simulated);
  check_passed(real);
  const auto one = summary_of(simulated);
  const auto two = summary_of(real);
  CHECK(one["tasks"]["submitted"] == 600);
  CHECK(one["tasks"] == two["tasks"]);
  const auto delay_one = number(one, "scheduling_delay_s", "mean");
  const auto delay_two = number(two, "scheduling_delay_s", "mean");
  const auto quality_one = number(one, "quality", "mean");
  const auto quality_two = number(two, "quality", "mean");
  const auto fraction_one = one["conflict_fraction"].get<double>();
  const auto fraction_two = two["conflict_fraction"].get<double>();
  MESSAGE("delay " << delay_one << " s and " << delay_two << " s, quality " << quality_one
                   << " and " << quality_two << ", conflict fraction " << fraction_one << " and "
                   << fraction_two);
  // A machine that is busy elsewhere is late by more than the delays differ: what real time has to
  // keep is that nothing comes early.
  CHECK(delay_two > delay_one - 0.005);
  CHECK(std::abs(quality_one - quality_two) < 0.02 * quality_one);
  CHECK(fraction_one > 0.02);
  CHECK(std::abs(fraction_one - fraction_two) < 0.25 * fraction_one);
}

TEST_CASE("tasks wait for others of their job in real time, too") {
  const std::vector<std::string> staged{"workload.tasks_per_job.value=4", "workload.stages=2",
                                        "workload.phases.0.length=500ms"};
  for (const auto* how : {"clock=virtual", "clock=real", "architecture=sparrow"}) {
    CAPTURE(how);
    auto with = staged;
    with.emplace_back("clock=real");
    with.emplace_back(how);
    const auto results = run_text(both, with);
    check_passed(results);
    const auto summary = summary_of(results);
    CHECK(summary["tasks"]["finished"] == 200);
    CHECK(number(summary, "job_response_s", "mean") >= 1.2);
  }
}

TEST_CASE("in real time the figures of a phase are of its own time, too") {
  const auto summary = summary_of(
    run_text(both, {"clock=real", "duration=1400ms", "interval=1s", "workload.arrivals=constant",
                    "workload.phases=[{length='600ms',rate=500},{length='800ms',rate=10}]"}));
  // Samples are a little late.
  const auto first = summary["phases"][0]["tasks"]["submitted"].get<int>();
  const auto second = summary["phases"][1]["tasks"]["submitted"].get<int>();
  CHECK(first >= 299);
  CHECK(first + second >= 307);
  CHECK(second <= 9);
}

TEST_CASE("the checks pass in real time when a run ends in the middle of its work") {
  for (const auto* seed : {"seed=1", "seed=2", "seed=3"})
    check_passed(run_text(both, {"clock=real", "duration=700ms", "scheduler.t_task=200us",
                                 "workload.phases.0.rate=4000", "network.latency=0s", seed}));
}

TEST_CASE("the checks pass in real time when a run is asked to stop") {
  watcher monitor;
  monitor.stop = [](const watcher& w) { return !w.seen.empty(); };
  const std::vector<std::string> overrides{"clock=real", "workload.phases.0.rate=2000"};
  const auto results = run(parse_settings(both, "test.toml", overrides), monitor);
  CHECK(results.interrupted);
  check_passed(results);
}

TEST_CASE("in real time Sparrow and hybrid clusters keep the invariants, too") {
  const std::vector<std::string> briefly{"clock=real", "workload.jobs=20",
                                         "workload.duration.value=0.02"};
  const auto sparrow = run_text(busy_sparrow, briefly);
  check_passed(sparrow);
  CHECK(finished(sparrow) == submitted(sparrow));
  const auto hybrid = run_text(
    mixture, {"clock=real", "hybrid.cutoff=30ms", "groups.0.workload.jobs=20",
              "groups.1.workload.jobs=3", "groups.0.workload.duration.value=0.01",
              "groups.1.workload.duration.value=0.05", "groups.1.workload.duration.min=0.03"});
  check_passed(hybrid);
  CHECK(finished(hybrid) == submitted(hybrid));
}
