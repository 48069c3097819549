#include "nodes/registry/registry_nodes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("nodes get numbers for themselves and for their machines as they come") {
  node_registry book{100};
  CHECK(taken(book.join(master_of("m"))).index == 1);
  CHECK(taken(book.join(node_of("a", 30))).machines.first == 0);
  const auto& b = taken(book.join(node_of("b", 70)));
  CHECK(b.index == 3);
  CHECK(b.machines.first == 30);
  CHECK(b.machines.count == 70);
  CHECK(book.machines_missing() == 0);
}

TEST_CASE("a node that brings more machines than are missing is refused for good") {
  node_registry book{100};
  taken(book.join(node_of("a", 60)));
  const auto no = refused(book.join(node_of("b", 41)));
  CHECK_FALSE(no.for_now);
  CHECK(no.why ==
        "it has 41 machines, but the cluster has room for 40 more of its 100 (cluster.machines)");
  CHECK(book.find("b") == nullptr);
  CHECK(taken(book.join(node_of("b", 40))).machines.first == 60);
}

TEST_CASE("a node whose machines find room in pieces only is told so") {
  node_registry book{60};
  taken(book.join(node_of("a", 20)));
  taken(book.join(node_of("b", 26)));
  taken(book.join(node_of("c", 14)));
  book.left("a");
  book.left("c");
  CHECK(refused(book.join(node_of("d", 34))).why ==
        "it has 34 machines, but the cluster has room for 34 more of its 60 (cluster.machines), 20 "
        "of them in a row: start several nodes");
}

TEST_CASE("a node that comes back keeps its numbers, and another start has to wait for that") {
  node_registry book{100};
  taken(book.join(node_of("a", 30, 1)));
  taken(book.join(node_of("b", 70, 2)));
  const auto no = refused(book.join(node_of("a", 30, 9)));
  CHECK(no.for_now);
  CHECK(no.why == "a node named a has joined already, at 127.0.0.1:7400");
  book.lost("a", 9); // of a start that was never taken in
  CHECK(book.find("a")->present);
  book.lost("a", 1);
  CHECK_FALSE(book.find("a")->present);
  const auto& again = taken(book.join(node_of("a", 30, 9)));
  CHECK(again.index == 1);
  CHECK(again.machines.first == 0);
  CHECK(again.present);
  CHECK(again.who.boot == 9);
}

TEST_CASE("what a node says of itself to a new master is believed") {
  node_registry book{100};
  taken(book.join(master_of("m")));
  auto b = node_of("b", 70);
  b.index = 7;
  b.machines = {30, 70};
  b.origin = 123;
  const auto& entry = taken(book.join(b));
  CHECK(entry.index == 7);
  CHECK(entry.machines.first == 30);
  CHECK(book.list().origin == 123);
  // Whoever comes next gets numbers that nobody has.
  const auto& a = taken(book.join(node_of("a", 30)));
  CHECK(a.index == 8);
  CHECK(a.machines.first == 0);
}

TEST_CASE("who has left gives its numbers back") {
  node_registry book{100};
  taken(book.join(node_of("a", 60)));
  taken(book.join(node_of("b", 40)));
  book.left("a");
  CHECK(book.find("a") == nullptr);
  CHECK(book.machines_missing() == 60);
  CHECK(taken(book.join(node_of("c", 60))).machines.first == 0);
}

TEST_CASE("there is one master and one workload") {
  node_registry book{10};
  taken(book.join(master_of("m")));
  CHECK(refused(book.join(master_of("n"))).why == "there is a master already: m");
  auto w = node_of("w", 0);
  w.roles.workload = true;
  taken(book.join(w));
  w.name = "v";
  const auto no = refused(book.join(w));
  CHECK(no.for_now);
  CHECK(no.why == "there is a node with the workload already: w");
  book.lost("w", 1);
  CHECK(taken(book.join(w)).present);
}

TEST_CASE("it says what is missing before the cluster can begin") {
  node_registry book{100};
  taken(book.join(master_of("m")));
  CHECK(book.missing() ==
        "100 of 100 machines are missing; no node has the role owner; no node has "
        "the role scheduler");
  taken(book.join(node_of("a", 40)));
  CHECK(book.missing() == "60 of 100 machines are missing");
  taken(book.join(node_of("b", 60)));
  CHECK(book.missing().empty());
}

