#include "experiments/sweeps/value_table.hpp"

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

TEST_CASE("a table that is too wide goes on below, with its first columns again") {
  const value_table wide{{"", "first", "second", "third"}, {{"delay", "1", "2", "3"}}};
  CHECK(wide.to_plain(22) == "       first  second\n"
                             "delay      1       2\n"
                             "\n"
                             "       third\n"
                             "delay      3\n");
  CHECK(wide.to_plain(30, 2) == "       first  second  third\n"
                                "delay      1       2      3\n");
  CHECK(wide.to_plain(21, 2) == "       first  second\n"
                                "delay      1       2\n"
                                "\n"
                                "       first  third\n"
                                "delay      1      3\n");
}

TEST_CASE("a text that is wider than the page is cut") {
  const value_table long_text{{"", "a"}, {{"x", "0123456789"}}};
  CHECK(long_text.to_plain(8) == "          a\nx  0123456~\n");
}
