#include "nodes/running_cluster.hpp"
#include "support/gzip_csv.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace troupe::test;

namespace {

struct architecture {
  const char* name;
  std::vector<std::string> options;

  std::vector<std::string> with(std::vector<std::string> more) const {
    more.insert(more.end(), {"--set", std::string{"architecture="} + name});
    more.insert(more.end(), options.begin(), options.end());
    return more;
  }
};

const architecture two_level{"two-level", {"--set", "offers.interval=200ms"}};
const architecture sparrow{"sparrow", {}};
const architecture sparrow_with_stages{
  "sparrow", {"--set", "workload.tasks_per_job={value=6}", "--set", "workload.stages=3"}};
const architecture prober{
  "sparrow", {"--plugin", TROUPE_PLUGIN_DIR "/prober.so", "--set", "scheduler.actor=prober"}};
const architecture hybrid{"hybrid", {"--set", "hybrid.cutoff=200ms"}};
const architecture with_stages{
  "parsync", {"--set", "workload.tasks_per_job={value=6}", "--set", "workload.stages=3"}};

const architecture with_reservations{"parsync",
                                     {"--set", "workload.gang=true", "--set",
                                      "workload.tasks_per_job={value=6}", "--set",
                                      "scheduler.discipline=easy"}};

const architecture with_widths{
  "parsync",
  {"--set", "workload.gang=true", "--set", "workload.tasks_per_job={value=6}", "--set",
   "workload.duration_per_job=true", "--set", "workload.moldable.share=1", "--set",
   "scheduler.discipline=easy", "--set", "scheduler.width=earliest-finish"}};

constexpr const char* longer = "workload.phases=[{length=\"12s\", rate=300}]";

json check_all_finished(running_cluster& cluster, int at_least) {
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CAPTURE(end.out);
  CHECK(end.code == 0);
  CHECK(cluster.none_is_left());
  auto summary = cluster.summary();
  CHECK(summary["tasks"]["submitted"].get<int>() > at_least);
  CHECK(summary["tasks"]["finished"] == summary["tasks"]["submitted"]);
  REQUIRE_FALSE(summary["checks"].empty());
  for (const auto& check : summary["checks"]) {
    CAPTURE(check.dump());
    CHECK(check["passed"] == true);
  }
  // Each of the workloads keeps every slot busy for about a second or longer.
  const auto seconds = summary["simulated_seconds"].get<double>();
  CHECK(summary["utilization"]["mean"].get<double>() * seconds > 0.75);
  CHECK(summary["utilization"]["max"] <= 1.0);
  return summary;
}

json check_survives_kill(const architecture& of, const std::vector<std::string>& more) {
  auto options = of.with({"--once", "--set", longer});
  options.insert(options.end(), more.begin(), more.end());
  running_cluster cluster{options};
  cluster.wait_until_finished();
  kill(cluster.pid_of("node-3"), SIGKILL);
  CHECK(cluster.up().wait_for("was killed by signal 9 (Killed)"));
  return check_all_finished(cluster, 3000);
}

void check_follows_trace(const architecture& of, bool kills_node) {
  // Of 13 machines with three cores each, most are away or have less for some seconds.
  running_cluster cluster{of.with({"--once"}), R"(
name = "small"
schedulers = 4
[cluster]
partitions = 4
owners = 4
trace = { file = ")" TROUPE_SOURCE_DIR R"(/configs/chaos/traced" }
[workload]
cpu = 0.5
duration = { kind = "exponential", value = 0.5 }
phases = [{ length = "12s", rate = 60 }]
)"};
  if (kills_node) {
    cluster.wait_until_finished();
    kill(cluster.pid_of("node-3"), SIGKILL);
    CHECK(cluster.up().wait_for("was killed by signal 9 (Killed)"));
  }
  const auto summary = check_all_finished(cluster, 650);
  // A killed node takes its latest counts of placements with it.
  if (!kills_node)
    CHECK(summary["tasks"]["placed"] > summary["tasks"]["finished"]);
}

/// Machines 0 to 37 are closed from 2 s until 14 s, and 60 to 75 until 12 s.
bool is_closed(int machine, double at) {
  return (machine < 38 && at > 2 && at < 14) || (machine >= 60 && machine < 76 && at < 12);
}

void check_heeds_windows(const architecture& of, bool kills_node) {
  const scratch files;
  files.write("windows.csv", "start_s,end_s,machines\n2,14,0-37\n0,12,60-75\n");
  running_cluster cluster{of.with({"--once", "--set", "records=tasks", "--set",
                                   "cluster.windows=" + (files.path() / "windows.csv").string(),
                                   "--set", "workload.duration={value=0.5}", "--set",
                                   "workload.phases=[{length=\"15s\", rate=150}]"})};
  if (kills_node) {
    cluster.wait_until_finished();
    kill(cluster.pid_of("node-3"), SIGKILL);
    CHECK(cluster.up().wait_for("was killed by signal 9 (Killed)"));
  }
  check_all_finished(cluster, 1500);
  int against = 0;
  int used = 0;
  for (const auto& t : gzip_rows(cluster.here().path() / "cluster" / "results" / "tasks.csv.gz")) {
    if (t.at("started_s").empty())
      continue;
    const auto machine = std::stoi(t.at("machine"));
    const auto at = std::stod(t.at("started_s"));
    against += is_closed(machine, at) && is_closed(machine, at - 2); // else late by little
    used += machine < 38;
  }
  CHECK(against == 0);
  CHECK(used > 0);
}

void check_drains(const architecture& of) {
  running_cluster cluster{of.with({"--set", endless})};
  cluster.wait_until_finished();
  const auto asked = cluster.here().run({"drain", "node-3", "--wait"});
  CAPTURE(asked.err);
  CHECK(asked.code == 0);
  const auto node = cluster.node("node-3");
  CHECK(node["state"] == "draining");
  CHECK(node["tasks_running"] == 0);
  const auto launched = node["tasks_launched"];
  const auto before = cluster.workload()["finished"].get<int>();
  cluster.wait_until_finished(before + 200);
  CHECK(cluster.node("node-3")["tasks_launched"] == launched);
  kill(cluster.pid_of("node-3"), SIGTERM);
  CHECK(cluster.up().wait_for("node-3 has left"));
  cluster.up().send_signal(SIGINT);
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CAPTURE(end.out);
  CHECK(end.code == 128 + SIGINT);
  CHECK(cluster.none_is_left());
}

} // namespace

