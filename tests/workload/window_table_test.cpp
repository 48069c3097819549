#include "support/contains.hpp"
#include "support/scratch_windows.hpp"
#include "workload/formats/window_table.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace troupe;
using troupe::test::contains;
using troupe::testing::scratch_windows;

namespace {

std::vector<window_row> rows_of(const std::string& text) {
  const scratch_windows file{text};
  return read_windows(file.path());
}

std::string why_not(const std::string& text) {
  try {
    rows_of(text);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return {};
}

} // namespace

TEST_CASE("a table of windows names machines, partitions or a number of machines") {
  const auto rows = rows_of("# maintenance first\n"
                            "start_s,end_s,machines,partitions,count,tenant\n"
                            "\n"
                            "10,20.5, 0-63 70 ,,,\r\n"
                            "1e3,2e3,,3,,\n"
                            "5,6,,,32,physics\n");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].from == std::chrono::seconds{10});
  CHECK(rows[0].to == std::chrono::milliseconds{20'500});
  CHECK(rows[0].machines ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 63}, {70, 70}});
  CHECK(rows[0].tenant.empty());
  CHECK(rows[0].at.ends_with(":4"));
  CHECK(rows[1].partitions == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 3}});
  CHECK(rows[2].count == 32);
  CHECK(rows[2].tenant == "physics");
}

TEST_CASE("times in a table of windows may be in UTC") {
  const auto rows = rows_of("start,end,machines\n1970-01-02T00:00:01Z,2024-02-29T23:59:59Z,3\n");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].utc);
  CHECK(rows[0].from == std::chrono::seconds{86'401});
  CHECK(rows[0].to == std::chrono::seconds{1'709'251'199});
  const std::string header = "start,end,machines\n";
  for (const auto* bad :
       {"7", "2023-02-29T00:00:00Z", "2024-02-29 00:00:00Z", "2024-13-01T00:00:00Z",
        "2024-02-29T24:00:00Z", "2024-02-29T23:60:00Z", "2024-02-29T23:59:60Z",
        "1969-02-20T00:00:00Z", "2024-02-29T23:59:59", ""})
    CHECK(contains(why_not(header + bad + ",2024-02-29T23:59:59Z,3\n"),
                   std::string{":2: start \""} + bad + "\"; expected a time in UTC such as 2026-"));
  CHECK(contains(why_not(header + "2024-02-29T23:59:59Z,2024-02-29T23:59:59Z,3\n"),
                 ":2: end \"2024-02-29T23:59:59Z\"; expected a time after start, 2024-02-29T23"));
  CHECK(contains(why_not("start,end_s,machines\n"), ":1: no column end;"));
  CHECK(
    contains(why_not("start,end,end_s,machines\n"),
             ":1: a column \"end_s\" beside those of times in UTC; expected start and end, or"));
}

TEST_CASE("columns of a table of windows may come in any order, and be left out") {
  const auto rows = rows_of("count,end_s,start_s\n2,9,8\n");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].count == 2);
  CHECK(rows[0].from == std::chrono::seconds{8});
}

TEST_CASE("what is wrong in a table of windows is named by line and value") {
  CHECK(contains(why_not("# nothing\n"), "no header"));
  CHECK(
    contains(why_not("start_s,stop\n"), ":1: a column \"stop\"; expected columns among start_s"));
  CHECK(contains(why_not("start_s,machines\n"), ":1: no column end_s"));
  CHECK(contains(why_not("start_s,end_s,end_s\n"), ":1: two columns \"end_s\""));
  const std::string header = "start_s,end_s,machines,count\n";
  CHECK(contains(why_not(header + "1,2,3\n"), ":2: a row of 3 fields; expected 4"));
  CHECK(contains(why_not(header + "x,2,3,\n"), ":2: start_s \"x\"; expected seconds"));
  CHECK(contains(why_not(header + "-1,2,3,\n"), ":2: start_s \"-1\""));
  CHECK(contains(why_not(header + "1,nan,3,\n"), ":2: end_s \"nan\""));
  CHECK(
    contains(why_not(header + "2,2,3,\n"), ":2: end_s \"2\"; expected a time after start_s, 2"));
  CHECK(contains(why_not(header + "1,2,5-3,\n"), ":2: machines \"5-3\"; expected numbers"));
  CHECK(contains(why_not(header + "1,2,a,\n"), ":2: machines \"a\""));
  CHECK(contains(why_not(header + "1,2,,0\n"), ":2: count \"0\"; expected a number"));
  CHECK(contains(why_not(header + "1,2,,\n"), ":2: no machines; expected one of the columns"));
  CHECK(contains(why_not(header + "1,2,3,4\n"), ":2: machines that are named in several ways"));
}
