#include "nodes/registry/registry_nodes.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

using namespace troupe;
using namespace troupe::test;

namespace {

using std::chrono::seconds;
using names = std::vector<std::string>;

constexpr std::int64_t origin = 123;

node_registry::clock::time_point later(int s) {
  return node_registry::clock::time_point{} + seconds{1000 + s};
}

/// A registry in which a master, a, b and c have joined and the cluster has begun.
node_registry begun_book() {
  node_registry book{100};
  taken(book.join(master_of("m")));
  taken(book.join(node_of("a", 30)));
  taken(book.join(node_of("b", 30)));
  taken(book.join(node_of("c", 30)));
  book.begin(origin);
  return book;
}

/// A node of such a cluster as it greets a new master.
node_identity returning(const node_registry& book, const std::string& name) {
  const auto* e = book.find(name);
  REQUIRE(e != nullptr);
  auto who = e->who;
  who.index = e->index;
  who.machines = e->machines;
  who.origin = origin;
  for (const auto& other : book.list().nodes)
    who.known.push_back({other.who.name, other.index, other.machines});
  return who;
}

void check_distinct(const node_registry& book) {
  const auto& all = book.list().nodes;
  for (auto a = all.begin(); a != all.end(); ++a)
    for (auto b = a + 1; b != all.end(); ++b) {
      CHECK(a->index != b->index);
      CHECK((a->machines.count == 0 || b->machines.count == 0 ||
             (!a->machines.has(b->machines.first) && !b->machines.has(a->machines.first))));
    }
}

} // namespace

TEST_CASE("a node that was started with its master leaves others the numbers that they run") {
  const auto old = begun_book();
  node_registry book{100};
  taken(book.join(master_of("m"), later(0)));
  CHECK(taken(book.join(node_of("b", 30, 2), later(0))).machines.first == 0); // those of a
  CHECK(book.take_renumbered().empty());
  book.note_missing(book.missing());
  CHECK(book.list().missing == "70 of 100 machines are missing");
  const auto& a = taken(book.join(returning(old, "a"), later(1)));
  CHECK(book.list().missing == ""); // the cluster has begun
  CHECK(a.index == 2);
  CHECK(a.machines == machine_numbers{0, 30});
  CHECK(book.take_renumbered() == names{"b"});
  CHECK(book.take_renumbered().empty());
  CHECK(book.find("b")->index == 3);
  CHECK(book.find("b")->machines == machine_numbers{30, 30});
  const auto& c = taken(book.join(returning(old, "c"), later(2)));
  CHECK(c.index == 4);
  CHECK(c.machines == machine_numbers{60, 30});
  CHECK(book.take_renumbered().empty());
  check_distinct(book);
}

TEST_CASE("numbers are kept for nodes that have not come back to a new master") {
  const auto old = begun_book();
  node_registry book{100};
  taken(book.join(master_of("m"), later(0)));
  taken(book.join(returning(old, "b"), later(0)));
  const auto& small = taken(book.join(node_of("d", 10), later(1)));
  CHECK(small.index == 5);
  CHECK(small.machines == machine_numbers{90, 10});
  const auto no = refused(book.join(node_of("e", 30), later(1)));
  CHECK(no.for_now);
  CHECK(no.why == "the machines that it could be are kept for nodes that may come back: a, c");
  // One that was started anew is told apart by its name.
  const auto& a = taken(book.join(node_of("a", 30, 9), later(2)));
  CHECK(a.index == 2);
  CHECK(a.machines == machine_numbers{0, 30});
  // Not for ever.
  const auto& e = taken(book.join(node_of("e", 30), later(100)));
  CHECK(e.machines == machine_numbers{60, 30});
  check_distinct(book);
}

TEST_CASE("a new master gives nobody the number of a node that it has not heard of") {
  auto old = begun_book();
  auto a = returning(old, "a");
  taken(old.join(node_of("d", 0)));
  auto d = returning(old, "d"); // the last that joined: a did not hear of it
  CHECK(d.index == 5);
  for (const incarnation_id master : {2, 3, 1023}) {
    node_registry book{100, true, master};
    taken(book.join(master_of("m"), later(0)));
    CHECK(taken(book.join(a, later(0))).index == 2);
    CHECK(book.find("m")->index == 1);
    const auto e = taken(book.join(node_of("e", 0), later(0))).index;
    CHECK(e == (master - 1) * 64 + 2); // m had one before a came
    CHECK(e < 65536);
    CHECK(taken(book.join(d, later(1))).index == 5);
    CHECK(taken(book.join(node_of("f", 0), later(1))).index == e + 1);
    check_distinct(book);
  }
}

TEST_CASE("a node without room, once others have come back, is no more in the list") {
  const auto old = begun_book();
  node_registry book{100};
  taken(book.join(master_of("m"), later(0)));
  taken(book.join(node_of("e", 30), later(0)));
  taken(book.join(node_of("d", 10), later(0)));
  taken(book.join(returning(old, "a"), later(1)));
  CHECK(book.take_renumbered() == names{"e", "d"});
  CHECK(book.find("e") == nullptr);
  CHECK(book.find("d")->machines == machine_numbers{90, 10});
  check_distinct(book);
}

TEST_CASE("in a cluster that grows a new master knows from its file who has which number") {
  node_registry book{4};
  resources greatest;
  greatest[resource::cpu] = 64'000;
  book.let_grow(machine_places{{0, 0, 1, 1}, seconds{30}}, greatest, seconds{600});
  auto m = master_of("m");
  m.origin = origin;
  m.known = {{"m", 1, {}}, {"a", 2, {0, 1}}, {"b", 3, {2, 1}}};
  CHECK(taken(book.join(m, later(0))).index == 1);
  CHECK(book.find("m")->who.known.empty());
  auto fresh = node_of("c", 1);
  fresh.machine.capacity[resource::cpu] = 1000;
  CHECK(taken(book.join(fresh, later(1))).index == 4);
  fresh.name = "b"; // after a restart
  CHECK(taken(book.join(fresh, later(1))).index == 3);
  auto runs = fresh;
  runs.name = "a";
  runs.index = 2;
  runs.origin = origin;
  CHECK(taken(book.join(runs, later(2))).index == 2);
}
