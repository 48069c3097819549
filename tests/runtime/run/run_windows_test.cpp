#include "model/base/planted_faults.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/prompt_log.hpp"
#include "runtime/recording.hpp"
#include "support/contains.hpp"
#include "support/rigid_jobs.hpp"
#include "support/scratch_log.hpp"
#include "support/scratch_windows.hpp"
#include "support/seeds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace troupe;
using namespace troupe::test;
using troupe::testing::estimates;
using troupe::testing::scratch_windows;

// Machines with maintenance windows and advance reservations in whole runs.
namespace {

constexpr std::pair<const char*, reference::discipline> window_disciplines[] = {
  {"fcfs", reference::discipline::fcfs},
  {"easy", reference::discipline::easy},
  {"conservative", reference::discipline::conservative}};

/// 6 of 16 machines are under maintenance, and 4 are reserved for the tenant x.
constexpr const char* some_windows = R"(# two kinds of windows
start_s, end_s, machines, count, tenant
6,       11,    0-3 9 12,      ,
4.5,     9,             ,     4, x
)";

constexpr const char* windowed = R"(
duration = "0s"
interval = "5s"
schedulers = 2
[cluster]
machines = 16
partitions = 4
owners = 2
slots = 2
[sync]
gap = "200ms"
[scheduler]
t_task = "1ms"
[[tenants]]
name = "x"
[[tenants]]
name = "y"
[workload]
phases = [{ length = "14s", rate = 14 }]
arrivals = "poisson"
duration = { kind = "exponential", value = 1, max = 3 }
duration_per_job = true
estimates = "exact"
[[groups]]
name = "x"
schedulers = 1
workload = { tenant = "x" }
[[groups]]
name = "y"
schedulers = 1
workload = { tenant = "y", tasks_per_job = { value = 3 }, gang = true }
)";

struct window_use {
  int against = 0;  ///< tasks that are expected to be on machines in a window that excludes them
  int reserved = 0; ///< tasks of the tenant within its window
};

/// How the tasks of a run are on machines with windows, with `late` allowed.
window_use use_in(const recorded_run& made, duration late) {
  const auto machines = build_machines(made.settings).machines;
  const auto& windows = *machines.windows();
  std::map<job_id, const job_record*> jobs;
  for (const auto& j : made.records.jobs)
    jobs[j.job] = &j;
  window_use use;
  for (const auto& t : made.records.tasks) {
    if (t.at.started == no_instant || t.machine == no_machine)
      continue;
    const auto& j = *jobs.at(t.task.job);
    const auto c = windows.class_of(t.machine);
    const auto until = j.estimate > duration::zero() ? t.at.started + j.estimate : instant::max();
    const auto from = t.at.started;
    use.against += !windows.admits(c, from, until - late, j.tenant) &&
                   !windows.admits(c, from - std::min(late, from), until - late, j.tenant);
    use.reserved +=
      j.tenant == 0 && !windows.admits(c, from, until, 1) && windows.admits(c, from, until, 0);
  }
  return use;
}

} // namespace

TEST_CASE("with windows, every job of a run starts within the second of a plain scheduler" *
          many_seeds) {
  for (std::uint64_t seed = 1; seed <= 30; seed += test::step_of_seeds(30)) {
    const auto how = seed % 2 == 0 ? estimates::over : estimates::exact;
    const auto processors = static_cast<std::int64_t>(8 + 7 * (seed % 6));
    auto jobs = uneven(testing::random_rigid_jobs(100, processors, how, seed), seed);
    const auto parts = testing::random_parts(jobs, processors, seed);
    for (auto& j : jobs)
      j.tenant = 0;
    const testing::scratch_log log{log_of(jobs, processors)};
    const scratch_windows windows{testing::windows_text(parts, "x")};
    for (const auto& [ours, plain] : window_disciplines) {
      CAPTURE(seed);
      CAPTURE(std::string{ours});
      const auto expected = reference::starts_with_windows(jobs, parts, plain);
      const auto made =
        run_recorded(prompt_cluster,
                     {"workload.file=" + log.path(), "cluster.trace.file=" + log.path(),
                      "cluster.windows=" + windows.path(), R"(tenants=[{name="y"},{name="x"}])",
                      std::string{"scheduler.discipline="} + ours},
                     "jobs");
      check_passed(made.results);
      std::map<job_id, std::int64_t> starts;
      for (const auto& j : made.records.jobs)
        starts[j.job] = std::llround(to_seconds(j.at.first_placed) * 1e3);
      REQUIRE(starts.size() == expected.size());
      std::int64_t most = 0;
      std::size_t n = 0;
      for (const auto& [_, at] : starts)
        most = std::max(most, std::abs(at - expected[n++]));
      CHECK(most < 20); // ms; a job that starts in another turn is off by seconds
    }
  }
}

