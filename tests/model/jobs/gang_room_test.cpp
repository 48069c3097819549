#include "model/jobs/gang_room.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A gang of equal tasks.
gang_need need_of(std::uint32_t count, const resources& demand, bool spread = false) {
  gang_need need;
  need.parts.push_back({count, demand, nullptr});
  for (std::size_t k = 0; k < resource_kinds; ++k)
    need.total.amount[k] = std::int64_t{count} * demand.amount[k];
  need.spread = spread;
  return need;
}

/// Returns whether so many tasks find room, one machine after the other.
bool fits(const view& seen, std::uint32_t count, const resources& demand, bool spread) {
  std::int64_t room = 0;
  for (machine_id m = 0; m < seen.machines().machines(); ++m) {
    const auto n = times_fitting(seen.free(m), demand);
    room += spread ? std::min(n, 1) : n;
  }
  return room >= count;
}

} // namespace

TEST_CASE("equal tasks may be held where they can be, whatever else the view holds") {
  std::vector<machine_info> described;
  for (int i = 0; i < 12; ++i)
    described.push_back({cpu_and_memory(4000, 8192), 1.0, 0});
  const catalog machines{described, {{"default", {}}}, 3, cpu_and_memory(1000, 1024)};
  random_stream random{7};
  view seen{machines, instant{0}};
  gang_room room;
  int held = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto m = static_cast<machine_id>(random.below(12));
    const auto some = cpu_and_memory(static_cast<std::int32_t>(random.below(2500)),
                                     static_cast<std::int32_t>(random.below(5000)));
    if (random.below(2) == 0)
      seen.take(m, some);
    else if (machines.machine(m).capacity.fits(seen.free(m) + some))
      seen.give(m, some);
    room.forget();
    room.look(seen, true);
    const auto demand = cpu_and_memory(1 + static_cast<std::int32_t>(random.below(2000)),
                                       static_cast<std::int32_t>(random.below(4000)));
    const auto count = 1 + static_cast<std::uint32_t>(random.below(12));
    const bool spread = random.below(4) == 0;
    const bool expected = fits(seen, count, demand, spread);
    CHECK(room.may_hold(seen, need_of(count, demand, spread)) == expected);
    held += expected;
  }
  CHECK(held > 100);
  CHECK(held < 1900);
}

TEST_CASE("what is placed after a look is room no more") {
  const auto machines = even_catalog(4, 2, 2);
  view seen{machines, instant{0}};
  gang_room room;
  room.look(seen, true);
  CHECK(room.may_hold(seen, need_of(8, one_slot)));
  seen.take(0, one_slot);
  room.take(one_slot);
  CHECK_FALSE(room.may_hold(seen, need_of(8, one_slot)));
  CHECK(room.may_hold(seen, need_of(7, one_slot)));
  CHECK(room.free().amount[static_cast<std::size_t>(resource::slots)] == 7);
}

TEST_CASE("hidden partitions hold nothing unless they may be shown again") {
  const auto machines = even_catalog(4, 2, 2);
  view seen{machines, instant{0}};
  seen.hide(1, true);
  gang_room room;
  room.look(seen, false);
  CHECK_FALSE(room.may_hold(seen, need_of(5, one_slot)));
  room.look(seen, true);
  CHECK(room.may_hold(seen, need_of(5, one_slot)));
}

TEST_CASE("the parts of a gang are held against the cluster one by one and in all") {
  const auto machines = even_catalog(4, 2, 2);
  const std::vector<partition_id> all{0, 1};
  CHECK(idle_machines_hold(machines, all, need_of(8, one_slot)));
  CHECK_FALSE(idle_machines_hold(machines, all, need_of(9, one_slot)));
  CHECK_FALSE(idle_machines_hold(machines, std::vector<partition_id>{1}, need_of(5, one_slot)));
  CHECK(idle_machines_hold(machines, all, need_of(4, one_slot, true)));
  CHECK_FALSE(idle_machines_hold(machines, all, need_of(5, one_slot, true)));
  auto two = need_of(5, one_slot);
  two.parts.push_back({4, one_slot, nullptr});
  two.total += resources::of_slots(4);
  CHECK_FALSE(idle_machines_hold(machines, all, two));
}
