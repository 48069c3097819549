#include "model/cluster/present_capacity.hpp"
#include "model/jobs/tenants.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// 100 cores and 200 MiB in all.
constexpr resource_sum cluster_capacity{{100'000, 200, 0, 0}};

resource_sum sum_of(const resources& r) {
  return resource_sum{} + r;
}

} // namespace

TEST_CASE("a dominant share is that of the resource of which most is used") {
  CHECK(dominant_share(cpu_and_memory(10'000, 50), cluster_capacity) == doctest::Approx(0.25));
  CHECK(dominant_share(cpu_and_memory(60'000, 50), cluster_capacity) == doctest::Approx(0.6));
  CHECK(dominant_share(resources::of_slots(3), cluster_capacity) == 0);
}

TEST_CASE("the capacity of a cluster, or of some partitions, is that of its machines") {
  const auto machines = even_catalog(12, 4, 3);
  CHECK(total_capacity(machines) == sum_of(resources::of_slots(36)));
  CHECK(present_capacity(machines, std::array<partition_id, 2>{1, 3}) ==
        sum_of(resources::of_slots(18)));
}

TEST_CASE("what an owner tells replaces what it told before and what was charged to it since") {
  tenant_shares shares{{{}, {}}, cluster_capacity, 2};
  shares.charge(0, 1, cpu_and_memory(10'000, 0));
  shares.charge(1, 1, cpu_and_memory(20'000, 0));
  CHECK(shares.share(1) == doctest::Approx(0.3));
  shares.assign(0, std::array{resource_sum{}, sum_of(cpu_and_memory(5'000, 20))});
  CHECK(shares.share(1) == doctest::Approx(0.25));
  shares.assign(0, std::array{sum_of(cpu_and_memory(0, 100)), resource_sum{}});
  CHECK(shares.share(0) == doctest::Approx(0.5));
  CHECK(shares.share(1) == doctest::Approx(0.2));
  shares.refund(1, 1, cpu_and_memory(20'000, 0));
  CHECK(shares.share(1) == 0);
}

TEST_CASE("tenants below their minimum go before those that have theirs") {
  tenant_shares shares{{{1, 0, 1}, {1, 0.3, 1}, {1, 0.1, 1}}, cluster_capacity, 1};
  shares.charge(0, 1, cpu_and_memory(20'000, 0));
  shares.charge(0, 2, cpu_and_memory(10'000, 0));
  CHECK(shares.goes_before(1, 0));
  CHECK_FALSE(shares.goes_before(0, 1));
  CHECK(shares.goes_before(0, 2));
  CHECK(shares.goes_before(1, 2));
  shares.charge(0, 1, cpu_and_memory(10'000, 0)); // exactly what it is due
  CHECK(shares.goes_before(0, 1));
}

TEST_CASE("among equals, neither goes before the other") {
  tenant_shares shares{{{1, 0, 1}, {3, 0, 1}}, cluster_capacity, 1};
  CHECK_FALSE(shares.goes_before(0, 1));
  CHECK_FALSE(shares.goes_before(1, 0));
  shares.charge(0, 0, cpu_and_memory(10'000, 0));
  shares.charge(0, 1, cpu_and_memory(30'000, 0));
  CHECK_FALSE(shares.goes_before(0, 1));
  CHECK_FALSE(shares.goes_before(1, 0));
  shares.charge(0, 1, cpu_and_memory(1, 0));
  CHECK(shares.goes_before(0, 1));
}

TEST_CASE("a maximum may be reached and not exceeded") {
  tenant_shares shares{{{1, 0, 0.3}, {}}, cluster_capacity, 1};
  CHECK(shares.may_use(0, cpu_and_memory(30'000, 60)));
  CHECK_FALSE(shares.may_use(0, cpu_and_memory(30'000, 61)));
  shares.charge(0, 0, cpu_and_memory(20'000, 0));
  CHECK(shares.may_use(0, cpu_and_memory(10'000, 0)));
  CHECK_FALSE(shares.may_use(0, cpu_and_memory(10'001, 0)));
  CHECK(shares.may_use(1, cpu_and_memory(100'000, 200)));
}

TEST_CASE("shares follow the machines of a cluster that grows") {
  tenant_shares shares{{{1, 0, 0.5}, {}}, resource_sum{}, 1, true};
  const auto use = cpu_and_memory(20'000, 0);
  CHECK(shares.may_use(0, use)); // and nothing has room for it
  CHECK(shares.may_ever_use(0, resource_sum{} + cpu_and_memory(90'000, 0)));
  shares.charge(0, 0, use);
  shares.set_capacity(cluster_capacity);
  CHECK(shares.share(0) == 0.2);
  CHECK(shares.may_use(0, cpu_and_memory(30'000, 0)));
  CHECK_FALSE(shares.may_use(0, cpu_and_memory(30'001, 0)));
  CHECK_FALSE(shares.could_use(0, resource_sum{} + cpu_and_memory(50'001, 0)));
  resource_sum half;
  half += cpu_and_memory(50'000, 100);
  shares.set_capacity(half);
  CHECK(shares.share(0) == 0.4);
  CHECK_FALSE(shares.may_use(0, cpu_and_memory(5'001, 0)));
  CHECK(shares.may_ever_use(0, resource_sum{} + cpu_and_memory(50'001, 0)));
}
