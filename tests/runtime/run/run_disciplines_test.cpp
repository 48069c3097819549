#include "runtime/prompt_log.hpp"
#include "runtime/recording.hpp"
#include "support/rigid_jobs.hpp"
#include "support/scratch_log.hpp"
#include "support/seeds.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace troupe;
using namespace troupe::test;
using troupe::testing::estimates;
using troupe::testing::random_rigid_jobs;

// Queue disciplines in whole runs.
namespace {

/// The starts of the jobs of a run, in ms.
std::vector<std::int64_t> starts_in(const std::string& toml,
                                    const std::vector<std::string>& overrides) {
  record_taker taker;
  const auto results = run(parse_settings(toml, "test.toml", overrides), taker);
  check_passed(results);
  std::map<job_id, std::int64_t> starts;
  for (const auto& j : taker.all.jobs)
    starts[j.job] = std::llround(to_seconds(j.at.first_placed) * 1e3);
  std::vector<std::int64_t> all;
  for (const auto& [_, at] : starts)
    all.push_back(at);
  return all;
}

constexpr std::pair<const char*, reference::discipline> disciplines[] = {
  {"fcfs", reference::discipline::fcfs},
  {"easy", reference::discipline::easy},
  {"conservative", reference::discipline::conservative}};

} // namespace

TEST_CASE("every job of a run starts within the second in which a plain scheduler starts it" *
          many_seeds) {
  for (std::uint64_t seed = 1; seed <= 50; seed += test::step_of_seeds(50)) {
    const auto how = seed % 2 == 0 ? estimates::over : estimates::exact;
    const auto processors = static_cast<std::int64_t>(8 + 7 * (seed % 6));
    const auto jobs = uneven(random_rigid_jobs(120, processors, how, seed), seed);
    const testing::scratch_log log{log_of(jobs, processors)};
    for (const auto& [ours, plain] : disciplines) {
      CAPTURE(seed);
      CAPTURE(std::string{ours});
      const auto expected = reference::starts_of(jobs, processors, plain);
      const auto starts = starts_in(prompt_cluster, {"workload.file=" + log.path(),
                                                     "cluster.trace.file=" + log.path(),
                                                     std::string{"scheduler.discipline="} + ours});
      REQUIRE(starts.size() == expected.size());
      std::int64_t most = 0;
      for (std::size_t j = 0; j < starts.size(); ++j)
        most = std::max(most, std::abs(starts[j] - expected[j]));
      CHECK(most < 20); // ms; a job that starts in another turn is off by seconds
    }
  }
}

TEST_CASE("a wide job is not overtaken without limit") {
  // 4 nodes; a job of all 4 comes while narrow ones keep coming.
  std::vector<reference::rigid_job> jobs{{0, 90'000, 90'000, 1}, {1'000, 60'000, 60'000, 4}};
  for (int i = 0; i < 24; ++i)
    jobs.push_back({2'000 + 20'000 * i, 80'000, 80'000, 1});
  const testing::scratch_log log{log_of(jobs, 4)};
  const auto start_under = [&](const std::string& discipline) {
    return starts_in(prompt_cluster,
                     {"workload.file=" + log.path(), "cluster.trace.file=" + log.path(),
                      "scheduler.discipline=" + discipline})
             .at(1) /
           1000;
  };
  CHECK(start_under("fit") > 500);
  CHECK(start_under("fcfs") == 90);
  CHECK(start_under("easy") == 90);
  CHECK(start_under("conservative") == 90);
}

TEST_CASE("a congested log comes to its end under each discipline, order and architecture") {
  const auto jobs = uneven(random_rigid_jobs(80, 24, estimates::both, 3), 3);
  const testing::scratch_log log{log_of(jobs, 24)};
  for (const std::string architecture : {"monolithic", "static", "parsync", "statesync"})
    for (const std::string discipline : {"fcfs", "easy", "conservative"})
      for (const std::string order : {"fcfs", "shortest", "widest", "multifactor"}) {
        CAPTURE(architecture);
        CAPTURE(discipline);
        CAPTURE(order);
        const auto results = run_text(
          two_scheduler_log, {"architecture=" + architecture, "workload.file=" + log.path(),
                              "cluster.trace.file=" + log.path(),
                              "scheduler.discipline=" + discipline, "scheduler.order=" + order});
        check_passed(results);
        const auto summary = summary_of(results);
        const auto impossible = summary.at("attempts").at("gangs").at("impossible").get<int>();
        CHECK((architecture == "static" || impossible == 0)); // half of the machines each
        CHECK(summary.at("jobs").at("finished").get<int>() + impossible == 80);
      }
}

TEST_CASE("tasks that are no gangs, tenants and single decisions per job keep to a discipline") {
  for (const std::string discipline : {"fcfs", "easy", "conservative"})
    for (const auto& more : std::vector<std::vector<std::string>>{
           {},
           {"scheduler.t_job=5ms"},
           {"scheduler.commit=all-or-nothing", "owner.detection=coarse"},
           {R"(tenants=[{name="x",max=0.4},{name="y",weight=3}])", "workload.tenant=x",
            "scheduler.order=multifactor"},
           {"workload.gang=true", "scheduler.max_empty_attempts=3"},
           {"workload.gang=true", "workload.spread=true", "workload.tasks_per_job={value=3}"}}) {
      CAPTURE(discipline);
      auto overrides = more;
      overrides.push_back("scheduler.discipline=" + discipline);
      overrides.push_back("duration=0s");
      const auto results = run_text(busy_config, overrides);
      check_passed(results);
      const auto summary = summary_of(results);
      CHECK(summary.at("tasks").at("submitted") ==
            summary.at("tasks").at("finished").get<int>() +
              summary.at("tasks").at("abandoned").get<int>());
    }
}

TEST_CASE("tasks that outlive their estimates are killed then, if that is asked for") {
  const std::vector<reference::rigid_job> jobs{{0, 50'000, 60'000, 2}, {1'000, 70'000, 30'000, 2}};
  const testing::scratch_log log{log_of(jobs, 4)};
  const std::vector<std::string> set{"workload.file=" + log.path(),
                                     "cluster.trace.file=" + log.path()};
  const auto lives = summary_of(run_text(prompt_cluster, set));
  CHECK(lives.at("jobs").at("finished") == 2);
  auto kills = set;
  kills.push_back("workload.kill_at_estimate=true");
  const auto results = run_text(prompt_cluster, kills);
  check_passed(results);
  const auto summary = summary_of(results);
  CHECK(summary.at("jobs").at("finished") == 1);
  CHECK(summary.at("jobs").at("failed") == 1);
  CHECK(summary.at("tasks").at("failed") == 2);
  CHECK(summary.at("job_response_s").at("max").get<double>() < 51);
}
