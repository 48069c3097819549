#include "report/json/parse_json.hpp"
#include "runtime/run/run.hpp"
#include "settings/toml/read.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

// Measures whole clusters in virtual time, each in its own process: time, tasks and messages per
// second, memory.

namespace troupe::bench {

namespace {

struct scenario {
  std::string name;
  std::string config; ///< path below configs/
  std::vector<std::string> overrides;
};

std::vector<scenario> scenarios() {
  const std::string e2 = "experiments/e2/";
  return {
    {"E2 latency-first", e2 + "latency-first.toml", {}},
    {"E2 quality-first", e2 + "quality-first.toml", {}},
    {"E2 adaptive", e2 + "adaptive.toml", {}},
    {"E2 statesync", e2 + "statesync.toml", {}},
    // The same slots and tasks on a hundredth of the machine actors, to show the cost of size.
    {"E2 latency-first, 1,000 machines",
     e2 + "latency-first.toml",
     {"cluster.machines=1000", "cluster.slots=200"}},
    // Ten times as many machines, schedulers and tasks per second.
    {"E2 latency-first, 1,000,000 machines",
     e2 + "latency-first.toml",
     {"cluster.machines=1000000", "cluster.partitions=1000", "cluster.owners=200", "schedulers=200",
      "duration=30s"}},
    {"S1", "bench/s1.toml", {}},
    {"S3", "bench/s3.toml", {}},
    {"Sparrow", "bench/sparrow.toml", {}},
    {"Sparrow, per-task sampling", "bench/sparrow.toml", {"sparrow.probing=per-task"}},
  };
}

class silent_monitor final : public run_monitor {
public:
  void progress(const run_progress&) override {}
  bool stop_requested() override { return false; }
};

nlohmann::ordered_json measure(const scenario& s, const std::filesystem::path& configs) {
  silent_monitor monitor;
  const auto results = run(read_settings(configs / s.config, s.overrides), monitor);
  task_counts tasks;
  for (const auto& interval : results.series)
    tasks += interval.sample.tasks;
  bool passed = true;
  for (const auto& check : results.checks)
    passed = passed && check.passed;
  const double wall = results.host.wall_seconds;
  const auto placed = static_cast<double>(tasks.placed);
  return {{"name", s.name},
          {"machines", results.machines},
          {"tasks", tasks.placed},
          {"simulated_s", to_seconds(results.simulated)},
          {"wall_s", wall},
          {"cpu_s", results.host.cpu_seconds},
          {"tasks_per_s", placed / wall},
          {"us_per_task", wall * 1e6 / placed},
          {"messages", results.messages},
          {"messages_per_task", static_cast<double>(results.messages) / placed},
          {"messages_per_s", static_cast<double>(results.messages) / wall},
          {"peak_memory_mib", static_cast<double>(results.host.peak_memory_bytes) / (1 << 20)},
          {"self_checks_passed", passed}};
}

/// Measures in a child process, so that its memory is measured alone.
nlohmann::ordered_json measure_apart(const scenario& s, const std::filesystem::path& configs) {
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("no pipe to the child process");
  std::fflush(nullptr);
  const auto child = fork();
  if (child < 0)
    throw std::runtime_error("no child process");
  if (child == 0) {
    close(ends[0]);
    int status = 1;
    try {
      const auto text = measure(s, configs).dump();
      status =
        write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", s.name.c_str(), e.what());
    }
    _exit(status);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0)
    throw std::runtime_error(s.name + " has failed");
  return parse_json(text);
}

void print(const nlohmann::ordered_json& m) {
  std::printf("%-36s %9lld %7.2f s %9.0f/s %6.2f us %5.2f %5.0f MiB%s\n",
              m["name"].get<std::string>().c_str(), m["tasks"].get<long long>(),
              m["wall_s"].get<double>(), m["tasks_per_s"].get<double>(),
              m["us_per_task"].get<double>(), m["messages_per_task"].get<double>(),
              m["peak_memory_mib"].get<double>(),
              m["self_checks_passed"].get<bool>() ? "" : "  SELF-CHECK FAILED");
  std::fflush(stdout);
}

int run_all(const std::filesystem::path& configs, const std::string& only,
            const std::filesystem::path& out) {
  std::printf("%-36s %9s %9s %11s %9s %5s %9s\n", "", "tasks", "wall", "tasks/s", "per task",
              "msgs", "memory");
  nlohmann::ordered_json report = nlohmann::ordered_json::array();
  bool passed = true;
  for (const auto& s : scenarios()) {
    if (!only.empty() && s.name.find(only) == std::string::npos)
      continue;
    report.push_back(measure_apart(s, configs));
    passed = passed && report.back()["self_checks_passed"].get<bool>();
    print(report.back());
  }
  if (!out.empty()) {
    std::filesystem::create_directories(out);
    std::ofstream{out / "cluster.json"} << report.dump(2) << '\n';
  }
  return passed ? 0 : 1;
}

} // namespace

} // namespace troupe::bench

int main(int argc, char** argv) {
  CLI::App app{"Whole clusters in virtual time: time, tasks and messages per second, memory"};
  std::filesystem::path configs = TROUPE_CONFIGS;
  std::filesystem::path out;
  std::string only;
  app.add_option("--configs", configs, "Directory of the configurations");
  app.add_option("--only", only, "Run only the scenarios with this in their name");
  app.add_option("--out", out, "Directory to write cluster.json to");
  CLI11_PARSE(app, argc, argv);
  try {
    return troupe::bench::run_all(configs, only, out);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cluster_bench: %s\n", e.what());
    return 1;
  }
}
