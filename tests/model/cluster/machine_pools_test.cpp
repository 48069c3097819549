#include "model/cluster/machine_pools.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Twelve machines of two kinds by turns, hdd with 1 slot and ssd with 4.
catalog pooled_kinds() {
  std::vector<machine_info> machines;
  for (std::uint32_t m = 0; m < 12; ++m)
    machines.push_back({resources::of_slots(m % 2 == 0 ? 1 : 4), 1, m % 2});
  return {
    std::move(machines), {{"small", {{"disk", "hdd"}}}, {"big", {{"disk", "ssd"}}}}, 1, one_slot};
}

std::vector<machine_id> draw(machine_pools& pools, machine_pools::pool_id pool, std::size_t n,
                             bool repeat, random_stream& random,
                             const resources& demand = one_slot) {
  std::vector<machine_id> out;
  pools.draw(pool, demand, n, repeat, random, out);
  return out;
}

} // namespace

TEST_CASE("a pool holds the machines that meet the constraints and have room when idle") {
  const auto machines = pooled_kinds();
  machine_pools pools{machines};
  const auto all = pools.pool_of({}, one_slot);
  const auto big = pools.pool_of({}, resources::of_slots(2));
  const auto small = pools.pool_of({parse_constraint("disk == hdd")}, one_slot);
  const auto none = pools.pool_of({parse_constraint("disk == hdd")}, resources::of_slots(2));
  CHECK(pools.size(all) == 12);
  CHECK(pools.size(big) == 6);
  CHECK(pools.size(small) == 6);
  CHECK(pools.size(none) == 0);
  CHECK(pools.pool_of({parse_constraint("disk == ssd")}, one_slot) == big);
  for (machine_id m = 0; m < 12; ++m)
    CHECK(pools.contains(big, m) == (machines.machine(m).capacity[resource::slots] == 4));
}

TEST_CASE("no machine is drawn twice while there are others") {
  const auto machines = even_catalog(10, 1, 1);
  machine_pools pools{machines};
  random_stream random{1};
  const auto all = pools.pool_of({}, one_slot);
  for (int job = 0; job < 50; ++job) {
    pools.begin();
    auto drawn = draw(pools, all, 6, true, random);
    const auto more = draw(pools, all, 4, true, random);
    drawn.insert(drawn.end(), more.begin(), more.end());
    CHECK(std::set<machine_id>{drawn.begin(), drawn.end()}.size() == 10);
  }
}

TEST_CASE("with fewer machines than draws each is drawn about equally often, or only once") {
  const auto machines = even_catalog(4, 1, 1);
  machine_pools pools{machines};
  random_stream random{1};
  const auto all = pools.pool_of({}, one_slot);
  pools.begin();
  const auto drawn = draw(pools, all, 10, true, random);
  REQUIRE(drawn.size() == 10);
  for (machine_id m = 0; m < 4; ++m) {
    const auto times = std::count(drawn.begin(), drawn.end(), m);
    CHECK((times == 2 || times == 3));
  }
  pools.begin();
  CHECK(draw(pools, all, 10, false, random).size() == 4);
}

TEST_CASE("machines that are left out or gone are not drawn") {
  const auto machines = even_catalog(5, 1, 1);
  machine_pools pools{machines};
  random_stream random{1};
  const auto all = pools.pool_of({}, one_slot);
  pools.begin();
  CHECK(pools.leave_out(2));
  CHECK_FALSE(pools.leave_out(2));
  auto drawn = draw(pools, all, 5, false, random);
  CHECK(drawn.size() == 4);
  CHECK(std::ranges::find(drawn, machine_id{2}) == drawn.end());
  pools.remove(0);
  CHECK(pools.is_gone(0));
  CHECK_FALSE(pools.contains(all, 0));
  pools.begin();
  drawn = draw(pools, all, 5, false, random);
  CHECK(drawn.size() == 4);
  CHECK(std::ranges::find(drawn, machine_id{0}) == drawn.end());
  for (machine_id m = 1; m < 5; ++m)
    pools.remove(m);
  pools.begin();
  CHECK(draw(pools, all, 3, true, random).empty());
}

TEST_CASE("every machine is drawn equally often") {
  const auto machines = even_catalog(8, 1, 1);
  machine_pools pools{machines};
  random_stream random{7};
  const auto all = pools.pool_of({}, one_slot);
  std::vector<std::uint64_t> times(8);
  for (int i = 0; i < 8000; ++i) {
    pools.begin();
    for (const auto m : draw(pools, all, 2, true, random))
      ++times[m];
  }
  for (const auto n : times)
    CHECK(n == doctest::Approx(2000).epsilon(0.1));
}

TEST_CASE("a machine that is back is drawn again, where it fits") {
  const auto machines = pooled_kinds();
  machine_pools pools{machines};
  const auto big = pools.pool_of({}, resources::of_slots(2));
  for (machine_id m = 0; m < 12; ++m)
    pools.remove(m);
  CHECK(pools.size(big) == 0);
  machine_id roomy = 0;
  while (machines.machine(roomy).capacity != resources::of_slots(4))
    ++roomy;
  machine_id small = 0;
  while (machines.machine(small).capacity != one_slot)
    ++small;
  pools.restore(small);
  pools.restore(roomy);
  pools.restore(roomy);
  random_stream random{1};
  pools.begin();
  CHECK(draw(pools, big, 3, false, random) == std::vector<machine_id>{roomy});
  CHECK(pools.contains(big, roomy));
  CHECK_FALSE(pools.contains(big, small));
}

TEST_CASE("machines that have too little now are not drawn for what they could hold before") {
  const auto machines = even_catalog(4, 1, 2);
  machine_pools pools{machines};
  random_stream random{3};
  const auto all = pools.pool_of({}, one_slot);
  const auto two = resources::of_slots(2);
  pools.resize(1, one_slot);
  pools.resize(2, {});
  for (int job = 0; job < 20; ++job) {
    pools.begin();
    for (const auto m : draw(pools, all, 9, true, random, two))
      CHECK((m == 0 || m == 3));
    pools.begin();
    const auto drawn = draw(pools, all, 3, false, random);
    CHECK(std::set<machine_id>{drawn.begin(), drawn.end()} == std::set<machine_id>{0, 1, 3});
  }
  for (machine_id m = 0; m < 4; ++m)
    pools.resize(m, one_slot);
  pools.begin();
  CHECK(draw(pools, all, 3, true, random, two).empty());
  pools.resize(3, two);
  CHECK(pools.has_room(3, two));
  CHECK(draw(pools, all, 3, true, random, two) == std::vector<machine_id>{3, 3, 3});
}
