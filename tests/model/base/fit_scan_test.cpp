#include "model/base/fit_scan.hpp"
#include "support/attribute_cluster.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Machines of 8 cores and 16 GiB with rising scores, counted by the core.
catalog equal_machines(std::uint32_t count, std::uint32_t partitions) {
  std::vector<machine_info> machines;
  for (std::uint32_t i = 0; i < count; ++i)
    machines.push_back({cpu_and_memory(8000, 16384), 1 + 0.1 * i, 0});
  return {std::move(machines), {{"all", {}}}, partitions, cpu_and_memory(1000, 2048)};
}

std::optional<machine_id> scan(const view& seen, const resources& demand, fit_order order,
                               std::uint32_t limit = 0, std::uint64_t seed = 1) {
  random_stream random{seed};
  return scan_for_fit(seen, {{}, demand}, order, limit, random);
}

/// What a reader of the definition would do.
std::optional<machine_id> by_hand(const view& seen, const resources& demand, fit_order order) {
  const auto& machines = seen.machines();
  std::optional<machine_id> best;
  double best_room = 0;
  for (machine_id m = 0; m < machines.machines(); ++m) {
    if (!seen.fits(m, demand))
      continue;
    const auto left = seen.free(m) - demand;
    double room = 0;
    for (auto kind : machines.columns())
      if (demand[kind] > 0)
        room += static_cast<double>(left[kind]) / machines.greatest_capacity()[kind];
    const double distance = order == fit_order::tightest ? room : -room;
    if (!best || distance < best_room - 1e-9 ||
        (distance < best_room + 1e-9 && machines.score(m) > machines.score(*best))) {
      best = m;
      best_room = distance;
    }
  }
  return best;
}

} // namespace

TEST_CASE("best fit fills the fullest machine that has room, worst fit the emptiest") {
  const auto machines = equal_machines(4, 2);
  view seen{machines, 0s};
  seen.take(0, cpu_and_memory(2000, 2048));
  seen.take(1, cpu_and_memory(5000, 2048));
  seen.take(2, cpu_and_memory(7000, 2048));
  seen.take(3, cpu_and_memory(1000, 2048));
  const auto two_cores = cpu_and_memory(2000, 1024);
  CHECK(scan(seen, two_cores, fit_order::tightest) == 1); // 2 has one core left
  CHECK(scan(seen, two_cores, fit_order::roomiest) == 3);
  CHECK_FALSE(scan(seen, cpu_and_memory(7500, 1024), fit_order::tightest));
}

TEST_CASE("only the resources that the task asks for count as room") {
  const auto machines = equal_machines(2, 1);
  view seen{machines, 0s};
  seen.take(0, cpu_and_memory(1000, 0));
  seen.take(1, cpu_and_memory(0, 12288));
  CHECK(scan(seen, cpu_and_memory(1000, 0), fit_order::tightest) == 0);
  CHECK(scan(seen, cpu_and_memory(0, 1024), fit_order::tightest) == 1);
  CHECK(scan(seen, cpu_and_memory(1000, 1024), fit_order::tightest) == 1);
}

