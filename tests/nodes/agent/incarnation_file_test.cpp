#include "cli/process.hpp"
#include "nodes/agent/incarnation_file.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;

TEST_CASE("numbers of a file rise, even if the clock goes back") {
  const test::scratch here;
  const auto file = here.path() / "number";
  CHECK(coming_incarnation(file) == 1);
  CHECK(next_incarnation(file) == 1);
  CHECK(coming_incarnation(file) == 2);
  CHECK(next_incarnation(file) == 2);
  CHECK(rising_number(file, 1000) == 1000);
  CHECK(rising_number(file, 400) == 1001); // the clock has gone back
  CHECK(rising_number(file, 1001) == 1002);
  CHECK(rising_number(file, 5000) == 5000);
  take_back(file, 6000);
  CHECK(rising_number(file, 400) == 5001);
  take_back(file, 400); // to a new cluster
  CHECK(rising_number(file, 400) == 401);
}

TEST_CASE("a damaged file of a number is named") {
  const test::scratch here;
  here.write("number", "x\n");
  CHECK_THROWS_WITH_AS(next_incarnation(here.path() / "number"),
                       doctest::Contains("number: a number is expected"), std::runtime_error);
}
