#include "runtime/moldable_log.hpp"
#include "runtime/prompt_log.hpp"
#include "support/rigid_jobs.hpp"
#include "support/scratch_log.hpp"
#include "support/seeds.hpp"

#include <cmath>

using namespace troupe;
using namespace troupe::test;
using troupe::testing::estimates;
using troupe::testing::random_rigid_jobs;

// Moldable jobs in whole runs.

TEST_CASE(
  "moldable jobs of a run start as a plain scheduler starts them, as wide, and end in time" *
  many_seeds) {
  std::size_t others = 0;
  for (std::uint64_t seed = 1; seed <= 20; seed += test::step_of_seeds(20)) {
    const auto how = seed % 2 == 0 ? estimates::over : estimates::exact;
    const auto processors = static_cast<std::int64_t>(8 + 7 * (seed % 6));
    const auto jobs = uneven(random_rigid_jobs(80, processors, how, seed), seed);
    const testing::scratch_log log{log_of(jobs, processors)};
    for (const auto& [ours, plain] : moldable_disciplines)
      for (const auto& [by, plain_rule] : moldable_rules) {
        CAPTURE(seed);
        CAPTURE(std::string{ours});
        CAPTURE(std::string{by});
        const auto with_widths = with_four_widths(jobs);
        const auto expected =
          reference::moldable_pool{with_widths, processors, plain, plain_rule}.starts();
        const auto records = job_records_of(prompt_cluster, moldable_log(log.path(), ours, by));
        REQUIRE(records.size() == expected.size());
        std::size_t j = 0;
        for (const auto& [_, r] : records) {
          CAPTURE(j);
          CHECK(r.tasks == expected[j].processors);
          CHECK(r.requested == jobs[j].processors);
          CHECK(std::abs(to_seconds(r.at.first_placed) * 1e3 -
                         static_cast<double>(expected[j].at)) < 20);
          for (const auto& w : with_widths[j].widths)
            if (w.processors == r.tasks)
              CHECK(std::abs(to_seconds(r.at.ended - r.at.first_placed) * 1e3 -
                             static_cast<double>(w.runtime)) < 20);
          others += r.tasks != r.requested;
          ++j;
        }
      }
  }
  CHECK(others > 1000 / test::step_of_seeds(20));
}

TEST_CASE("jobs run as rigid ones if the scheduler chooses the requested width") {
  const auto jobs = uneven(random_rigid_jobs(80, 24, estimates::over, 4), 4);
  const testing::scratch_log log{log_of(jobs, 24)};
  const auto with =
    summary_of(run_text(prompt_cluster, moldable_log(log.path(), "easy", "requested")));
  const auto without = summary_of(
    run_text(prompt_cluster, {"workload.file=" + log.path(), "cluster.trace.file=" + log.path(),
                              "scheduler.discipline=easy"}));
  CHECK(with.at("tasks") == without.at("tasks"));
  CHECK(with.at("job_response_s") == without.at("job_response_s"));
}

TEST_CASE("moldable jobs come to their end under each discipline, rule and architecture" *
          many_seeds) {
  const auto jobs = uneven(random_rigid_jobs(80, 24, estimates::both, 3), 3);
  const testing::scratch_log log{log_of(jobs, 24)};
  std::uint64_t number = 0;
  for (const std::string architecture : {"monolithic", "static", "parsync", "statesync"})
    for (const std::string discipline : {"fcfs", "easy", "conservative"})
      for (const std::string width : {"available", "earliest-finish"})
        for (const std::string more :
             {"scheduler.order=fcfs", "scheduler.order=multifactor", "failures.watch=on",
              "workload.kill_at_estimate=true", "scheduler.commit=all-or-nothing",
              R"(tenants=[{name="x",max=0.4},{name="y"}])", "workload.moldable.share=0.5"}) {
          if (more != "scheduler.order=fcfs" &&
              (discipline == "fcfs" || (architecture != "parsync" && architecture != "static")))
            continue;
          if (number++ % test::step_of_seeds(72) != 0)
            continue;
          CAPTURE(architecture);
          CAPTURE(discipline);
          CAPTURE(width);
          CAPTURE(more);
          auto overrides = moldable_log(log.path(), discipline, width);
          overrides.push_back("architecture=" + architecture);
          overrides.push_back(more);
          const auto results = run_text(two_scheduler_log, overrides);
          check_passed(results);
          const auto summary = summary_of(results);
          const auto& of_jobs = summary.at("jobs");
          CHECK(of_jobs.at("finished").get<int>() + of_jobs.at("failed").get<int>() +
                  of_jobs.at("abandoned").get<int>() ==
                80);
        }
}