TEST_CASE("a machine that is overdrawn in any resource has no room") {
  const auto machines = equal_machines(2, 1);
  view seen{machines, 0s};
  seen.take(0, cpu_and_memory(1000, 20'000)); // charged twice over, in the view
  CHECK(scan(seen, cpu_and_memory(1000, 0), fit_order::tightest) == 1);
}

TEST_CASE("what no machine could hold is found nowhere") {
  const auto machines = equal_machines(2, 1);
  const view seen{machines, 0s};
  CHECK_FALSE(scan(seen, one_slot, fit_order::tightest));
  CHECK_FALSE(scan(seen, cpu_and_memory(9000, 0), fit_order::roomiest));
}

TEST_CASE("of machines with equal room the best score is taken, of equal scores any") {
  const auto machines = equal_machines(200, 4);
  const view seen{machines, 0s};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto m = scan(seen, cpu_and_memory(1000, 1024), fit_order::tightest, 0, seed);
    REQUIRE(m);
    CHECK(machines.score(*m) == doctest::Approx(1 + 0.1 * 199));
  }
  const auto even = even_catalog(200, 4, 1);
  const view all_alike{even, 0s};
  std::set<machine_id> taken;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    taken.insert(scan(all_alike, one_slot, fit_order::roomiest, 0, seed).value());
  CHECK(taken.size() > 30);
}

TEST_CASE("the score that breaks ties is that of the task's class") {
  const auto machines =
    disk_catalog({hdd, ssd}, 1, 1, {{"fast", {{parse_constraint("disk == ssd"), 2}}}});
  const view seen{machines, 0s};
  random_stream random{1};
  CHECK(scan_for_fit(seen, {{}, one_slot, {}, 0}, fit_order::tightest, 0, random) == 0);
  CHECK(scan_for_fit(seen, {{}, one_slot, {}, 1}, fit_order::tightest, 0, random) == 1);
}

TEST_CASE("a filter keeps the best fits out") {
  const auto machines = disk_catalog({hdd, ssd, hdd, ssd}, 2, 3);
  view seen{machines, 0s};
  seen.take(0, one_slot);
  seen.take(0, one_slot);
  kind_set kinds{2};
  kinds.add(ssd);
  machine_set away;
  random_stream random{1};
  for (machine_id m = 0; m < 4; ++m) {
    if (machines.machine(m).kind != ssd)
      continue;
    const auto found =
      scan_for_fit(seen, {{}, one_slot, {&kinds, &away, nullptr}}, fit_order::tightest, 0, random);
    REQUIRE(found);
    CHECK(machines.machine(*found).kind == ssd);
    away.insert(*found);
  }
  CHECK_FALSE(
    scan_for_fit(seen, {{}, one_slot, {&kinds, &away, nullptr}}, fit_order::tightest, 0, random));
}

TEST_CASE("a scan of everything agrees with the definition") {
  std::vector<machine_info> all;
  for (std::uint32_t i = 0; i < 300; ++i)
    all.push_back({cpu_and_memory(i % 3 == 0 ? 32'768 : 16'384, i % 2 == 0 ? 65'536 : 32'768),
                   1 + 0.001 * i, i % 3});
  const catalog machines{
    std::move(all), {{"a", {}}, {"b", {}}, {"c", {}}}, 7, cpu_and_memory(1000, 2048)};
  view seen{machines, 0s};
  auto random = random_stream::derive(1, "fit_scan_test", 0);
  for (int i = 0; i < 400; ++i) {
    const auto demand = cpu_and_memory(static_cast<std::int32_t>(1 + random.below(12)) * 512,
                                       static_cast<std::int32_t>(1 + random.below(12)) * 1024);
    const auto order = i % 2 == 0 ? fit_order::tightest : fit_order::roomiest;
    const auto m = scan_for_fit(seen, {{}, demand}, order, 0, random);
    REQUIRE(m == by_hand(seen, demand, order));
    if (m)
      seen.take(*m, demand);
  }
}

TEST_CASE("a limited scan looks at so many machines from a random one on") {
  const auto machines = equal_machines(1'000, 10);
  const view seen{machines, 0s};
  std::set<machine_id> taken;
  double score = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto m = scan(seen, cpu_and_memory(1000, 0), fit_order::tightest, 10, seed).value();
    taken.insert(m);
    score += machines.score(m) / 200;
  }
  CHECK(taken.size() > 100);
  CHECK(score < 1 + 0.1 * 700); // a scan of everything takes the best: 1 + 0.1 * 999
}

TEST_CASE("hidden partitions are not looked at") {
  const auto machines = equal_machines(100, 4);
  view seen{machines, 0s};
  for (partition_id p : {0U, 1U, 3U})
    seen.hide(p, true);
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const std::uint32_t limit : {0U, 3U})
      CHECK(
        machines.place_of(*scan(seen, cpu_and_memory(1000, 0), fit_order::tightest, limit, seed))
          .partition == 2);
  seen.hide(2, true);
  CHECK_FALSE(scan(seen, cpu_and_memory(1000, 0), fit_order::tightest));
}

TEST_CASE("a limited scan goes on until a machine is found") {
  const auto machines = equal_machines(1'000, 10);
  view seen{machines, 0s};
  for (machine_id m = 0; m < 1'000; ++m)
    if (m != 437)
      seen.take(m, cpu_and_memory(7500, 0));
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    CHECK(scan(seen, cpu_and_memory(1000, 0), fit_order::tightest, 5, seed) == 437);
}
