#include "experiments/value_table.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

const value_table table{{"", "a", "long name"},
                        {{"delay", "1.2 ± 0.1", "3"}, {"x|y,\"z\"", "-", "4"}}};

} // namespace

TEST_CASE("a table is aligned for a terminal") {
  CHECK(table.to_plain() == "                 a  long name\n"
                            "delay    1.2 ± 0.1          3\n"
                            "x|y,\"z\"          -          4\n");
}

TEST_CASE("a table is written as Markdown") {
  CHECK(table.to_markdown() == "|  | a | long name |\n"
                               "|---|---:|---:|\n"
                               "| delay | 1.2 ± 0.1 | 3 |\n"
                               "| x\\|y,\"z\" | - | 4 |\n");
}

TEST_CASE("a table is written as CSV") {
  CHECK(table.to_csv() == ",a,long name\r\n"
                          "delay,1.2 ± 0.1,3\r\n"
                          "\"x|y,\"\"z\"\"\",-,4\r\n");
}
