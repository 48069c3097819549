#include "model/metrics/run_sums.hpp"
#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/running.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

namespace {

/// Files of a trace that are gone when the test is over.
class traced {
public:
  traced() {
    static int count = 0;
    path_ = std::filesystem::path{TROUPE_BINARY_DIR} /
            ("traced-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~traced() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  traced(const traced&) = delete;
  traced& operator=(const traced&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream{path_ / name} << text;
    return (path_ / name).string();
  }

  std::string path() const { return path_.string(); }

private:
  std::filesystem::path path_;
};

/// 40 machines of which every fourth leaves after 5 s to 15 s and returns 10 s later, one joins
/// late, and every seventh loses half of what it has.
std::string machine_events() {
  std::string text;
  const auto at = [](int seconds) { return std::to_string((600 + seconds) * 1'000'000LL); };
  for (int m = 0; m < 40; ++m)
    text += "0," + std::to_string(m) + ",0,p,0.5,0.5\n";
  for (int s = 5; s < 16; ++s)
    text += at(s) + "," + std::to_string((s - 5) * 4 % 40) + ",1,p,0.5,0.5\n";
  text += at(16) + ",99,0,q,1,1\n";
  for (int m = 0; m < 40; m += 7)
    text += at(18) + "," + std::to_string(m) + ",2,p,0.25,0.5\n";
  for (int s = 20; s < 30; ++s)
    text += at(s) + "," + std::to_string((s - 20) * 4 % 40) + ",0,p,0.5,0.5\n";
  return text;
}

/// 200 jobs of two tasks each that take a quarter of a machine for 8 s. If some `spread`, every
/// fifth has its tasks on different machines.
std::string task_events(bool spread = true) {
  std::string rows[3];
  std::string text;
  for (int i = 0; i < 200; ++i) {
    const auto row = [&](double seconds, int task, int event) {
      return std::to_string(static_cast<long long>((600 + seconds) * 1e6)) + ",," +
             std::to_string(i + 1) + "," + std::to_string(task) + ",," + std::to_string(event) +
             ",u,0," + std::to_string(i % 3) + ",0.12,0.1,0," + (spread && i % 5 == 0 ? "1" : "0") +
             "\n";
    };
    for (int task : {0, 1}) {
      rows[0] += row(i * 0.1, task, 0);
      rows[0] += row(i * 0.1, task, 1);
      rows[2] += row(30 + i * 0.1, task, 4);
    }
  }
  return rows[0] + rows[2];
}

constexpr const char* settings = R"(
schedulers = 3
[cluster]
partitions = 6
owners = 2
unit = { cpu = 100, memory = 90 }
[workload]
kind = "trace"
[workload.trace]
duration_speedup = 4
)";

} // namespace

TEST_CASE("tasks of machines that leave run again, under every architecture") {
  const traced here;
  here.write("task_events.csv", task_events());
  here.write("machine_events.csv", machine_events());
  for (const std::string architecture :
       {"parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    const auto results =
      run_text(settings, {"architecture=" + architecture, "workload.file=" + here.path(),
                          "cluster.trace.file=" + here.path()});
    check_passed(results);
    CHECK(results.machines == 41);
    const auto summary = summary_of(results);
    const auto& tasks = summary.at("tasks");
    CHECK(tasks.at("submitted") == 400);
    CHECK(tasks.at("finished") == 400);
    CHECK(tasks.at("placed") > 400); // some were lost on the way
  }
}

TEST_CASE("machines follow their trace where failures are watched, too") {
  const traced here;
  here.write("task_events.csv", task_events());
  here.write("machine_events.csv", machine_events());
  for (const std::string architecture :
       {"parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    const auto results = run_text(
      settings, {"architecture=" + architecture, "workload.file=" + here.path(),
                 "cluster.trace.file=" + here.path(),
                 architecture == "sparrow"
                   ? "faults.at=[{kind='kill',target='machine.8',time='9s',duration='1s'}]"
                   : "faults.at=[{kind='kill',target='owner.0',time='9s',duration='1s'}]"});
    check_passed(results);
    CHECK(results.machines == 41);
    const auto summary = summary_of(results);
    const auto& tasks = summary.at("tasks");
    CHECK(tasks.at("submitted") == 400);
    CHECK(tasks.at("finished") == 400);
    CHECK(tasks.at("placed") > 400); // some were lost on the way
  }
}

TEST_CASE("tasks may prefer attributes that the machines of a trace have, and no others") {
  const traced here;
  here.write("task_events.csv", task_events());
  const auto machines = here.write("machine_events.csv", machine_events());
  const auto run_with = [&](const std::string& preference) {
    return run_text(settings, {"workload.file=" + here.path(), "cluster.trace.file=" + machines,
                               "workload.task_class=a",
                               "task_classes=[{name='a',prefers={'" + preference + "'=0.7}}]"});
  };
  check_passed(run_with("platform == q"));
  try {
    run_with("arch == x86_64");
    FAIL("it was not refused");
  } catch (const std::runtime_error& e) {
    CHECK(std::string{e.what()} ==
          "[[task_classes]] 'a' prefers \"arch == x86_64\", but no machine of " + machines +
            " has the attribute 'arch'; expected one that some machine has");
  }
}

TEST_CASE("a run with churn repeats to the byte") {
  const traced here;
  here.write("task_events.csv", task_events());
  here.write("machine_events.csv", machine_events());
  const std::vector<std::string> with{"workload.file=" + here.path(),
                                      "cluster.trace.file=" + here.path()};
  const auto one = run_text(settings, with);
  const auto two = run_text(settings, with);
  CHECK(summary_of(one) == summary_of(two));
  CHECK(timeseries_of(one) == timeseries_of(two));
}

TEST_CASE("tasks of a DAG start behind those that they wait for") {
  const traced here;
  // Three stages of 10 s, 20 s and 5 s; without dependencies the job would take 20 s.
  const auto file = here.write("batch_task.csv", "M1,4,j_1,1,Terminated,100,110,100,0.5\n"
                                                 "R2_1,2,j_1,1,Terminated,100,120,100,0.5\n"
                                                 "R3_2,1,j_1,1,Terminated,100,105,100,0.5\n");
  const auto results = run_text(R"(
schedulers = 2
[cluster]
machines = 4
partitions = 2
owners = 1
classes = [{ cpu = 8, memory = 16 }]
[workload]
kind = "trace"
trace.from = "100s"
)",
                                {"workload.file=" + file});
  check_passed(results);
  const auto summary = summary_of(results);
  CHECK(summary.at("tasks").at("finished") == 7);
  const double response = summary.at("job_response_s").at("mean");
  CHECK(response >= 35);
  CHECK(response < 36);
  // What waits for other tasks does not wait for a place.
  const auto all = results.sums->over_run().sample;
  CHECK(all.waited == doctest::Approx(all.delay.sum()).epsilon(1e-6));
}

TEST_CASE("what fits on no machine is abandoned") {
  const traced here;
  const auto file = here.write("batch_task.csv", "M1,4,j_1,1,Terminated,1,11,100,0.5\n"
                                                 "M1,1,j_2,1,Terminated,1,11,900,0.5\n");
  const auto results = run_text(R"(
schedulers = 2
[cluster]
machines = 4
partitions = 2
owners = 1
classes = [{ cpu = 8, memory = 16 }]
[workload]
kind = "trace"
)",
                                {"workload.file=" + file});
  check_passed(results);
  CHECK(summary_of(results).at("tasks").at("finished") == 4);
  CHECK(summary_of(results).at("tasks").at("abandoned") == 1);
}

