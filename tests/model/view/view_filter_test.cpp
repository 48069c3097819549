#include "model/view/view.hpp"
#include "support/attribute_cluster.hpp"
#include "support/chi_square.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// `count` machines, every `nth` of them of kind ssd.
std::vector<std::uint32_t> every(std::uint32_t nth, std::uint32_t count) {
  std::vector<std::uint32_t> kinds(count, hdd);
  for (std::uint32_t i = 0; i < count; i += nth)
    kinds[i] = ssd;
  return kinds;
}

struct filtered {
  explicit filtered(catalog c) : machines(std::move(c)) { only_ssd.add(ssd); }

  catalog machines;
  view seen{machines, 0s};
  kind_set only_ssd{2};
  random_stream random{1};

  task_request request(const resources& demand = one_slot) const {
    return {{}, demand, {&only_ssd, nullptr, nullptr}};
  }

  /// Score times free slots of the machines that the filter of `asked` admits.
  std::vector<double> weights(const task_request& asked, bool by_score) const {
    std::vector<double> expected;
    for (machine_id m = 0; m < machines.machines(); ++m)
      expected.push_back(asked.filter.admits(machines, m) && seen.fits(m, asked.demand)
                           ? (by_score ? machines.score(m) : 1) * seen.free(m)[resource::slots]
                           : 0);
    return expected;
  }
};

} // namespace

TEST_CASE("under a filter machines are still sampled by score times free units") {
  for (const std::uint32_t nth : {2U, 5U, 60U}) { // common, rare, and rare enough to be searched
    CAPTURE(nth);
    filtered f{disk_catalog(every(nth, 240), 1, 2)};
    for (machine_id m = 0; m < 240; m += 4)
      f.seen.take(m, one_slot);
    const auto request = f.request();
    std::vector<std::uint64_t> counts(240);
    for (int i = 0; i < 20'000; ++i)
      ++counts[f.seen.sample_by_score(0, request, f.random).value()];
    CHECK(agrees(counts, f.weights(request, true)));
  }
}

TEST_CASE("even sampling under a filter is even where partitions have as much of it") {
  filtered f{disk_catalog(every(5, 300), 3, 2)};
  const auto request = f.request();
  std::vector<std::uint64_t> counts(300);
  for (int i = 0; i < 30'000; ++i)
    ++counts[f.seen.sample_evenly(request, f.random).value()];
  CHECK(agrees(counts, f.weights(request, false)));
}

TEST_CASE("the one machine that passes is found, and then none") {
  filtered f{disk_catalog(every(1'000, 1'000), 4, 1)};
  const auto only = f.machines.members(0)[0]; // the best one of all
  REQUIRE(f.machines.machine(only).kind == ssd);
  for (int i = 0; i < 20; ++i) {
    CHECK(f.seen.sample_evenly(f.request(), f.random) == only);
    CHECK(f.seen.sample_by_score(0, f.request(), f.random) == only);
    CHECK_FALSE(f.seen.sample_by_score(1, f.request(), f.random));
  }
  f.seen.take(only, one_slot);
  CHECK_FALSE(f.seen.sample_evenly(f.request(), f.random));
  CHECK_FALSE(f.seen.sample_by_score(0, f.request(), f.random));
}

TEST_CASE("machines to stay away from are never sampled") {
  filtered f{disk_catalog(every(2, 6), 1, 2)};
  machine_set away;
  for (machine_id m = 0; m < 5; ++m)
    away.insert(m);
  const task_request request{{}, one_slot, {nullptr, &away, nullptr}};
  for (int i = 0; i < 200; ++i) {
    CHECK(f.seen.sample_by_score(0, request, f.random) == 5);
    CHECK(f.seen.sample_evenly(request, f.random) == 5);
  }
  away.insert(5);
  CHECK_FALSE(f.seen.sample_by_score(0, request, f.random));
  CHECK_FALSE(f.seen.sample_evenly(request, f.random));
}

TEST_CASE("a machine with room for the task but not for a unit is found") {
  const catalog machines{{{cpu_and_memory(4000, 4096), 1, 0}, {cpu_and_memory(4000, 4096), 1, 1}},
                         {{"a", {}}, {"b", {}}},
                         1,
                         cpu_and_memory(1000, 1024)};
  view seen{machines, 0s};
  const auto second = machines.machine(0).kind == 1 ? 0U : 1U;
  seen.take(second, cpu_and_memory(3500, 1024));
  kind_set kinds{2};
  kinds.add(1);
  random_stream random{1};
  const task_request small{{}, cpu_and_memory(500, 512), {&kinds, nullptr, nullptr}};
  CHECK(seen.sample_by_score(0, small, random) == second);
  CHECK(seen.sample_evenly(small, random) == second);
}

TEST_CASE("a view tells when something may have become free") {
  const auto machines = disk_catalog({hdd, ssd}, 1, 2);
  view seen{machines, 0s};
  const auto before = seen.gains();
  seen.take(0, one_slot);
  CHECK(seen.gains() == before);
  seen.correct(0, resources::of_slots(2), 3);
  CHECK(seen.gains() > before);
  const auto corrected = seen.gains();
  seen.apply({0, 1s, {2, 2}, {}}, 1);
  CHECK(seen.gains() > corrected);
}
