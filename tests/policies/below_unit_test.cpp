#include "policies/registry.hpp"
#include "support/model_builders.hpp"
#include "support/policy_picks.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// Twelve machines in three partitions, each with 3 of 4 cores and 2 of 16 GiB free: half a unit.
struct below_unit_fixture {
  catalog machines{std::vector<machine_info>(12, {cpu_and_memory(4000, 16 * 1024)}),
                   {{"default", {}}},
                   3,
                   cpu_and_memory(1000, 4 * 1024)};
  view seen{machines, instant{0}};
  random_stream random{1};
  resources small = cpu_and_memory(1000, 1024);

  below_unit_fixture() {
    for (machine_id m = 0; m < machines.machines(); ++m)
      seen.take(m, cpu_and_memory(1000, 14 * 1024));
  }
};

const std::vector<std::string> sampling{"random-fit", "latency-first", "quality-first", "adaptive"};

} // namespace

TEST_CASE("policies that sample find machines with room for the task but not for a unit") {
  for (const auto& name : sampling) {
    CAPTURE(name);
    below_unit_fixture f;
    REQUIRE(f.seen.units() == 0);
    const auto policy = make_policy(name, {});
    for (int i = 0; i < 24; ++i) { // two on each machine
      const auto m = pick(*policy, f.seen, f.random, f.small);
      REQUIRE(m);
      REQUIRE(f.seen.fits(*m, f.small));
      f.seen.take(*m, f.small);
    }
    CHECK_FALSE(pick(*policy, f.seen, f.random, f.small));
  }
}

TEST_CASE("they do so where other partitions have units left that do not serve") {
  for (const auto& name : sampling) {
    CAPTURE(name);
    below_unit_fixture f;
    for (const auto m : f.machines.members(1)) {
      f.seen.give(m, cpu_and_memory(1000, 14 * 1024)); // all of memory, but
      f.seen.take(m, cpu_and_memory(2500, 0));         // 1.5 cores
    }
    REQUIRE(f.seen.units() > 0);
    const auto demand = cpu_and_memory(2000, 1024);
    const auto policy = make_policy(name, {});
    const auto m = pick(*policy, f.seen, f.random, demand);
    REQUIRE(m);
    CHECK(f.seen.fits(*m, demand));
  }
}

TEST_CASE("hidden partitions stay out of it") {
  for (const auto& name : sampling) {
    CAPTURE(name);
    below_unit_fixture f;
    f.seen.hide(0, true);
    f.seen.hide(2, true);
    const auto policy = make_policy(name, {});
    const auto m = pick(*policy, f.seen, f.random, f.small);
    REQUIRE(m);
    CHECK(f.machines.place_of(*m).partition == 1);
    f.seen.hide(1, true);
    CHECK_FALSE(pick(*policy, f.seen, f.random, f.small));
  }
}

TEST_CASE("where tasks ask for a unit or more nothing is looked at or drawn in vain") {
  const auto machines = even_catalog(12, 3, 1);
  view full{machines, instant{0}};
  for (machine_id m = 0; m < machines.machines(); ++m)
    full.take(m, one_slot);
  for (const auto* name : {"random-fit", "latency-first"}) {
    CAPTURE(name);
    random_stream random{1};
    random_stream untouched{1};
    CHECK_FALSE(pick(*make_policy(name, {}), full, random));
    CHECK(random() == untouched());
  }
  CHECK_FALSE(full.fits_below_unit(one_slot));
}
