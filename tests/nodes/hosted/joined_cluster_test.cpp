#include "nodes/hosted/hosted_node.hpp"

#include <stdexcept>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

node_welcome welcome_as(std::uint32_t index, machine_numbers machines, std::int64_t origin = 0) {
  return {index, machines, settings_text(hosted_settings), origin};
}

node_list begun_at(std::int64_t origin) {
  node_list nodes;
  nodes.origin = origin;
  return nodes;
}

} // namespace

TEST_CASE("a cluster begins once, when it is known and the master says so") {
  local_system at;
  joined_cluster cluster{at.system, node_named("n1")};
  const auto origin = utc_ns();
  CHECK(!cluster.learn(begun_at(origin))); // without settings
  cluster.welcome(welcome_as(3, {10, 5}));
  REQUIRE(cluster.settings());
  CHECK(cluster.settings()->failures.watch == watch_kind::on);
  CHECK(!cluster.learn(begun_at(0)));
  CHECK(!cluster.begun());
  CHECK(cluster.learn(begun_at(origin)));
  CHECK(!cluster.learn(begun_at(origin)));
  CHECK(cluster.begun());
  CHECK(cluster.index() == 3);
  CHECK(cluster.machines() == machine_numbers{10, 5});
  CHECK(cluster.all_machines()->machines() == 40);
  CHECK(cluster.sizes().machines.size() == 4);
  CHECK(!cluster.follows_work());
  CHECK(cluster.lead() ==
        2 * cluster.settings()->failures.heartbeat + cluster.settings()->sync.gap);
}

TEST_CASE("time counts from the origin of the cluster") {
  local_system at;
  joined_cluster cluster{at.system, node_named("n1")};
  cluster.welcome(welcome_as(1, {}));
  const auto hour = std::chrono::duration_cast<std::chrono::nanoseconds>(1h).count();
  const auto before = utc_ns();
  cluster.learn(begun_at(before - hour));
  CHECK(cluster.resumes()); // it has begun long before
  CHECK(cluster.now() >= instant{1h});
  CHECK(cluster.time_of_day() >= before);
  const auto workload = life_by_clock();
  CHECK(cluster.work_begins(workload) >= instant{59min});
}

TEST_CASE("a node of a running cluster refuses to become another one") {
  local_system at;
  joined_cluster cluster{at.system, node_named("n1")};
  const auto origin = utc_ns();
  cluster.welcome(welcome_as(1, {0, 20}));
  cluster.welcome(welcome_as(2, {20, 20})); // it has not begun
  cluster.learn(begun_at(origin));
  CHECK_NOTHROW(cluster.welcome(welcome_as(2, {20, 20}, origin)));
  CHECK_THROWS_WITH_AS(cluster.welcome(welcome_as(2, {20, 20}, origin + 1)),
                       doctest::Contains("has begun another cluster"), std::runtime_error);
  CHECK_THROWS_WITH_AS(cluster.welcome(welcome_as(1, {0, 20}, origin)),
                       "this node is number 2, with machines 20 to 39, and the master, which does "
                       "not know that, makes it number 1, with machines 0 to 19; start this node "
                       "again",
                       std::runtime_error);
  auto other = welcome_as(2, {20, 20}, origin);
  other.settings =
    settings_text("schedulers = 5" + hosted_settings.substr(hosted_settings.find("\n[")));
  CHECK_THROWS_WITH_AS(cluster.welcome(other), doctest::Contains("with other settings"),
                       std::runtime_error);
}
