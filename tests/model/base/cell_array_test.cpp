#include "model/base/cell_array.hpp"
#include "model/base/free_table.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace troupe;
using namespace troupe::testing;

TEST_CASE("an array of small numbers is small, and any other one is wide") {
  CHECK_FALSE(cell_array{}.wide());
  CHECK_FALSE(cell_array{-128, 0, 127}.wide());
  CHECK(cell_array{0, 128}.wide());
  CHECK(cell_array{-129, 0}.wide());
  CHECK(cell_array{0, 256}.wide()); // its last byte is small
  CHECK(cell_array{0, 256}.values() == std::vector<std::int32_t>{0, 256});
  CHECK(cell_array{-128, 0, 127}.values() == std::vector<std::int32_t>{-128, 0, 127});
}

TEST_CASE("an array becomes wide when it gets a number that is not small") {
  cell_array cells{1, 2, 3};
  cells.set(1, -128);
  CHECK_FALSE(cells.wide());
  cells.set(2, 128);
  CHECK(cells.wide());
  CHECK(cells.values() == std::vector<std::int32_t>{1, -128, 128});
  cells.set(2, 3);
  CHECK(cells.wide());
  CHECK(cells == cell_array{1, -128, 3});
  CHECK_FALSE(cells == cell_array{1, -128, 4});
  const std::int32_t more[] = {7, 70'000};
  cells.append(more, 2);
  CHECK(cells.values() == std::vector<std::int32_t>{1, -128, 3, 7, 70'000});
}

TEST_CASE("an array equals a plain one after any sequence of changes and copies") {
  random_stream random{7};
  for (int n = 0; n < 200; ++n) {
    std::vector<std::int32_t> plain(1 + random.below(40));
    cell_array cells{plain};
    for (int step = 0; step < 60; ++step) {
      const auto i = random.below(plain.size());
      const auto range = n % 2 == 0 ? 127 : 140;
      plain[i] = static_cast<std::int32_t>(random.below(2 * range)) - range;
      cells.set(i, plain[i]);
      if (random.below(8) == 0) {
        auto copy = cells.copy();
        const auto before = copy.values();
        cells.set(i, 99);
        REQUIRE(copy.values() == before); // a copy has numbers of its own
        cell_array::recycle(std::exchange(cells, std::move(copy)));
      }
      REQUIRE(cells.size() == plain.size());
      REQUIRE(cells.values() == plain);
      REQUIRE(cells[i] == plain[i]);
    }
  }
}

TEST_CASE("a buffer that was kept is of no other size or width afterwards") {
  cell_array::recycle(cell_array(std::vector<std::int32_t>(100, 5)));
  cell_array::recycle(cell_array(std::vector<std::int32_t>(100, 500)));
  CHECK(cell_array{1, 2}.copy().values() == std::vector<std::int32_t>{1, 2});
  CHECK(cell_array{1000, 2}.copy().values() == std::vector<std::int32_t>{1000, 2});
  CHECK(cell_array{}.copy().size() == 0);
}

TEST_CASE("a table takes and gives beyond what a byte holds") {
  const auto machines = slot_catalog({2, 1}, 1, 100);
  free_table table{machines, 0};
  CHECK_FALSE(table.cells().wide());
  table.give(0, resources::of_slots(27));
  CHECK_FALSE(table.cells().wide());
  table.give(0, resources::of_slots(1));
  CHECK(table.cells().wide());
  CHECK(table.at(0) == resources::of_slots(128));
  table.take(1, resources::of_slots(300));
  CHECK(table.at(1) == resources::of_slots(-200));
  CHECK_FALSE(table.fits(1, one_slot));
}
