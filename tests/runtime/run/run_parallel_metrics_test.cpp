#include "runtime/prompt_log.hpp"
#include "runtime/recording.hpp"
#include "support/rigid_jobs.hpp"
#include "support/scratch_log.hpp"

#include <numeric>

using namespace troupe;
using namespace troupe::test;
using troupe::testing::estimates;
using troupe::testing::random_rigid_jobs;

// The metrics of parallel jobs in whole runs.
namespace {

/// The same metrics from the starts of jobs, worked out from the definitions.
struct plain_metrics {
  double wait = 0;
  double slowdown = 0;
  double makespan = 0;
  double busy = 0;
  double lost = 0;
  double idle_while_waiting = 0;
};

plain_metrics metrics_of(const std::vector<reference::rigid_job>& jobs,
                         const std::vector<std::int64_t>& starts, std::int64_t processors) {
  plain_metrics m;
  std::vector<std::int64_t> events;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto end = starts[j] + jobs[j].runtime;
    events.insert(events.end(), {jobs[j].submitted, starts[j], end});
    const auto response = static_cast<double>(end - jobs[j].submitted);
    const auto run = static_cast<double>(jobs[j].runtime);
    m.wait += (response - run) / 1e3;
    m.slowdown += std::max(1.0, response / std::max(run, 10e3));
  }
  m.wait /= static_cast<double>(jobs.size());
  m.slowdown /= static_cast<double>(jobs.size());
  std::ranges::sort(events);
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    const auto now = events[i];
    auto idle = processors;
    bool any_waits = false;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (starts[j] <= now && now < starts[j] + jobs[j].runtime)
        idle -= jobs[j].processors;
      any_waits = any_waits || (jobs[j].submitted <= now && now < starts[j]);
    }
    bool fits = false;
    for (std::size_t j = 0; j < jobs.size(); ++j)
      fits = fits || (jobs[j].submitted <= now && now < starts[j] && jobs[j].processors <= idle);
    const auto time = static_cast<double>(events[i + 1] - now);
    m.busy += static_cast<double>(processors - idle) * time;
    m.lost += fits ? static_cast<double>(idle) * time : 0;
    m.idle_while_waiting += any_waits ? static_cast<double>(idle) * time : 0;
  }
  m.makespan = static_cast<double>(events.back() - events.front());
  for (auto* share : {&m.busy, &m.lost, &m.idle_while_waiting})
    *share /= m.makespan * static_cast<double>(processors);
  m.makespan /= 1e3;
  return m;
}

nlohmann::ordered_json parallel_of(const std::string& log, std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"workload.file=" + log, "cluster.trace.file=" + log});
  const auto results = run_text(prompt_cluster, overrides);
  check_passed(results);
  return summary_of(results).at("parallel_jobs");
}

} // namespace

TEST_CASE("the metrics of parallel jobs are those of plain schedulers' starts") {
  constexpr std::pair<const char*, reference::discipline> all[] = {
    {"fcfs", reference::discipline::fcfs},
    {"easy", reference::discipline::easy},
    {"conservative", reference::discipline::conservative}};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto jobs = uneven(random_rigid_jobs(120, 30, estimates::over, seed), seed);
    const testing::scratch_log log{log_of(jobs, 30)};
    for (const auto& [ours, plain] : all) {
      CAPTURE(seed);
      CAPTURE(std::string{ours});
      const auto m = metrics_of(jobs, reference::starts_of(jobs, 30, plain), 30);
      const auto found = parallel_of(log.path(), {std::string{"scheduler.discipline="} + ours});
      const auto is = [&](const char* path, double value, double within) {
        CAPTURE(std::string{path});
        CAPTURE(value);
        const auto x = found.at(nlohmann::json::json_pointer(path)).get<double>();
        CHECK(std::abs(x - value) <= within);
      };
      CHECK(found.at("jobs") == 120);
      CHECK(found.at("open") == 0);
      CHECK(found.at("processors") == 30);
      is("/wait_s/mean", m.wait, 0.02);
      is("/bounded_slowdown/mean", m.slowdown, 0.002 * m.slowdown);
      is("/makespan_s", m.makespan, 0.05);
      is("/processor_utilization", m.busy, 0.001);
      is("/loss_of_capacity", m.lost, 0.001);
      is("/idle_while_waiting", m.idle_while_waiting, 0.001);
      std::uint64_t by_width = 0;
      for (const auto& [_, of] : found.at("by_width").items())
        by_width += of.at("jobs").get<std::uint64_t>();
      CHECK(by_width == 120);
    }
  }
}

TEST_CASE("jobs are measured with a discipline, or if a workload asks for it, and not else") {
  const auto jobs = uneven(random_rigid_jobs(40, 10, estimates::exact, 1), 1);
  const testing::scratch_log log{log_of(jobs, 10)};
  const std::vector<std::string> set{"workload.file=" + log.path(),
                                     "cluster.trace.file=" + log.path(), "records=none"};
  const auto with = [&](const std::string& more) {
    auto overrides = set;
    overrides.push_back(more);
    return summary_of(run_text(prompt_cluster, overrides));
  };
  const auto plain = summary_of(run_text(prompt_cluster, set));
  CHECK_FALSE(plain.contains("parallel_jobs"));
  auto measured = with("workload.job_metrics=true");
  CHECK(measured.at("parallel_jobs").at("jobs") == 40);
  CHECK(with("scheduler.discipline=fcfs").at("parallel_jobs").at("jobs") == 40);
  measured.erase("parallel_jobs"); // it changes nothing else
  CHECK(measured == plain);
}

TEST_CASE("jobs of every architecture are measured, with and without failures") {
  for (const std::string architecture :
       {"parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid"})
    for (const bool fails : {false, true}) {
      CAPTURE(architecture);
      CAPTURE(fails);
      std::vector<std::string> overrides{"architecture=" + architecture, "duration=0s",
                                         "workload.job_metrics=true"};
      if (architecture == "monolithic")
        overrides.push_back("schedulers=1");
      if (fails)
        overrides.push_back(R"(faults.at=[{kind="kill",target="machine.3",time="2s"}])");
      const auto results = run_text(busy_config, overrides);
      check_passed(results);
      const auto summary = summary_of(results);
      const auto& of = summary.at("parallel_jobs");
      const auto over = summary.at("jobs").at("finished").get<std::uint64_t>() +
                        summary.at("jobs").at("failed").get<std::uint64_t>();
      CHECK(over > 50);
      CHECK(of.at("jobs") == over);
      CHECK(of.at("open") == 0);
      CHECK(of.at("loss_of_capacity").is_null()); // jobs of three tasks that are no gangs
      CHECK(of.at("by_width").at("2-4").at("jobs") == over);
      CHECK(of.at("response_s").at("mean").get<double>() >=
            of.at("wait_s").at("mean").get<double>());
    }
}
