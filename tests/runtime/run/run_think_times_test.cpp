#include "runtime/prompt_log.hpp"
#include "runtime/recording.hpp"
#include "support/scratch_log.hpp"

#include <map>

using namespace troupe;
using namespace troupe::test;

// Jobs of logs that are submitted after the ends of others.
namespace {

/// Job 2 follows job 1, which takes 100 s, and job 3 follows job 2; job 4 has no preceding job.
constexpr const char* session_log = "; MaxProcs: 4\n"
                                    "1 0 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1\n"
                                    "2 20 -1 50 4 -1 -1 4 50 -1 1 1 1 1 1 1 1 10\n"
                                    "3 30 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 2 5\n"
                                    "4 130 -1 40 2 -1 -1 2 40 -1 1 1 1 1 1 1 -1 -1\n";

/// The submissions of jobs in s, by the time that they take (in s), and replica.
std::multimap<int, double> submissions_in(const std::string& log,
                                          std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"workload.file=" + log, "cluster.trace.file=" + log,
                                     "workload.trace.think_times=true"});
  record_taker taker;
  const auto results = run(parse_settings(prompt_cluster, "test.toml", overrides), taker);
  check_passed(results);
  std::multimap<int, double> all;
  for (const auto& j : taker.all.jobs)
    all.emplace(static_cast<int>(std::lround(to_seconds(j.ideal))), to_seconds(j.at.submitted));
  return all;
}

} // namespace

TEST_CASE("a job is submitted its think time after the end of the preceding one") {
  const testing::scratch_log log{session_log};
  const auto at = submissions_in(log.path(), {});
  REQUIRE(at.size() == 4);
  const auto is = [&](int job, double s) {
    CAPTURE(job);
    CHECK(at.find(job)->second >= s);
    CHECK(at.find(job)->second < s + 0.2); // until the job store has heard
  };
  is(100, 0);
  is(50, 110);
  // Job 4 takes half of the processors from 130 on, when job 2 runs until 160: it waits.
  is(40, 130);
  is(10, 165);
}

TEST_CASE("think times follow a slower schedule, the speed of the trace, and replicas") {
  const testing::scratch_log log{session_log};
  const auto doubled = submissions_in(log.path(), {"workload.trace.duration_speedup=0.5"});
  CHECK(doubled.find(100)->second == doctest::Approx(210).epsilon(0.001)); // job 2
  const auto fast = submissions_in(log.path(), {"workload.trace.speedup=10"});
  CHECK(fast.find(50)->second == doctest::Approx(101).epsilon(0.002));
  const auto twice = submissions_in(log.path(), {"workload.trace.replicas=2"});
  CHECK(twice.size() == 8);
  // Each job 2 follows a job 1 of its own; both of these start at once.
  for (auto [first, last] = twice.equal_range(50); first != last; ++first)
    CHECK(first->second == doctest::Approx(110).epsilon(0.002));
}

TEST_CASE("jobs follow others that are killed or given up, and a limit ends all") {
  const auto second_of = [](const std::string& first, std::vector<std::string> more) {
    const testing::scratch_log log{"; MaxProcs: 4\n" + first +
                                   "2 0 -1 50 4 -1 -1 4 50 -1 1 1 1 1 1 1 1 10\n"};
    return submissions_in(log.path(), std::move(more)).find(50)->second;
  };
  // Job 1 is killed at 30 s.
  CHECK(second_of("1 0 -1 100 2 -1 -1 2 30 -1 1 1 1 1 1 1 -1 -1\n",
                  {"workload.kill_at_estimate=true"}) == doctest::Approx(40).epsilon(0.005));
  // Job 1 is larger than the cluster, and abandoned.
  CHECK(second_of("1 0 -1 100 5 -1 -1 5 30 -1 1 1 1 1 1 1 -1 -1\n", {}) < 15);
  const testing::scratch_log log{session_log};
  CHECK(submissions_in(log.path(), {"workload.jobs=1"}).size() == 1);
}

TEST_CASE("think times hold under failures and every architecture") {
  const testing::scratch_log log{session_log};
  for (const std::string architecture :
       {"parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    std::vector<std::string> more{"architecture=" + architecture,
                                  R"(faults.at=[{kind="kill",target="scheduler.0",time="50s"}])"};
    if (architecture == "hybrid")
      more.push_back("schedulers=2");
    if (architecture == "sparrow" || architecture == "hybrid")
      more.push_back("workload.trace.gangs=false");
    const auto at = submissions_in(log.path(), more);
    REQUIRE(at.size() == 4);
    CHECK(at.find(50)->second >= 110);
    CHECK(at.find(10)->second >= at.find(50)->second + 50 + 5);
  }
}

TEST_CASE("think times need job stores that hear of ends") {
  const testing::scratch_log log{session_log};
  for (const char* setting : {"clock=real", "failures.watch=off"})
    CHECK_THROWS_WITH_AS(submissions_in(log.path(), {setting}),
                         doctest::Contains("workload.trace.think_times needs"), std::runtime_error);
}