TEST_CASE("frameworks are offered machines of other nodes") {
  running_cluster cluster{two_level.with({"--once"})};
  const auto summary = check_all_finished(cluster, 1500);
  CHECK(summary["architecture"] == "two-level");
  CHECK(summary["offers"]["made"] > 0);
}

TEST_CASE("a two-level cluster loses no task with a node") {
  check_survives_kill(two_level, {});
}

TEST_CASE("a two-level cluster takes a node back that has died") {
  check_survives_kill(two_level, {"--restart"});
}

TEST_CASE("a two-level cluster drains a node") {
  check_drains(two_level);
}

TEST_CASE("a cluster whose tasks wait for others loses no task with a node") {
  check_survives_kill(with_stages, {});
}

TEST_CASE("a cluster whose gangs have reservations loses no task with a node") {
  const auto summary = check_survives_kill(with_reservations, {});
  const auto& measured = summary["parallel_jobs"];
  CHECK(measured["by_width"]["5-16"]["jobs"] == measured["jobs"]);
  CHECK(measured["jobs"].get<int>() > 0.9 * summary["jobs"]["finished"].get<int>());
  CHECK(measured["loss_of_capacity"].is_number());
}

TEST_CASE("a cluster whose schedulers choose the widths of jobs loses no task with a node") {
  const auto summary = check_survives_kill(with_widths, {});
  const auto& by_width = summary["parallel_jobs"]["by_width"];
  CHECK(by_width["17-64"]["jobs"].get<int>() > 0); // of 6 times 4
}

TEST_CASE("jobs of a log follow the ends of others in a cluster") {
  const scratch files;
  std::string log = "; MaxProcs: 24\n";
  for (int job = 1; job <= 30; ++job)
    log += std::to_string(job) + " 0 -1 1 2 -1 -1 2 2 -1 1 1 1 1 1 1 " +
           (job <= 10 ? "-1" : std::to_string(job - 10)) + " 1\n";
  files.write("log.swf", log);
  running_cluster cluster{{"--once", "--set", "workload.kind=trace", "--set",
                           "workload.file=" + (files.path() / "log.swf").string(), "--set",
                           "workload.trace.think_times=true", "--set", "workload.job_metrics=true",
                           "--set", "cluster.machines=16", "--set", "cluster.slots=4", "--set",
                           "duration=0s"}};
  const auto summary = check_all_finished(cluster, 59);
  CHECK(summary["parallel_jobs"]["jobs"] == 30);
  // Three jobs of 1 s one after the other, 1 s apart.
  CHECK(summary["parallel_jobs"]["makespan_s"].get<double>() > 5);
  CHECK(summary["parallel_jobs"]["makespan_s"].get<double>() < 15);
}