TEST_CASE("schedulers that probe machines lose nothing with them, however they probe") {
  const traced here;
  here.write("machine_events.csv", machine_events());
  for (const std::string architecture : {"sparrow", "hybrid"})
    for (const std::string probing : {"late-binding", "batch", "per-task", "random"}) {
      here.write("task_events.csv", task_events(probing == "late-binding"));
      for (const std::string latency : {"0s", "400ms"}) { // messages cross changes
        CAPTURE(architecture);
        CAPTURE(probing);
        CAPTURE(latency);
        const auto results =
          run_text(settings, {"architecture=" + architecture, "sparrow.probing=" + probing,
                              "workload.file=" + here.path(), "cluster.trace.file=" + here.path(),
                              "network.latency=" + latency, "network.jitter=" + latency,
                              "hybrid.cutoff=7s", "workload.trace.duration_speedup=3"});
        check_passed(results);
        const auto summary = summary_of(results);
        CHECK(summary.at("tasks").at("finished") == 400);
        CHECK(summary.at("tasks").at("placed") > 400);
        CHECK(summary.at("utilization").at("max") <= 1);
      }
    }
}

TEST_CASE("a run with queues and churn repeats to the byte") {
  const traced here;
  here.write("task_events.csv", task_events());
  here.write("machine_events.csv", machine_events());
  const std::vector<std::string> with{"architecture=hybrid", "workload.file=" + here.path(),
                                      "cluster.trace.file=" + here.path()};
  CHECK(timeseries_of(run_text(settings, with)) == timeseries_of(run_text(settings, with)));
}

TEST_CASE("machines with queues may stay as they are at the beginning, and run stages") {
  const traced here;
  here.write("task_events.csv", task_events());
  here.write("machine_events.csv", machine_events());
  const auto still =
    run_text(settings, {"architecture=sparrow", "workload.file=" + here.path(),
                        "cluster.trace.file=" + here.path(), "cluster.trace.churn=false"});
  check_passed(still);
  CHECK(still.machines == 40);
  const auto dag = here.write("batch_task.csv", "M1,4,j_1,1,Terminated,1,11,100,0.5\n"
                                                "R2_1,2,j_1,1,Terminated,1,11,100,0.5\n");
  const auto staged =
    run_text(settings, {"architecture=sparrow", "workload.file=" + dag,
                        "cluster.trace.file=" + here.path(), "cluster.trace.churn=false"});
  check_passed(staged);
  const auto summary = summary_of(staged);
  CHECK(summary.at("tasks").at("finished") == 6);
  CHECK(summary.at("job_response_s").at("mean") >= 5); // the trace is four times as fast
}
