#include "nodes/agent/rebalance.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

struct three_nodes {
  node_list nodes;
  std::map<std::uint32_t, node_report> reports;

  three_nodes() {
    for (std::uint32_t i = 1; i <= 3; ++i) {
      node_entry e;
      e.index = i;
      e.present = true;
      e.who.roles.owners = e.who.roles.schedulers = 10;
      nodes.nodes.push_back(e);
      reports[i].index = i;
    }
  }

  void incarnations(std::uint32_t node, role what, std::uint32_t number) {
    reports[node].members.push_back({what, number, 1});
  }

  std::optional<member> moves(role what) const { return to_level(nodes, reports, what); }
};

} // namespace

TEST_CASE_FIXTURE(three_nodes, "a member of the fullest node moves if another has two less") {
  incarnations(1, role::owner, 4);
  CHECK_FALSE(moves(role::owner));
  incarnations(1, role::owner, 7);
  const auto who = moves(role::owner);
  REQUIRE(who);
  CHECK(who->what == role::owner);
  CHECK(who->number == 4);
  CHECK_FALSE(moves(role::scheduler));
}

TEST_CASE_FIXTURE(three_nodes, "nobody moves to where none can live") {
  incarnations(1, role::scheduler, 0);
  incarnations(1, role::scheduler, 1);
  nodes.nodes[1].draining = true;
  nodes.nodes[2].present = false;
  CHECK_FALSE(moves(role::scheduler));
  nodes.nodes[2].present = true;
  CHECK(moves(role::scheduler));
  nodes.nodes[2].who.roles.schedulers = 0;
  CHECK_FALSE(moves(role::scheduler));
  nodes.nodes[2].who.roles.schedulers = 1;
  reports.erase(3); // it has not said yet what lives there
  CHECK_FALSE(moves(role::scheduler));
}
