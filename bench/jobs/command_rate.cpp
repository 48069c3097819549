#include "jobs/command_rate.hpp"

#include "jobs/job_client.hpp"
#include "jobs/quantiles.hpp"
#include "jobs/store/sqlite_database.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace troupe::trials {

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
constexpr double ms_per_s = 1'000;
constexpr double ns_per_ms = 1e6;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

json job_of(std::uint32_t count, double cpu) {
  const json group{{"name", "g"}, {"command", {"true"}}, {"count", count}, {"cpu", cpu}};
  return {{"groups", {group}}};
}

/// Runs a program and returns its rate, or nothing if it cannot be run.
std::optional<double> rate_of(const std::filesystem::path& directory, std::uint32_t commands,
                              const std::string& script) {
  const auto begin = clock::now();
  if (!output_of(directory, {"sh", "-c", script}))
    return std::nullopt;
  return commands / seconds_since(begin);
}

} // namespace

rate_figures measure_rate(const jobs_plan& plan, const rate_plan& rate) {
  rate_figures figures;
  std::vector<std::uint64_t> singles;
  {
    trial_cluster cluster{job_cluster(plan)};
    cluster.start();
    wait_for_api(cluster);
    job_client at{api_of(cluster)};
    at.wait(at.submit(job_of(1, 1))); // machines have joined
    for (std::uint32_t i = 0; i < rate.singles; ++i) {
      const auto begin = clock::now();
      singles.push_back(at.submit(job_of(1, 1)));
      at.wait(singles.back());
      figures.end_ms.push_back(seconds_since(begin) * ms_per_s);
    }
    for (const auto cpu : rate.cpus) {
      const auto begin = clock::now();
      at.wait(at.submit(job_of(rate.commands, cpu)));
      figures.commands_per_s.push_back(rate.commands / seconds_since(begin));
    }
  }
  sqlite_database store{store_in(plan.directory)};
  for (const auto job : singles) {
    const auto row = store.job(job);
    const auto attempts = store.attempts(job, 0);
    if (row && attempts.size() == 1)
      figures.start_ms.push_back(static_cast<double>(attempts[0].end.started_ns) / ns_per_ms -
                                 static_cast<double>(row->submitted_ms));
  }
  std::ranges::sort(figures.start_ms);
  std::ranges::sort(figures.end_ms);
  return figures;
}

std::vector<other_runner> measure_others(const std::filesystem::path& directory,
                                         std::uint32_t commands) {
  const auto n = std::to_string(commands);
  const auto cores = std::to_string(std::thread::hardware_concurrency());
  const std::pair<const char*, std::string> runners[] = {
    {"xargs", "seq " + n + " | xargs -P " + cores + " -I{} true {}"},
    {"GNU parallel", "seq " + n + " | parallel --will-cite -j " + cores + " true"}};
  std::vector<other_runner> found;
  for (const auto& [name, script] : runners)
    if (const auto rate = rate_of(directory, commands, script))
      found.push_back({name, *rate});
  return found;
}

} // namespace troupe::trials
