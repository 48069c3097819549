#include "runtime/running.hpp"

#include <algorithm>
#include <cmath>

using namespace troupe;
using namespace troupe::test;

// N schedulers that have the same fresh view each place K tasks at random on S free slots, with one
// attempt (Feng et al., USENIX ATC 2021).

namespace {

constexpr int slots = 10'000;
constexpr int seeds = 20;

struct point {
  int schedulers = 0;
  int tasks = 0;

  double expected() const {
    return schedulers * tasks - slots + slots * std::pow(1.0 - 1.0 * tasks / slots, schedulers);
  }

  /// Of the conflicts of one round, which is that of the slots that nobody takes.
  double variance() const {
    const double s = slots;
    const double k = tasks;
    const double one = std::pow(1 - k / s, schedulers);
    const double both = std::pow((s - k) * (s - k - 1) / (s * (s - 1)), schedulers);
    return s * one * (1 - one) + s * (s - 1) * (both - one * one);
  }

  /// How often each seed has to play the game, so that the mean of all has a standard error of 1 %
  /// at most: with less, 3 % would tell nothing. N = 2 and K/S = 0.01 have one conflict in a round.
  int rounds() const {
    const double error = 0.01 * expected();
    return std::max(1, static_cast<int>(std::ceil(variance() / (seeds * error * error))));
  }
};

} // namespace

TEST_CASE("conflicts follow the model within 3 %, as the mean of 20 seeds") {
  for (const int schedulers : {2, 10, 20})
    for (const int tasks : {100, 500, 1000}) {
      const point p{schedulers, tasks};
      const std::vector<std::string> overrides{
        "schedulers=" + std::to_string(schedulers),
        "workload.tasks_per_job.value=" + std::to_string(tasks),
        "workload.bursts=" + std::to_string(p.rounds()), "interval=1h"};
      std::uint64_t conflicts = 0;
      for (int seed = 1; seed <= seeds; ++seed) {
        auto with_seed = overrides;
        with_seed.push_back("seed=" + std::to_string(seed));
        const auto results = run_config("conflict-model/settings.toml", with_seed);
        check_passed(results);
        std::uint64_t placed = 0;
        std::uint64_t refused = 0;
        for (const auto& i : results.series) {
          placed += i.sample.tasks.placed;
          refused += i.sample.conflicts;
        }
        CHECK(placed + refused == static_cast<std::uint64_t>(schedulers * tasks * p.rounds()));
        conflicts += refused;
      }
      const double measured = static_cast<double>(conflicts) / seeds / p.rounds();
      const double off = measured / p.expected() - 1;
      MESSAGE("N = " << schedulers << ", K/S = " << 1.0 * tasks / slots << ", " << p.rounds()
                     << " rounds: expected " << p.expected() << ", measured " << measured << ", "
                     << 100 * off << " %");
      CHECK(std::abs(off) <= 0.03);
    }
}