TEST_CASE("machines of other nodes leave, join and change as a trace says") {
  check_follows_trace({"parsync", {}}, true);
}

TEST_CASE("machines of other nodes that are probed leave, join and change as a trace says") {
  check_follows_trace(sparrow, true);
}

TEST_CASE("machines of a hybrid cluster leave, join and change as a trace says") {
  check_follows_trace(hybrid, false);
}

TEST_CASE("no task is started in a window of a machine of another node") {
  check_heeds_windows({"parsync", {}}, true);
}

TEST_CASE("no moldable job is started in a window of a machine of another node") {
  check_heeds_windows(with_widths, true);
}

TEST_CASE("frameworks use no machine of another node in its windows") {
  check_heeds_windows(two_level, false);
}

TEST_CASE("no task is started in a window of a machine of another node that is probed") {
  check_heeds_windows(sparrow, true);
}

TEST_CASE("no task is started in a window of a machine of a hybrid cluster") {
  check_heeds_windows(hybrid, false);
}

TEST_CASE("schedulers probe machines of other nodes") {
  running_cluster cluster{sparrow.with({"--once"})};
  const auto table = cluster.here().run({"nodes"});
  CHECK(table.out.find("scheduler,machine") != std::string::npos);
  CHECK(table.out.find("owner") == std::string::npos);
  const auto summary = check_all_finished(cluster, 1500);
  CHECK(summary["architecture"] == "sparrow");
  CHECK(summary["conflicts"] == 0);
}

TEST_CASE("a Sparrow cluster whose tasks wait for others loses no task with a node") {
  check_survives_kill(sparrow_with_stages, {});
}

TEST_CASE("a Sparrow cluster takes a node back that has died") {
  check_survives_kill(sparrow, {"--restart"});
}

TEST_CASE("a Sparrow cluster drains a node") {
  check_drains(sparrow);
}

TEST_CASE("a Sparrow cluster uses a node again that was drained and has died") {
  running_cluster cluster{sparrow.with({"--restart", "--set", endless})};
  cluster.wait_until_finished();
  const auto asked = cluster.here().run({"drain", "node-3", "--wait"});
  CAPTURE(asked.err);
  REQUIRE(asked.code == 0);
  const auto drained = cluster.pid_of("node-3");
  kill(drained, SIGKILL);
  CHECK(cluster.up().wait_for("was killed by signal 9 (Killed)"));
  CHECK(eventually([&] {
    const auto node = cluster.node("node-3");
    return node["pid"] != drained && node["state"] == "here" && node["tasks_launched"] > 0;
  }));
  cluster.up().send_signal(SIGINT);
  const auto end = cluster.up().wait();
  CAPTURE(end.err);
  CHECK(end.code == 128 + SIGINT);
  CHECK(cluster.none_is_left());
}

TEST_CASE("no task is lost with a node that has schedulers from a plugin that uses queues") {
  check_survives_kill(prober, {"--restart"});
}

TEST_CASE("machines of a trace leave and return for a plugin that uses queues") {
  check_follows_trace(prober, true);
}

TEST_CASE("a node is drained of the tasks of a plugin that uses queues") {
  check_drains(prober);
}

TEST_CASE("some schedulers place tasks, and others probe machines of other nodes") {
  running_cluster cluster{hybrid.with({"--once"})};
  const auto summary = check_all_finished(cluster, 1500);
  CHECK(summary["architecture"] == "hybrid");
  CHECK(summary["sparrow"]["started"] > 0);
  CHECK(summary["tasks"]["placed"] > summary["sparrow"]["started"]);
}

TEST_CASE("a hybrid cluster loses no task with a node") {
  check_survives_kill(hybrid, {});
}

TEST_CASE("a hybrid cluster takes a node back that has died") {
  check_survives_kill(hybrid, {"--restart"});
}

TEST_CASE("a hybrid cluster drains a node") {
  check_drains(hybrid);
}
