#include "report/page/run_directory.hpp"
#include "report/page/runs/columns.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace troupe;

TEST_CASE("columns have the values of the file, and NaN where a field is empty") {
  const run_directory here;
  here.put("x.csv", "to_s,group,placed\r\n1,\"a,\"\"b\"\"\r\nc\",10\r\n2,d,\r\n");
  const auto of = read_columns(here.path() / "x.csv");
  CHECK(of.rows == 2);
  CHECK(of.number("to_s") == std::vector<double>{1, 2});
  CHECK(of.text("group") == std::vector<std::string>{"a,\"b\"\r\nc", "d"});
  CHECK(of.number("placed")[0] == 10);
  CHECK(std::isnan(of.number("placed")[1]));
  CHECK(of.number("none").empty());
}

TEST_CASE("a damaged file is refused with its name, the line, the column and the value") {
  const run_directory here;
  const auto file = here.path() / "x.csv";
  here.put("x.csv", "to_s,placed\r\n1,2\r\n3,many\r\n");
  CHECK_THROWS_WITH_AS(read_columns(file),
                       (file.string() + ":3: column 'placed': \"many\"; expected a number").c_str(),
                       std::runtime_error);
  here.put("x.csv", "to_s,placed\r\n1,2\r\n3\r\n");
  CHECK_THROWS_WITH_AS(read_columns(file),
                       (file.string() + ":3: 1 fields; expected 2 as in the header").c_str(),
                       std::runtime_error);
  here.put("x.csv", "");
  CHECK_THROWS_WITH_AS(read_columns(file), doctest::Contains("the file is empty"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(read_columns(here.path() / "none.csv"), doctest::Contains("none.csv"),
                       std::runtime_error);
}
