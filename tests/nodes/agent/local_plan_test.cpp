#include "nodes/agent/local_plan.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <stdexcept>

using namespace troupe;

TEST_CASE("the nodes beside the master share the machines, to the last one") {
  const auto plan = plan_local_nodes(4, 10'000, true);
  REQUIRE(plan.size() == 4);
  CHECK(plan[0].name == "node-1");
  CHECK(plan[0].roles == "master,workload");
  CHECK(plan[0].machines == 0);
  CHECK(plan[1].machines == 3334);
  CHECK(plan[2].machines == 3333);
  CHECK(plan[3].machines == 3333);
  CHECK(plan[3].roles == "owner,scheduler,machine");
}

TEST_CASE("every number of nodes has all machines") {
  for (std::uint32_t nodes = 1; nodes <= 50; ++nodes) {
    const auto plan = plan_local_nodes(nodes, 997, false);
    CHECK(plan.size() == nodes);
    CHECK(std::accumulate(plan.begin(), plan.end(), 0u,
                          [](auto sum, const planned_node& p) { return sum + p.machines; }) == 997);
    CHECK(plan[0].roles.starts_with("master"));
  }
}

TEST_CASE("where there are no owners no node is to be one") {
  CHECK(plan_local_nodes(3, 10, true, false)[2].roles == "scheduler,machine");
  CHECK(plan_local_nodes(1, 10, true, false)[0].roles == "master,workload,scheduler,machine");
}

TEST_CASE("a single node has everything") {
  const auto plan = plan_local_nodes(1, 12, true);
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].roles == "master,workload,owner,scheduler,machine");
  CHECK(plan[0].machines == 12);
}

TEST_CASE("fewer machines than nodes that share them are refused") {
  CHECK_THROWS_WITH_AS(plan_local_nodes(4, 2, true),
                       "2 machines cannot be shared by 3 nodes; expected one for each at least",
                       std::invalid_argument);
}
