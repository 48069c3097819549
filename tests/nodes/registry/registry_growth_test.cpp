#include "nodes/registry/registry_nodes.hpp"

#include <chrono>
#include <string>
#include <vector>

using namespace troupe;
using namespace troupe::test;

namespace {

using std::chrono::seconds;

node_registry growing_book(std::uint32_t places, std::uint32_t partitions) {
  std::vector<std::uint32_t> partition_of;
  for (std::uint32_t i = 0; i < places; ++i)
    partition_of.push_back(i / (places / partitions));
  node_registry book{places};
  resources greatest;
  greatest[resource::cpu] = 64'000;
  book.let_grow(machine_places{partition_of, seconds{30}}, greatest, seconds{600});
  return book;
}

node_identity machine_node(const std::string& name, std::int32_t cores,
                           const std::string& zone = "a", std::uint64_t boot = 1) {
  auto who = node_of(name, 1, boot);
  who.roles.owners = who.roles.schedulers = 0;
  who.machine.capacity[resource::cpu] = cores * 1000;
  who.machine.attributes["zone"] = zone;
  return who;
}

node_registry::clock::time_point after(int s) {
  return node_registry::clock::time_point{} + seconds{1000 + s};
}

} // namespace

TEST_CASE("a cluster that grows begins without machines, and takes any at any time") {
  auto book = growing_book(8, 2);
  auto m = master_of("m");
  m.roles.owners = m.roles.schedulers = 10;
  taken(book.join(m, after(0)));
  CHECK(book.missing().empty());
  book.begin(1);
  CHECK(taken(book.join(machine_node("a", 4), after(1))).machines.first == 0);
  CHECK(taken(book.join(machine_node("b", 2), after(2))).machines.first == 4);
  CHECK(taken(book.join(machine_node("c", 1, "z"), after(3))).machines.first == 5);
  REQUIRE(book.list().described.size() == 3);
  CHECK(book.list().described[1].number == 4);
  CHECK(book.list().described[1].is == machine_node("b", 2).machine);
  CHECK(refused(book.join(node_of("e", 3), after(3))).why ==
        "this cluster runs commands, and the node emulates machines; expected none of --machines");
  CHECK(refused(book.join(machine_node("e", 65), after(3))).why ==
        "it has cpu 65000m, and a machine of this cluster may have at most cpu 64000m");
  CHECK(book.find("e") == nullptr);
}

TEST_CASE("a machine comes back larger to its place, and with other attributes to another one") {
  auto book = growing_book(8, 1);
  taken(book.join(machine_node("a", 4), after(0)));
  book.lost("a", 1, after(1));
  CHECK(taken(book.join(machine_node("a", 8, "a", 2), after(2))).machines.first == 0);
  CHECK(book.list().described[0].is.capacity[resource::cpu] == 8000);
  book.lost("a", 2, after(3));
  CHECK(taken(book.join(machine_node("a", 8, "b", 3), after(4))).machines.first == 1);
  CHECK(book.list().described[0].vacant);
  CHECK(book.list().described[1].is.attributes.at("zone") == "b");
}

TEST_CASE("machines that are gone for long, or drained while they are gone, have left") {
  auto book = growing_book(4, 1);
  taken(book.join(machine_node("a", 1), after(0)));
  taken(book.join(machine_node("b", 1), after(0)));
  taken(book.join(node_of("s", 0), after(0)));
  for (const auto* name : {"a", "b", "s"})
    book.lost(name, 1, after(10));
  CHECK_FALSE(book.settle(after(609)));
  CHECK(book.drain("b").empty());
  CHECK(book.find("b") == nullptr);
  CHECK(book.settle(after(610)));
  CHECK(book.find("a") == nullptr);
  CHECK(book.find("s") != nullptr); // it has no machine, and may come back
  CHECK(book.list().described[0].vacant);
}

TEST_CASE("a full cluster has a node wait, until a machine has left for some time") {
  auto book = growing_book(2, 1);
  taken(book.join(machine_node("a", 1), after(0)));
  taken(book.join(machine_node("b", 1), after(0)));
  const auto no = refused(book.join(machine_node("c", 1), after(0)));
  CHECK(no.for_now);
  CHECK(no.why == "the cluster has places for 2 machines (cluster.machines), all of which are "
                  "taken or were left less than 30 s ago");
  book.left("a", after(5));
  CHECK(refused(book.join(machine_node("c", 1), after(34))).for_now);
  CHECK(taken(book.join(machine_node("c", 1), after(35))).machines.first == 0);
}

TEST_CASE("idle machines move to partitions that have less") {
  auto book = growing_book(8, 2);
  for (const auto* name : {"a", "b", "c", "d"})
    taken(book.join(machine_node(name, 1), after(0)));
  const auto any = [](const node_entry&) { return true; };
  CHECK_FALSE(book.level_machines(any, after(0)));
  book.left("b", after(1));
  book.left("d", after(1));
  CHECK_FALSE(book.level_machines([](const node_entry&) { return false; }, after(1)));
  CHECK(book.level_machines(any, after(1)));
  CHECK(book.find("a")->moves);
  CHECK_FALSE(book.level_machines(any, after(1))); // one at a time
  book.moved("a", after(2));
  CHECK_FALSE(book.find("a")->moves);
  CHECK(book.find("a")->machines.first >= 4);
  CHECK(book.find("c")->machines.first < 4);
  CHECK_FALSE(book.level_machines(any, after(3)));
}

TEST_CASE("a restarted master learns places from the nodes that come back") {
  auto book = growing_book(8, 2);
  taken(book.join(machine_node("a", 1), after(0)));
  taken(book.join(machine_node("b", 1), after(0)));
  book.begin(1);
  auto again = growing_book(8, 2);
  auto b = machine_node("b", 1);
  b.origin = 1;
  b.machines = book.find("b")->machines;
  b.described = book.list().described;
  CHECK(taken(again.join(b, after(100))).machines.first == 4);
  CHECK(again.list().origin == 1);
  CHECK_FALSE(again.list().described[0].vacant);
  CHECK(taken(again.join(machine_node("c", 1), after(100))).machines.first == 1);
  auto a = machine_node("a", 1);
  a.origin = 1;
  a.machines = {0, 1};
  CHECK(taken(again.join(a, after(101))).machines.first == 0);
}

TEST_CASE("a machine that is restarted together with the master gets its place again") {
  const auto place_of_b = [](std::int64_t machines_origin) {
    auto again = growing_book(8, 2);
    auto m = master_of("m");
    m.roles.owners = m.roles.schedulers = 10;
    m.origin = 7;
    m.described = {{0, machine_node("a", 1).machine, false},
                   {4, machine_node("b", 1).machine, false}};
    taken(again.join(m, after(100)));
    auto b = machine_node("b", 1, "a", 2);
    b.machines = {4, 1};
    b.machines_origin = machines_origin;
    return taken(again.join(b, after(101))).machines.first;
  };
  CHECK(place_of_b(7) == 4);
  CHECK(place_of_b(6) == 1); // of another cluster: the places of this one may have machines
}
