#include "actors/owner/owner_meter.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("use is integrated between changes, and only while a machine is present") {
  const auto machines = even_catalog(1, 1, 4);
  owned_partitions parts{
    machines, std::array<partition_id, 1>{0}, conflict_detection::fine, {.tenants = 2}, false};
  owner_meter meter{10s};
  meter.advance(parts, 11s);
  REQUIRE_FALSE(parts.find(0)->commit(slot_placement(1, 0, 0), 0));
  meter.advance(parts, 14s);
  meter.advance(parts, 12s); // earlier: no change
  parts.find(0)->remove(0);
  meter.counts().accepted = 1;

  const auto sample = meter.take(parts, 20s);
  CHECK(sample.seconds == doctest::Approx(4));
  CHECK(sample.used_seconds == doctest::Approx(3 * 0.25));
  const auto& slots = sample.resources[static_cast<std::size_t>(resource::slots)];
  CHECK(slots.capacity == doctest::Approx(4 * 4));
  CHECK(slots.used == doctest::Approx(3));
  CHECK(sample.accepted == 1);
  CHECK(sample.machines == 0);
  CHECK(sample.capacity_weight == 1);
  CHECK(sample.tenants.size() == 2);

  const auto next = meter.take(parts, 20s);
  CHECK(next.seconds == 0);
  CHECK(next.accepted == 0);
  CHECK(next.resources[static_cast<std::size_t>(resource::slots)].capacity == 0);
}
