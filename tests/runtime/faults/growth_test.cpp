#include "runtime/faults/chaos.hpp"
#include "support/growing_cluster.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("more than a thousand joins and leaves under load lose nothing, in every architecture") {
  for (const std::string architecture :
       {"parsync", "statesync", "static", "monolithic", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    std::size_t joins = 0;
    for (std::uint64_t seed = 1; joins < 1000; ++seed) {
      CAPTURE(seed);
      const auto settings = growing_settings(architecture, seed);
      const auto outcome = run_chaos(settings, joins_and_leaves(seed, joins));
      CHECK_MESSAGE(!outcome.violation, outcome.violation.value_or(""));
      CHECK(outcome.tasks > 300);
      CHECK(outcome.starts > outcome.tasks); // some were lost with their machines
    }
  }
}

TEST_CASE("machines join and leave while owners, schedulers and the network fail") {
  for (const std::string architecture : {"parsync", "static", "two-level", "sparrow", "hybrid"}) {
    CAPTURE(architecture);
    const bool owners = architecture != "sparrow";
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(seed);
      std::size_t joins = 0;
      const auto settings =
        growing_settings(architecture, seed,
                         {"chaos.faults=30", "chaos.window=60s", "chaos.longest=4s",
                          std::string{"chaos.kinds=["} + (owners ? R"("owner", )" : "") +
                            R"("scheduler", "master", "cut", "loss", "delay"])"});
      const auto outcome = run_chaos(settings, joins_and_leaves(seed, joins));
      CHECK_MESSAGE(!outcome.violation, outcome.violation.value_or(""));
      CHECK(outcome.tasks > 300);
    }
  }
}