TEST_CASE("windows hold in every architecture, under every discipline") {
  const scratch_windows windows{some_windows};
  for (const std::string architecture :
       {"monolithic", "static", "parsync", "statesync", "two-level"})
    for (const std::string discipline : {"fit", "fcfs", "easy", "conservative"}) {
      if (architecture == "two-level" && discipline != "fit")
        continue;
      for (const auto& more : std::vector<std::vector<std::string>>{
             {}, {"scheduler.candidates=3"}, {"scheduler.preemption=true"}}) {
        if (!more.empty() && more.front() == "scheduler.preemption=true" &&
            (discipline != "fit" || architecture == "two-level"))
          continue;
        CAPTURE(architecture);
        CAPTURE(discipline);
        auto set = more;
        set.insert(set.end(), {"architecture=" + architecture, "scheduler.discipline=" + discipline,
                               "cluster.windows=" + windows.path()});
        const auto made = run_recorded(windowed, set);
        check_passed(made.results);
        const auto summary = summary_of(made.results);
        CHECK(summary.at("tasks").at("finished") == summary.at("tasks").at("submitted"));
        const auto use = use_in(made, machine_windows::slack);
        CHECK(use.against == 0);
        CHECK(use.reserved > 0);
      }
    }
}

TEST_CASE("windows hold where schedulers probe machines") {
  const scratch_windows windows{some_windows};
  for (const std::string architecture : {"sparrow", "hybrid"})
    for (const auto* probing : {"random", "per-task", "batch", "late-binding"})
      for (const auto* queue : {"fifo", "fair", "priority"}) {
        CAPTURE(architecture);
        CAPTURE(probing);
        CAPTURE(queue);
        std::vector<std::string> set{"architecture=" + architecture,
                                     std::string{"sparrow.probing="} + probing,
                                     std::string{"sparrow.queue="} + queue,
                                     "groups.1.workload.gang=false",
                                     "workload.phases=[{length=\"14s\",rate=9}]",
                                     "cluster.windows=" + windows.path()};
        if (architecture == "hybrid")
          set.insert(set.end(), {"hybrid.cutoff=1s", "hybrid.reserved=0.25", "schedulers=4",
                                 "groups.0.schedulers=2", "groups.1.schedulers=2"});
        const auto made = run_recorded(windowed, set);
        check_passed(made.results);
        const auto summary = summary_of(made.results);
        CHECK(summary.at("tasks").at("finished") == summary.at("tasks").at("submitted"));
        const auto use = use_in(made, machine_windows::slack);
        CHECK(use.against == 0);
        CHECK(use.reserved > 0);
      }
}

TEST_CASE("jobs for which no machine is open wait for the end of a window") {
  const scratch_windows windows{"start_s,end_s,partitions\n4,90,0-3\n"};
  for (const auto* probing : {"random", "per-task", "batch", "late-binding"}) {
    CAPTURE(probing);
    const auto made =
      run_recorded(windowed, {"architecture=sparrow", std::string{"sparrow.probing="} + probing,
                              "groups.1.workload.gang=false", "cluster.windows=" + windows.path()});
    check_passed(made.results);
    const auto summary = summary_of(made.results);
    CHECK(summary.at("tasks").at("finished") == summary.at("tasks").at("submitted"));
    CHECK(summary.at("job_response_s").at("max").get<double>() > 80);
    CHECK(use_in(made, machine_windows::slack).against == 0);
  }
}

#ifdef TROUPE_CHECKS

