#include "jobs/replay.hpp"

#include "failures/fault_row.hpp"
#include "jobs/job_client.hpp"
#include "jobs/store/sqlite_database.hpp"
#include "model/records/records.hpp"
#include "report/records/record_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

namespace troupe::trials {

namespace {

using clock = std::chrono::steady_clock;
using nlohmann::json;
constexpr double ms_in_s = 1'000;
constexpr double ns_in_s = 1e9;
/// Between the first job and those that are recorded.
constexpr std::chrono::seconds unrecorded{12};

struct planned_job {
  double at_s = 0;
  json body;
  std::size_t tasks = 0;
};

/// Jobs at random instants, whose commands keep so many cores busy on average.
std::vector<planned_job> draw_jobs(const replay_plan& plan, double cores) {
  std::mt19937_64 random{plan.seed};
  const auto between = [&](double from, double to) {
    return std::uniform_real_distribution<double>{from, to}(random);
  };
  const auto shortest = std::chrono::duration<double>(plan.shortest).count();
  const auto longest = std::chrono::duration<double>(plan.longest).count();
  const auto mean_tasks = (1 + plan.most_tasks) / 2;
  const auto jobs_per_s = plan.load * cores / (mean_tasks * (shortest + longest) / 2);
  std::vector<planned_job> jobs;
  for (double at = 0; at < static_cast<double>(plan.length.count());
       at += std::exponential_distribution<double>{jobs_per_s}(random)) {
    const bool gang = plan.gang_every > 0 && (jobs.size() + 1) % plan.gang_every == 0;
    const auto most = gang ? std::min(cores, plan.most_tasks) : plan.most_tasks;
    const auto tasks = static_cast<std::size_t>(between(1, most + 1));
    std::string script = "case $TROUPE_TASK in ";
    for (std::size_t t = 0; t < tasks; ++t)
      script += fmt::format("{}) exec sleep {:.3f};; ", t, between(shortest, longest));
    jobs.push_back({at,
                    {{"groups",
                      {{{"name", "g"},
                        {"command", {"sh", "-c", script + "esac"}},
                        {"count", tasks},
                        {"cpu", 1},
                        {"gang", gang}}}}},
                    tasks});
  }
  return jobs;
}

/// The delays of the tasks of jobs in the store of a cluster.
std::vector<double> delays_in(const std::filesystem::path& file,
                              const std::vector<std::uint64_t>& jobs) {
  sqlite_database store{file};
  std::vector<double> delays;
  for (const auto job : jobs) {
    const auto row = store.job(job);
    if (!row)
      throw std::runtime_error("a job is not in the store");
    for (std::uint32_t task = 0; task < row->tasks; ++task) {
      const auto attempts = store.attempts(job, task);
      if (attempts.size() != 1)
        throw std::runtime_error("a task has not run once");
      delays.push_back(static_cast<double>(attempts[0].end.started_ns) / ns_in_s -
                       static_cast<double>(row->submitted_ms) / ms_in_s);
    }
  }
  std::ranges::sort(delays);
  return delays;
}

/// The delays of the tasks in the records of a run.
std::vector<double> delays_of_run(const std::filesystem::path& directory) {
  record_reader in{directory / "tasks.csv.gz"};
  const auto state = in.column("state");
  const auto submitted = in.column("submitted_s");
  const auto started = in.column("started_s");
  std::vector<double> delays;
  while (in.next())
    if (in.text(state) == name_of(record_state::finished))
      delays.push_back(in.number(started) - in.number(submitted));
  std::ranges::sort(delays);
  return delays;
}

} // namespace

double replayed_figure::deviation() const {
  return cluster == 0 || runs.empty() ? 0 : runs[runs.size() / 2] / cluster - 1;
}

bool replayed_figure::agrees(double part) const {
  return !runs.empty() && std::abs(deviation()) <= part;
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                            static_cast<double>(values.size());
}

replay_figures try_replay(const jobs_plan& plan, const replay_plan& replay) {
  replay_figures figures;
  std::vector<std::uint64_t> numbers;
  const auto past = plan.directory / "past";
  {
    trial_cluster cluster{job_cluster(plan)};
    cluster.start();
    wait_for_api(cluster);
    job_client client{api_of(cluster)};
    cluster.wait_for("all machines have joined", [&] {
      const auto status = cluster.status();
      return status.is_object() && status["machines"]["here"] == plan.machines;
    });
    client.wait(client.submit(draw_jobs(replay, 1).front().body)); // a first one is not recorded
    const auto cores = plan.machines * std::thread::hardware_concurrency();
    const auto begin = clock::now() + unrecorded;
    for (const auto& job : draw_jobs(replay, cores)) {
      std::this_thread::sleep_until(begin + std::chrono::duration_cast<clock::duration>(
                                              std::chrono::duration<double>(job.at_s)));
      numbers.push_back(client.submit(job.body));
      figures.tasks += job.tasks;
    }
    figures.jobs = numbers.size();
    for (const auto job : numbers)
      client.wait(job);
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(
      clock::now() - begin + unrecorded - std::chrono::seconds{1});
    const auto told =
      run_client(cluster, {"record", "--last", std::to_string(since.count()) + "ms", "--out",
                           past.string(), "--config", plan.config.string(), "--json"});
    if (!told)
      throw std::runtime_error("the cluster cannot be recorded");
    figures.recorded = json::parse(*told)["tasks"];
  }
  figures.delays = delays_in(store_in(plan.directory), numbers);
  figures.replayed = figures.tasks;
  for (unsigned seed = 1; seed <= replay.runs; ++seed) {
    const auto out = plan.directory / fmt::format("replay-{}", seed);
    if (!output_of(plan.directory,
                   {plan.troupe.string(), "run", (past / "run.toml").string(), "--quiet", "--seed",
                    std::to_string(seed), "--records", "tasks", "--out", out.string()}))
      throw std::runtime_error("the recording cannot be replayed");
    figures.replayed_delays.push_back(delays_of_run(out));
    figures.replayed =
      std::min<std::uint64_t>(figures.replayed, figures.replayed_delays.back().size());
  }
  return figures;
}

} // namespace troupe::trials
