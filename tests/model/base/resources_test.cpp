#include "model/base/resources.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("adding and subtracting work on each kind and undo each other") {
  const auto a = cpu_and_memory(1500, 4096);
  const auto b = cpu_and_memory(500, 6000);
  CHECK(a + b == cpu_and_memory(2000, 10096));
  CHECK(a - b == cpu_and_memory(1000, -1904));
  CHECK(a + b - b == a);
  CHECK((a - b).any_negative());
  CHECK_FALSE((a + b).any_negative());
}

TEST_CASE("a demand fits if it fits in every kind") {
  const auto free = cpu_and_memory(1000, 2048);
  CHECK(free.fits(free));
  CHECK(free.fits({}));
  CHECK(free.fits(cpu_and_memory(1000, 1)));
  CHECK_FALSE(free.fits(cpu_and_memory(1001, 1)));
  CHECK_FALSE(free.fits(cpu_and_memory(1, 2049)));
  CHECK_FALSE(free.fits(one_slot));
  CHECK(resources{}.is_zero());
  CHECK_FALSE(free.is_zero());
}

TEST_CASE("how often a unit fits is decided by the scarcest kind it asks for") {
  const auto unit = cpu_and_memory(500, 1024);
  CHECK(times_fitting(cpu_and_memory(4000, 3072), unit) == 3);
  CHECK(times_fitting(cpu_and_memory(900, 9999), unit) == 1);
  CHECK(times_fitting(cpu_and_memory(499, 9999), unit) == 0);
  CHECK(times_fitting(cpu_and_memory(4000, 3072), cpu_and_memory(500, 0)) == 8);
  CHECK(times_fitting(cpu_and_memory(4000, 3072), {}) == 0);
  CHECK(times_fitting(cpu_and_memory(4000, 3072), one_slot) == 0);
}

TEST_CASE("nothing fits where a kind is overdrawn, whatever the other kinds have") {
  const auto unit = cpu_and_memory(500, 1024);
  CHECK(times_fitting(cpu_and_memory(-1000, 9999), unit) == 0);
  CHECK(times_fitting(cpu_and_memory(9999, -4096), unit) == 0);
  CHECK(times_fitting(resources::of_slots(-3), one_slot) == 0);
}

TEST_CASE("resources are rendered with their units, without the kinds that are zero") {
  auto all = cpu_and_memory(500, 2048);
  all[resource::gpu] = 250;
  all[resource::slots] = 1;
  CHECK(to_string(all) == "cpu 500m, memory 2048Mi, gpu 250m, slots 1");
  CHECK(to_string(resources::of_slots(2)) == "slots 2");
  CHECK(to_string(resources{}) == "nothing");
}
