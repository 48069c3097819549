#include "model/usage_meter.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a usage meter integrates the share of the resource of which most is used") {
  usage_meter meter;
  meter.add_capacity(cpu_and_memory(3000, 1000));
  meter.add_capacity(cpu_and_memory(1000, 1000));
  CHECK(meter.used_seconds(1s) == 0);
  meter.take(cpu_and_memory(1000, 100), 1s); // a quarter of the cpu
  CHECK(meter.utilization() == doctest::Approx(0.25));
  meter.take(cpu_and_memory(0, 900), 3s); // half of the memory
  CHECK(meter.utilization() == doctest::Approx(0.5));
  CHECK(meter.used_seconds(3s) == doctest::Approx(0.5));
  CHECK(meter.used_seconds(4s) == doctest::Approx(1));
  meter.give(cpu_and_memory(1000, 100), 4s);
  meter.give(cpu_and_memory(0, 900), 4s);
  CHECK(meter.utilization() == 0);
  CHECK(meter.used_seconds(100s) == doctest::Approx(1));
}

TEST_CASE("a usage meter without capacity measures nothing") {
  usage_meter meter;
  CHECK(meter.utilization() == 0);
  CHECK(meter.used_seconds(10s) == 0);
}
