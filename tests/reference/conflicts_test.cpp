#include "runtime/running.hpp"

#include <cmath>
#include <random>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("conflicts follow the formula of ParSync at points drawn at random") {
  // N schedulers with the same fresh view each place K tasks at random on S slots, with one
  // attempt: the conflicts are N K - S + S (1 - K / S)^N in the mean (Feng et al., USENIX ATC
  // 2021).
  constexpr double slots = 10'000;
  std::mt19937 random{20'210'714};
  for (int i = 0; i < 8; ++i) {
    const auto schedulers = std::uniform_int_distribution{2, 40}(random);
    const auto tasks = std::uniform_int_distribution{100, 2'000}(random);
    CAPTURE(schedulers);
    CAPTURE(tasks);
    const auto idle = std::pow(1 - tasks / slots, schedulers); // the share that nobody takes
    const auto both =
      std::pow((slots - tasks) * (slots - tasks - 1) / (slots * (slots - 1)), schedulers);
    const auto expected = schedulers * tasks - slots + slots * idle;
    const auto variance = slots * idle * (1 - idle) + slots * (slots - 1) * (both - idle * idle);
    constexpr int rounds = 10;
    const auto results =
      run_config("conflict-model/settings.toml",
                 {"schedulers=" + std::to_string(schedulers), "seed=" + std::to_string(i + 1),
                  "workload.tasks_per_job.value=" + std::to_string(tasks),
                  "workload.bursts=" + std::to_string(rounds), "interval=1h"});
    check_passed(results);
    const auto measured = summary_of(results)["conflicts"].get<double>() / rounds;
    CHECK(std::abs(measured - expected) <= 4 * std::sqrt(variance / rounds));
  }
}
