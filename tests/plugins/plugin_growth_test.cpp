#include "plugins/libraries.hpp"
#include "runtime/faults/chaos.hpp"
#include "support/growing_cluster.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace troupe;
using namespace troupe::test;

namespace {

/// An architecture with a scheduler from a plugin.
struct growing_plugin {
  std::string architecture;
  std::string actor;
};

std::vector<growing_plugin> growing_plugins() {
  return {{"parsync", "faulty"},
          {"statesync", "faulty"},
          {"static", "faulty"},
          {"monolithic", "faulty"},
          {"sparrow", "prober"}};
}

chaos_outcome run_growing(const growing_plugin& of, std::uint64_t seed, std::size_t& joins,
                          std::vector<std::string> more = {}) {
  load_swarm_schedulers();
  more.push_back("scheduler.actor=" + of.actor);
  return run_chaos(growing_settings(of.architecture, seed, std::move(more)),
                   joins_and_leaves(seed, joins));
}

} // namespace

TEST_CASE("hundreds of joins and leaves under load lose nothing with schedulers from plugins") {
  for (const auto& of : growing_plugins()) {
    CAPTURE(of.architecture);
    std::size_t joins = 0;
    for (std::uint64_t seed = 1; joins < 500; ++seed) {
      CAPTURE(seed);
      const auto outcome = run_growing(of, seed, joins);
      CHECK_MESSAGE(!outcome.violation, outcome.violation.value_or(""));
      CHECK(outcome.tasks > 300);
      CHECK(outcome.starts > outcome.tasks); // some were lost with their machines
    }
  }
}

TEST_CASE("machines join and leave while members of a plugin's cluster and the network fail") {
  for (const auto& of : growing_plugins()) {
    CAPTURE(of.architecture);
    const std::string owner = of.actor == "prober" ? "" : R"("owner", )";
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      CAPTURE(seed);
      std::size_t joins = 0;
      const auto outcome = run_growing(
        of, seed, joins,
        {"chaos.faults=30", "chaos.window=60s", "chaos.longest=4s",
         "chaos.kinds=[" + owner + R"("scheduler", "master", "cut", "loss", "delay"])"});
      CHECK_MESSAGE(!outcome.violation, outcome.violation.value_or(""));
      CHECK(outcome.tasks > 300);
    }
  }
}
