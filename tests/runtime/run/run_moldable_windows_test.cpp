#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/moldable_log.hpp"
#include "runtime/prompt_log.hpp"
#include "support/reference_moldable_windows.hpp"
#include "support/rigid_jobs.hpp"
#include "support/scratch_log.hpp"
#include "support/scratch_windows.hpp"
#include "support/seeds.hpp"

#include <cmath>

using namespace troupe;
using namespace troupe::test;
using troupe::testing::estimates;
using troupe::testing::random_parts;
using troupe::testing::random_rigid_jobs;
using troupe::testing::scratch_windows;

// Moldable jobs on machines with windows in whole runs.

TEST_CASE("with windows, moldable jobs of a run start as a plain scheduler starts them" *
          many_seeds) {
  std::size_t others = 0;
  for (std::uint64_t seed = 1; seed <= 15; seed += test::step_of_seeds(15)) {
    const auto how = seed % 2 == 0 ? estimates::over : estimates::exact;
    const auto processors = static_cast<std::int64_t>(8 + 7 * (seed % 6));
    auto jobs = uneven(random_rigid_jobs(80, processors, how, seed), seed);
    const auto parts = random_parts(jobs, processors, seed);
    for (auto& j : jobs)
      j.tenant = 0;
    const testing::scratch_log log{log_of(jobs, processors)};
    const scratch_windows windows{testing::windows_text(parts, "x")};
    const auto with_widths = with_four_widths(jobs);
    for (const auto& [ours, plain] : moldable_disciplines)
      for (const auto& [by, plain_rule] : moldable_rules) {
        CAPTURE(seed);
        CAPTURE(std::string{ours});
        CAPTURE(std::string{by});
        const auto expected =
          reference::moldable_parts{with_widths, parts, plain, plain_rule}.starts();
        auto overrides = moldable_log(log.path(), ours, by);
        overrides.push_back("cluster.windows=" + windows.path());
        overrides.push_back(R"(tenants=[{name="y"},{name="x"}])");
        const auto records = job_records_of(prompt_cluster, overrides);
        REQUIRE(records.size() == expected.size());
        std::size_t j = 0;
        for (const auto& [_, r] : records) {
          CAPTURE(j);
          CHECK(r.tasks == expected[j].processors);
          CHECK(std::abs(to_seconds(r.at.first_placed) * 1e3 -
                         static_cast<double>(expected[j].at)) < 20);
          others += r.tasks != r.requested;
          ++j;
        }
      }
  }
  CHECK(others > 0);
}

TEST_CASE("moldable jobs come to their end on machines with windows, in each architecture" *
          many_seeds) {
  const auto jobs = uneven(random_rigid_jobs(80, 24, estimates::both, 3), 3);
  const testing::scratch_log log{log_of(jobs, 24)};
  // Maintenance of a partition and of single machines, and a reservation, in a log of an hour.
  const scratch_windows windows{"start_s,end_s,partitions,machines,tenant\n"
                                "300,1200,1,,\n900,1500,,0-5,\n2000,2300,0-1,,\n"
                                "1000,3000,,6-9,x\n"};
  std::uint64_t number = 0;
  for (const std::string architecture : {"monolithic", "static", "parsync", "statesync"})
    for (const std::string discipline : {"fcfs", "easy", "conservative"})
      for (const std::string width : {"available", "earliest-finish"})
        for (const std::string more :
             {"scheduler.order=fcfs", "failures.watch=on", "workload.kill_at_estimate=true",
              "workload.moldable.share=0.5"}) {
          // Of the last four, another one each time.
          const auto turn = number + number / 4;
          ++number;
          if (turn % test::step_of_seeds(96) != 0)
            continue;
          CAPTURE(architecture);
          CAPTURE(discipline);
          CAPTURE(width);
          CAPTURE(more);
          auto overrides = moldable_log(log.path(), discipline, width);
          overrides.push_back("architecture=" + architecture);
          overrides.push_back("cluster.windows=" + windows.path());
          overrides.push_back(R"(tenants=[{name="y"},{name="x"}])");
          overrides.push_back(more);
          const auto made = run_recorded(two_scheduler_log, overrides, "jobs");
          check_passed(made.results);
          const auto summary = summary_of(made.results);
          const auto& of_jobs = summary.at("jobs");
          CHECK(of_jobs.at("finished").get<int>() + of_jobs.at("failed").get<int>() +
                  of_jobs.at("abandoned").get<int>() ==
                80);
          std::size_t others = 0;
          for (const auto& j : made.records.jobs)
            others += j.tasks != j.requested;
          CHECK(others > 0);
        }
}
