#include "report/sample_results.hpp"
#include "report/summary/summary_json.hpp"
#include "report/summary/summary_table.hpp"
#include "report/text/text.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>
#include <string>

using namespace troupe;

namespace {

std::string table_of(const run_results& results) {
  std::ostringstream out;
  write_summary(out, results);
  return out.str();
}

void check_width(const std::string& text) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    CHECK_MESSAGE(columns(line) <= 80, line);
}

} // namespace

TEST_CASE("the table tells how each of several resources was used") {
  auto results = sample_results();
  CHECK(table_of(results).find("Resources") == std::string::npos);
  for (auto& record : results.series)
    record.resources[0] = {100, 20, 8};
  CHECK(
    table_of(results).find("Resources           cpu 20.0 % in use, 10.0 % of the rest stranded\n"
                           "                    slots 62.5 % in use, 6.67 % of the rest "
                           "stranded\n") != std::string::npos);
}

TEST_CASE("the table of the sample") {
  CHECK(table_of(sample_results()) ==
        R"(Run                 sample: parsync, quality-first+latency-first, virtual time,
                    seed 7
Cluster             1,000 machines, 3 schedulers in 2 groups
Time                2.00 s simulated in 500 ms, 4 times real time

                       submitted      placed    finished      queued     running
Tasks                         15          14           7           0           4
Jobs                           3                       1
Other tasks         1 in commit, 2 failed, 1 lost, 1 abandoned

                            mean         p50         p90         p99         max
Scheduling delay          1.14 s      507 ms      2.00 s      2.00 s      2.00 s
Job response              2.00 s      2.00 s      2.00 s      2.00 s      2.00 s

Conflicts           7, 50.0 % of the placements: 3 taken, 4 changed
Quality             mean 2.00, standard deviation 0.816
Utilization         mean 62.5 %, max 75.0 %
View staleness      mean 375 ms, from 125 ms to 750 ms
Messages            1,234,567

Phase          Group           Placed Conflicts    Delay      p99 Quality In use
0-1 s          a                    8    25.0 %   500 ms   500 ms    2.00 50.0 %
0-1 s          b                    0         -        -        -       - 50.0 %
1-2 s          a                    6    83.3 %   2.00 s   2.00 s    2.00 75.0 %
1-2 s          b                    0         -        -        -       - 75.0 %

Self-checks
  PASS  tasks balance: 1,000 submitted
  FAIL  no machine over capacity
)");
}

TEST_CASE("the table says what still waits, and which figures are lower bounds") {
  auto results = sample_results();
  results.series[2].sample.waiting.add(4, 10);
  results.series[2].sample.given_up.add(3, 2);
  results.series[2].sample.open_jobs.add(8, 3);
  results.series[2].sample.jobs_failed = 5;
  const auto text = table_of(results);
  CAPTURE(text);
  const auto tells = [&](std::string_view what) { return text.find(what) != std::string::npos; };
  CHECK(
    tells("Scheduling delay        ≥ 2.46 s      2.00 s    ≥ 4.00 s    ≥ 4.00 s    ≥ 4.00 s\n"));
  CHECK(
    tells("Job response            ≥ 6.50 s    ≥ 8.00 s    ≥ 8.00 s    ≥ 8.00 s    ≥ 8.00 s\n"));
  CHECK(tells("Tasks not placed    10 wait, for 4.00 s in the mean, 4.00 s at most; 2 were"));
  CHECK(tells("Jobs not finished   3 are open, for 8.00 s in the mean, 8.00 s at most (included"));
  CHECK(tells("Other jobs          5 failed\n"));
  check_width(text);
}

TEST_CASE("one phase and one group need no rows of their own") {
  auto results = sample_results();
  results.groups.resize(1);
  results.phases.resize(1);
  const auto text = table_of(results);
  CHECK(text.find("Phase") == std::string::npos);
  CHECK(text.find("2 schedulers\n") != std::string::npos);
}

TEST_CASE("in real time there is no simulated speed") {
  auto results = sample_results();
  results.clock = clock_kind::real_time;
  results.interrupted = true;
  const auto text = table_of(results);
  CHECK(text.find("times real time") == std::string::npos);
  CHECK(text.find("interrupted") != std::string::npos);
}

TEST_CASE("a run that measured nothing still has a table") {
  const auto text = table_of(run_results{});
  check_width(text);
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("inf") == std::string::npos);
  CHECK(text.find("Self-checks") == std::string::npos);
}

TEST_CASE("no line is wider than 80 columns, whatever the numbers and names") {
  auto results = sample_results();
  constexpr auto most = std::numeric_limits<std::uint64_t>::max() / 8;
  const std::string name(200, 'x');
  results.name = results.architecture = results.policy = name;
  results.groups[0].name = "Gruppe für Aufträge mit größter Dringlichkeit";
  results.machines = most;
  results.messages = most;
  results.seed = most;
  results.simulated = duration::max();
  results.host.wall_seconds = 1e-300;
  results.skipped_rows = {{name, most}, {"no duration", most}};
  results.checks.push_back({name, true, name + " and " + name});
  results.phases = {{instant{0}, instant::max()},
                    {std::chrono::milliseconds{333}, std::chrono::milliseconds{98'765'432}}};
  for (auto& record : results.series) {
    record.sample.tasks = {most, most, most, most, most, most, most, most, most};
    record.sample.conflicts = most;
    record.sample.conflicts_by_cause = {most, most, most, most};
    record.sample.jobs_submitted = record.sample.jobs_finished = most;
    record.sample.delay.add(1e-300);
    record.sample.delay.add(1e300);
    record.sample.job_response.add(1e300);
    record.sample.waiting.add(1e300);
    record.sample.given_up.add(1e-300);
    record.sample.open_jobs.add(1e300);
    record.sample.jobs_failed = most;
    record.sample.quality.add(-1e150);
    record.sample.age = {1e300, 1e-9, 1e-300, 1e300};
    record.utilization = 1e300;
  }
  check_width(table_of(results));
}

TEST_CASE("delays below zero are counted, in the table and in the JSON") {
  auto results = sample_results();
  CHECK(table_of(results).find("below zero") == std::string::npos);
  CHECK_FALSE(summary_json(results).contains("delays_below_zero"));
  results.series[0].sample.delay.add(-0.0125, 2);
  results.series[0].sample.delay.add(-0.003);
  CHECK(table_of(results).find("3 delays below zero, the least -12.5 ms: the clocks of hosts") !=
        std::string::npos);
  CHECK(summary_json(results)["delays_below_zero"] == 3);
}

TEST_CASE("the table tells of parallel jobs that were measured") {
  const auto table = table_of(sample_of_parallel_jobs());
  CHECK(table.find("Job wait                  500 ms") != std::string::npos);
  CHECK(table.find("Bounded slowdown            1.00        1.00") != std::string::npos);
  CHECK(table.find("Makespan            2.00 s, ") != std::string::npos);
  check_width(table);
}
