#include "model/metrics/usage_meter.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Two machines of 2 and 1 cores with 1000 MiB each; fragments are a core with 500 MiB.
catalog two_machines() {
  return {{{cpu_and_memory(2000, 1000), 1, 0}, {cpu_and_memory(1000, 1000), 1, 0}},
          {{"default", {}}},
          1,
          cpu_and_memory(1000, 500)};
}

task_use use(std::int32_t milli_cpu, std::int32_t mib, std::uint32_t tenant = 0,
             bool granted = false) {
  return {cpu_and_memory(milli_cpu, mib), tenant, granted};
}

queue_counts counted(usage_meter& meter, instant now) {
  queue_counts counts;
  meter.write(counts, now);
  return counts;
}

constexpr auto cpu = static_cast<std::size_t>(resource::cpu);
constexpr auto memory = static_cast<std::size_t>(resource::memory);

} // namespace

TEST_CASE("a usage meter integrates the share of the resource of which most is used") {
  const auto machines = two_machines();
  usage_meter meter{machines, 1};
  CHECK(counted(meter, 1s).used_seconds == 0);
  const auto big = machines.machine(0).capacity;
  const auto one = use(1500, 100);
  meter.start(one, big, 1s); // half of the cpu
  CHECK(meter.utilization() == doctest::Approx(0.5));
  const auto two = use(0, 1400);
  meter.start(two, machines.machine(1).capacity, 3s); // 1500 of 2000 MiB
  CHECK(meter.utilization() == doctest::Approx(0.75));
  CHECK(counted(meter, 4s).used_seconds == doctest::Approx(1.75));
  meter.end(one, big - one.demand, 4s);
  meter.end(two, {}, 4s);
  CHECK(meter.utilization() == 0);
  const auto counts = counted(meter, 10s);
  CHECK(counts.used_seconds == doctest::Approx(1.75));
  CHECK(counts.seconds == doctest::Approx(10));
  CHECK(counts.resources[cpu].capacity == doctest::Approx(30'000));
  CHECK(counts.resources[cpu].used == doctest::Approx(4'500));
  CHECK(counts.resources[memory].used == doctest::Approx(1'700));
  CHECK(counts.tenants.empty());
}

TEST_CASE("what is free beside too little of another resource is stranded") {
  const auto machines = two_machines();
  usage_meter meter{machines, 1};
  const auto& small = machines.machine(1).capacity;
  const auto task = use(1000, 100);
  meter.start(task, small, 0s);
  meter.end(task, small - task.demand, 2s);
  const auto counts = counted(meter, 5s);
  CHECK(counts.resources[memory].stranded == doctest::Approx(1'800));
  CHECK(counts.resources[cpu].stranded == 0);
}

TEST_CASE("tenants are measured where there are several, but for tasks that owners granted") {
  const auto machines = two_machines();
  usage_meter meter{machines, 2};
  const auto& big = machines.machine(0).capacity;
  meter.start(use(500, 0, 1), big, 0s);
  meter.start(use(500, 0, 0, true), big - cpu_and_memory(500, 0), 0s);
  meter.end(use(500, 0, 1), big - cpu_and_memory(1000, 0), 3s);
  const auto counts = counted(meter, 5s);
  REQUIRE(counts.tenants.size() == 2);
  CHECK(counts.tenants[0].over.amount[cpu] == 0);
  CHECK(counts.tenants[1].over.amount[cpu] == doctest::Approx(1'500));
  CHECK(counts.tenants[1].now == resource_sum{});
  CHECK(counts.resources[cpu].used == doctest::Approx(4'000));
}

TEST_CASE("the parts of a cluster that are measured apart sum up to the whole") {
  const auto machines = two_machines();
  usage_meter whole{machines, 1};
  usage_meter first{machines, 1, 0, 1, 0s};
  usage_meter second{machines, 1, 1, 1, 0s};
  const auto task = use(500, 100);
  whole.start(task, machines.machine(0).capacity, 1s);
  first.start(task, machines.machine(0).capacity, 1s);
  const auto all = counted(whole, 3s);
  auto sum = counted(first, 3s);
  sum.merge(counted(second, 3s));
  CHECK(sum.used_seconds == doctest::Approx(all.used_seconds));
  CHECK(sum.seconds == doctest::Approx(all.seconds));
  CHECK(all.resources[cpu].capacity == sum.resources[cpu].capacity);
  CHECK(all.resources[cpu].used == sum.resources[cpu].used);
}

TEST_CASE("a part of a cluster that comes later counts from then on") {
  const auto machines = two_machines();
  usage_meter meter{machines, 1, 0, 1, 10s};
  const auto counts = counted(meter, 12s);
  CHECK(counts.resources[cpu].capacity == doctest::Approx(4'000));
  CHECK(counts.seconds == doctest::Approx(1)); // one machine of two
}

TEST_CASE("the use of machines that change is a share of what they have at the time") {
  const auto machines = even_catalog(2, 1, 2);
  usage_meter meter{machines, 1};
  const task_use one{resources::of_slots(1)};
  meter.start(one, resources::of_slots(2), 0s);
  meter.resize(resources{} - resources::of_slots(2), resources::of_slots(2), 2s);
  CHECK(meter.utilization() == doctest::Approx(0.5));
  meter.end(one, resources::of_slots(1), 4s);
  meter.resize(resources{} - resources::of_slots(2), resources::of_slots(2), 5s);
  CHECK(counted(meter, 9s).seconds == doctest::Approx(5)); // there is nothing any more
  CHECK(counted(meter, 9s).used_seconds == doctest::Approx(2 * 0.25 + 2 * 0.5));
  meter.resize(resources::of_slots(2), {}, 10s);
  const auto counts = counted(meter, 12s);
  CHECK(counts.seconds == doctest::Approx(7));
  const auto slots = static_cast<std::size_t>(resource::slots);
  CHECK(counts.resources[slots].capacity == doctest::Approx(2 * 4 + 3 * 2 + 2 * 2));
}

TEST_CASE("the parts of a cluster that changes add up") {
  const auto machines = even_catalog(4, 1, 1);
  usage_meter a{machines, 1, 0, 1, 0s};
  usage_meter b{machines, 1, 1, 3, 0s};
  const task_use one{one_slot};
  b.resize(resources{} - one_slot, one_slot, 0s);
  a.start(one, one_slot, 0s);
  b.start(one, one_slot, 0s);
  const auto in_a = counted(a, 8s);
  const auto in_b = counted(b, 8s);
  CHECK(in_a.seconds + in_b.seconds == doctest::Approx(8));
  CHECK(in_a.used_seconds == doctest::Approx(8 * 0.25));
  CHECK(in_b.used_seconds == doctest::Approx(8 * 0.75 * 0.5)); // one of the two that are there
}