TEST_CASE("what ignores windows fails the check of constraints in every architecture") {
  const scratch_windows windows{some_windows};
  for (const std::string architecture :
       {"monolithic", "static", "parsync", "statesync", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    planted_now = planted_fault::ignored_windows;
    const auto results =
      run_text(windowed, {"cluster.windows=" + windows.path(), "architecture=" + architecture,
                          "groups.1.workload.gang=false", "schedulers=4", "groups.0.schedulers=2",
                          "groups.1.schedulers=2"});
    planted_now = planted_fault::none;
    const auto check = std::ranges::find(results.checks, "constraints met", &self_check::name);
    REQUIRE(check != results.checks.end());
    CHECK_FALSE(check->passed);
  }
}

TEST_CASE("schedulers and owners that ignore windows are found") {
  const scratch_windows windows{some_windows};
  planted_now = planted_fault::ignored_windows;
  const auto made = run_recorded(windowed, {"cluster.windows=" + windows.path()});
  planted_now = planted_fault::none;
  CHECK(use_in(made, machine_windows::slack).against > 0);
}

#endif

TEST_CASE("an owner refuses what comes too late for a window") {
  const scratch_windows windows{"start_s,end_s,partitions\n6,60,0-3\n"};
  const auto made = run_recorded(
    windowed, {"cluster.windows=" + windows.path(), "network.latency=3s", "architecture=parsync",
               "workload.duration={value=2}", "groups.1.workload.gang=false",
               "groups.0.workload.phases=[{length=\"4s\",rate=4}]",
               "groups.1.workload.phases=[{length=\"4s\",rate=4}]"});
  check_passed(made.results);
  CHECK(use_in(made, machine_windows::slack).against == 0);
  std::size_t refused = 0;
  for (const auto& a : made.records.attempts)
    refused += a.cause == conflict_cause::gone;
  CHECK(refused > 0);
  const auto summary = summary_of(made.results);
  CHECK(summary.at("tasks").at("finished") == summary.at("tasks").at("submitted"));
}

TEST_CASE("what runs when a window begins goes on") {
  const scratch_windows windows{"start_s,end_s,partitions\n4,8,0-3\n"};
  const auto made =
    run_recorded(windowed, {"cluster.windows=" + windows.path(), "workload.estimates=given",
                            "workload.duration={value=3}", "workload.estimate_error=1",
                            "scheduler.look_past=50"});
  check_passed(made.results);
  int across = 0;
  for (const auto& t : made.records.tasks)
    across +=
      t.at.started < std::chrono::seconds{4} && t.at.ended > std::chrono::milliseconds{4500};
  CHECK(across > 0);
}

TEST_CASE("a run waits for the end of a long window") {
  const scratch_windows windows{"start_s,end_s,partitions\n4,900,0-3\n"};
  const auto results = run_text(windowed, {"cluster.windows=" + windows.path()});
  check_passed(results);
  const auto summary = summary_of(results);
  CHECK(summary.at("tasks").at("finished") == summary.at("tasks").at("submitted"));
  CHECK(summary.at("job_response_s").at("max").get<double>() > 800);
}

TEST_CASE("a table of windows that does not fit the cluster is refused by line and value") {
  const auto why = [](const std::string& text) {
    const scratch_windows windows{text};
    try {
      run_text(windowed, {"cluster.windows=" + windows.path()});
    } catch (const std::runtime_error& e) {
      return std::string{e.what()};
    }
    return std::string{};
  };
  CHECK(contains(why("start_s,end_s,machines\n1,2,0-16\n"), ":2: machine 16; expected 0 .. 15"));
  CHECK(contains(why("start_s,end_s,partitions\n1,2,4\n"), ":2: partition 4; expected 0 .. 3"));
  CHECK(contains(why("start_s,end_s,count\n\n1,2,9\n1,2,8\n"), ":4: count 8; expected at most 7"));
  CHECK(contains(why("start,end,machines\n2026-12-01T08:00:00Z,2026-12-01T09:00:00Z,1\n"),
                 ":2: times in UTC; expected the columns start_s and end_s"));
  CHECK(contains(why("start_s,end_s,count,tenant\n1,2,9,z\n"),
                 ":2: tenant \"z\"; expected one of those of the settings: x, y"));
}