TEST_CASE("a node is drained by its name until it is started again") {
  node_registry book{10};
  taken(book.join(node_of("a", 10)));
  CHECK(book.drain("b").starts_with("there is no node named b; there are: "));
  const auto before = book.list().version;
  CHECK(book.drain("a").empty());
  CHECK(book.find("a")->draining);
  CHECK(book.list().version > before);
  book.lost("a", 1);
  CHECK(taken(book.join(node_of("a", 10))).draining); // its connection was cut
  book.lost("a", 1);
  CHECK_FALSE(taken(book.join(node_of("a", 10, 2))).draining);
}

TEST_CASE("a restarted master learns which nodes are to be drained") {
  node_registry book{10};
  auto a = node_of("a", 10);
  a.draining = true;
  CHECK(taken(book.join(a)).draining);
}

namespace {

node_identity host_of(const std::string& name, std::int32_t cpu, const std::string& rack) {
  auto who = node_of(name, 1);
  who.machine.capacity[resource::cpu] = cpu;
  who.machine.attributes = {{"rack", rack}};
  return who;
}

} // namespace

TEST_CASE("a cluster begins with the machines that nodes say they are") {
  node_registry book{3};
  taken(book.join(master_of("m")));
  taken(book.join(host_of("a", 4000, "r1")));
  taken(book.join(node_of("b", 1)));
  taken(book.join(host_of("c", 8000, "r2")));
  CHECK(book.list().described.empty());
  book.begin(5);
  const std::vector<described_machine> expected{{0, host_of("", 4000, "r1").machine},
                                                {2, host_of("", 8000, "r2").machine}};
  CHECK(book.list().described == expected);
}

TEST_CASE("once it has begun, a machine takes a place that it fills") {
  node_registry book{3};
  taken(book.join(master_of("m")));
  taken(book.join(host_of("a", 4000, "r1")));
  taken(book.join(node_of("b", 1)));
  taken(book.join(host_of("c", 8000, "r2")));
  book.begin(5);
  book.lost("a", 1);
  CHECK(refused(book.join(host_of("a", 3000, "r1"))).why ==
        "the cluster has begun with other machines: machine 0, whose place it would take, has cpu "
        "4000m, and the node has cpu 3000m");
  CHECK_FALSE(book.find("a")->present);
  CHECK(book.find("a")->who.machine.capacity[resource::cpu] == 4000);
  CHECK(taken(book.join(host_of("a", 5000, "r1"))).machines.first == 0);

  book.left("a");
  book.left("b");
  book.left("c");
  CHECK(refused(book.join(host_of("d", 8000, "r3"))).why ==
        "the cluster has begun with other machines: machine 0, whose place it would take, has rack "
        "= r1, and the node has r3");
  CHECK(taken(book.join(host_of("d", 9000, "r2"))).machines.first == 2);
  CHECK(taken(book.join(node_of("e", 1))).machines.first == 1);
  CHECK(refused(book.join(node_of("f", 1))).why ==
        "the cluster has begun with other machines: machine 0, whose place it would take, is not "
        "emulated");
}

TEST_CASE("a new master learns of the machines from whoever comes first") {
  node_registry old{2};
  taken(old.join(master_of("m")));
  taken(old.join(host_of("a", 4000, "r1")));
  taken(old.join(host_of("b", 8000, "r2")));
  old.begin(5);
  node_registry book{2};
  taken(book.join(master_of("m")));
  auto b = host_of("b", 8000, "r2");
  b.machines = {1, 1};
  b.origin = 5;
  b.described = old.list().described;
  CHECK(taken(book.join(b)).machines.first == 1);
  CHECK(book.list().described == old.list().described);
  CHECK(taken(book.join(host_of("a", 4000, "r1"))).machines.first == 0);
}

TEST_CASE("a cluster without owners does not wait for one") {
  auto who = node_of("a", 100);
  who.roles.owners = 0;
  node_registry with{100};
  taken(with.join(who));
  CHECK(with.missing() == "no node has the role owner");
  node_registry without{100, false};
  taken(without.join(who));
  CHECK(without.missing().empty());
}

TEST_CASE("what does not move is not drained, but the workload's node may leave by itself") {
  node_registry book{100};
  taken(book.join(master_of("m")));
  auto client = node_of("w", 0);
  client.roles.workload = true;
  taken(book.join(client));
  CHECK(book.drain("m") == "node m has the master, which cannot move to another node; expected one "
                           "without, or to end the cluster");
  CHECK(book.drain("w").starts_with("node w has the workload, which cannot move"));
  CHECK_FALSE(book.find("w")->draining);
  CHECK(book.drain("w", true).empty());
  CHECK(book.find("w")->draining);
}
