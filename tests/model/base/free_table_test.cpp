#include "model/base/free_table.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace troupe::testing;

namespace {

catalog two_kinds() {
  std::vector<machine_info> machines = {{cpu_and_memory(4000, 8192), 2, 0},
                                        {cpu_and_memory(8000, 4096), 1, 0}};
  return {std::move(machines), {{"default", {}}}, 1, cpu_and_memory(1000, 1024)};
}

} // namespace

TEST_CASE("a table starts with every machine idle") {
  const auto machines = two_kinds();
  const free_table table{machines, 0};
  CHECK(table.size() == 2);
  CHECK(table.at(0) == cpu_and_memory(4000, 8192));
  CHECK(table.at(1) == cpu_and_memory(8000, 4096));
  CHECK(table.cells() == std::vector<std::int32_t>{4000, 8000, 8192, 4096});
}

TEST_CASE("what is taken is missing until it is given back") {
  const auto machines = two_kinds();
  free_table table{machines, 0};
  table.take(1, cpu_and_memory(500, 4096));
  CHECK(table.at(1) == cpu_and_memory(7500, 0));
  CHECK(table.at(0) == cpu_and_memory(4000, 8192));
  CHECK_FALSE(table.fits(1, cpu_and_memory(1, 1)));
  CHECK(table.fits(1, cpu_and_memory(7500, 0)));
  table.give(1, cpu_and_memory(500, 4096));
  CHECK(table.at(1) == cpu_and_memory(8000, 4096));
}

TEST_CASE("a kind that no machine has never fits") {
  const auto machines = two_kinds();
  const free_table table{machines, 0};
  CHECK_FALSE(table.fits(0, one_slot));
  auto with_gpu = cpu_and_memory(1, 1);
  with_gpu[resource::gpu] = 1;
  CHECK_FALSE(table.fits(0, with_gpu));
}

TEST_CASE("cells of one table can be put into another, if they are as many") {
  const auto machines = two_kinds();
  free_table from{machines, 0};
  from.set(0, cpu_and_memory(1, 2));
  free_table to{machines, 0};
  to.assign(from.cells());
  CHECK(to.at(0) == cpu_and_memory(1, 2));
  CHECK(to.at(1) == cpu_and_memory(8000, 4096));
  CHECK_THROWS_WITH_AS(to.assign({1, 2, 3}), "a snapshot of 3 cells for a partition of 4",
                       std::invalid_argument);
  CHECK(to.at(0) == cpu_and_memory(1, 2));
}
