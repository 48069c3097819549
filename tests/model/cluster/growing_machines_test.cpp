#include "model/cluster/eligible_kinds.hpp"
#include "model/cluster/growing_machines.hpp"
#include "model/cluster/machine_pools.hpp"
#include "model/view/placement_rules.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace troupe;

namespace {

resources cores(std::int32_t n) {
  resources r;
  r[resource::cpu] = n * 1000;
  return r;
}

catalog growing(std::uint32_t places) {
  std::vector<machine_info> machines(places, machine_info{cores(64)});
  catalog made{std::move(machines), {{"place", {}}}, 2, cores(1)};
  made.let_grow();
  return made;
}

described_machine host(machine_id place, const std::string& zone) {
  return {place, {cores(2), {{"zone", zone}}}};
}

std::vector<constraint> in(const std::string& text) {
  return {parse_constraint(text)};
}

std::set<machine_id> drawn_from(machine_pools& pools, machine_pools::pool_id pool) {
  std::vector<machine_id> drawn;
  auto random = random_stream::derive(1, "pools", 0);
  pools.begin();
  pools.draw(pool, {}, 100, false, random, drawn);
  return {drawn.begin(), drawn.end()};
}

} // namespace

TEST_CASE("places without a machine so far meet no constraint, not even an absence") {
  growing_machines all{3};
  CHECK(all.version() == 0);
  CHECK(all.vacant(1));
  CHECK(all.meets(1, {}));
  CHECK_FALSE(all.meets(1, in("zone != a")));
  all.set({host(1, "b")});
  CHECK(all.version() == 1);
  CHECK_FALSE(all.vacant(1));
  CHECK(all.taken() == 1);
  CHECK(all.meets(1, in("zone != a")));
  CHECK(all.attributes_of(1).at("zone") == "b");
  CHECK(all.changed_since(0) == std::vector<machine_id>{1});
}

TEST_CASE("a place that is vacant keeps its attributes, and only other ones are a change") {
  growing_machines all{2};
  all.set({host(0, "a")});
  auto left = host(0, "a");
  left.vacant = true;
  all.set({left, host(7, "a")}); // there is no place 7
  CHECK(all.version() == 1);
  CHECK(all.vacant(0));
  all.set({host(0, "a")});
  CHECK(all.version() == 1);
  all.set({host(0, "b")});
  CHECK(all.version() == 2);
  CHECK(all.changed_since(1) == std::vector<machine_id>{0});
  CHECK(all.changed_since(2).empty());
}

TEST_CASE("sets of machines that meet constraints follow what joins") {
  const auto machines = growing(4);
  eligible_kinds eligible{machines};
  const auto& in_a = eligible.of(in("zone == a"));
  CHECK(eligible.any_holds(cores(64)));
  CHECK_FALSE(in_a.contains(2));
  machines.growth()->set({host(2, "a"), host(3, "b")});
  CHECK(eligible.catch_up() == 2);
  CHECK(in_a.contains(2));
  CHECK_FALSE(in_a.contains(3));
  CHECK(&eligible.of(in("zone == a")) == &in_a);
  CHECK(eligible.of(in("zone != a")).contains(3));
  machines.growth()->set({host(2, "b")});
  eligible.catch_up();
  CHECK_FALSE(in_a.contains(2));
}

TEST_CASE("tasks that no machine could hold are possible, and are tried again when one joins") {
  const auto machines = growing(4);
  placement_rules rules{machines, true};
  job wanted;
  wanted.groups.push_back({1, cores(2)});
  wanted.groups[0].constraints = in("zone == a");
  rules.submit(wanted);
  waiting_task task;
  task.task = {wanted.id, 0};
  task.of = &wanted;
  task.in = wanted.groups.data();
  task.demand = cores(2);
  CHECK(rules.possible(task));
  auto request = rules.request(task);
  REQUIRE(request.filter.kinds != nullptr);
  CHECK_FALSE(request.filter.admits(machines, 1));
  rules.block(request, 5);
  CHECK(rules.blocked(request, 5));
  CHECK_FALSE(rules.catch_up());
  machines.growth()->set({host(1, "a")});
  CHECK(rules.catch_up());
  CHECK_FALSE(rules.blocked(request, 5));
  request = rules.request(task);
  CHECK(request.filter.admits(machines, 1));
  machines.growth()->set({host(3, "a")}); // of the same task, which it knows
  CHECK(rules.request(task).filter.admits(machines, 3));
  CHECK_FALSE(rules.violated(task, 1));
  CHECK(rules.violated(task, 2));
}

TEST_CASE("pools of machines to probe follow what joins") {
  const auto machines = growing(4);
  machine_pools pools{machines};
  const auto any = pools.pool_of({}, cores(1));
  const auto in_a = pools.pool_of(in("zone == a"), cores(1));
  CHECK(pools.pool_of(in("zone == a"), cores(8)) == in_a);
  pools.remove_all();
  CHECK(drawn_from(pools, any).empty());
  pools.restore(1);
  pools.restore(2);
  CHECK(drawn_from(pools, any) == std::set<machine_id>{1, 2});
  CHECK(drawn_from(pools, in_a).empty());
  machines.growth()->set({host(2, "a"), host(3, "a")});
  CHECK(pools.catch_up());
  CHECK_FALSE(pools.catch_up());
  CHECK(drawn_from(pools, in_a) == std::set<machine_id>{2});
  pools.restore(3);
  CHECK(drawn_from(pools, in_a) == std::set<machine_id>{2, 3});
  machines.growth()->set({host(2, "b")});
  CHECK(pools.catch_up());
  CHECK(drawn_from(pools, in_a) == std::set<machine_id>{3});
  CHECK(pools.contains(any, 2));
}

TEST_CASE("machines that join have what they say, until they leave") {
  growing_machines all{3};
  CHECK(all.capacities() == std::vector<resources>(3));
  all.set({host(1, "a")});
  CHECK(all.capacity_version() == 1);
  CHECK(all.capacities()[1] == cores(2));
  CHECK(all.capacity_of(1) == cores(2));
  all.set({host(1, "b")}); // with the same resources
  CHECK(all.capacity_version() == 1);
  all.set({{1, {cores(4), {}}, false}});
  CHECK(all.capacities()[1] == cores(4));
  all.set({{1, {cores(4), {}}, true}});
  CHECK(all.capacity_version() == 3);
  CHECK(all.capacities() == std::vector<resources>(3));
}
