#include "runtime/running.hpp"

#include <cmath>

using namespace troupe;
using namespace troupe::test;

// The expected number of conflicts of N schedulers that each place K tasks at random on the same S
// free slots (Feng et al., USENIX ATC 2021).
TEST_CASE("conflicts follow the model within 3 %") {
  constexpr double slots = 10'000;
  constexpr int seeds = 20;
  for (const int schedulers : {2, 10, 20})
    for (const int tasks : {100, 500, 1000}) {
      std::uint64_t conflicts = 0;
      for (int seed = 1; seed <= seeds; ++seed) {
        const auto results = run_config("conflict-model.toml",
                                        {"schedulers=" + std::to_string(schedulers),
                                         "workload.tasks_per_job.value=" + std::to_string(tasks),
                                         "seed=" + std::to_string(seed)});
        std::uint64_t placed = 0;
        std::uint64_t refused = 0;
        for (const auto& i : results.series) {
          placed += i.sample.tasks.placed;
          refused += i.sample.conflicts;
        }
        CHECK(placed + refused == static_cast<std::uint64_t>(schedulers * tasks));
        conflicts += refused;
      }
      const double n = schedulers;
      const double k = tasks;
      const double expected = n * k - slots + slots * std::pow(1 - k / slots, n);
      const double measured = static_cast<double>(conflicts) / seeds;
      MESSAGE("N = " << schedulers << ", K/S = " << k / slots << ": expected " << expected
                     << ", measured " << measured << ", " << 100 * (measured / expected - 1)
                     << " %");
      CHECK(std::abs(measured - expected) <= 0.03 * expected);
    }
}
