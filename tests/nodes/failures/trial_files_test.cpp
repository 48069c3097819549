#include "cli/process.hpp"
#include "failures/node_log.hpp"
#include "failures/second_counts.hpp"

#include <doctest/doctest.h>

#include <ctime>

using namespace troupe::test;
using namespace troupe::trials;
using namespace std::chrono_literals;

namespace {

/// A moment of today, local time.
std::chrono::system_clock::time_point today_at(int hour, int minute, int second) {
  std::tm local{};
  local.tm_year = 126;
  local.tm_mon = 5;
  local.tm_mday = 15;
  local.tm_hour = hour;
  local.tm_min = minute;
  local.tm_sec = second;
  local.tm_isdst = -1;
  return std::chrono::system_clock::from_time_t(std::mktime(&local));
}

} // namespace

TEST_CASE("lines of a log are timed from a moment on, also over midnight") {
  const scratch here;
  here.write("log",
             "node a listens on 127.0.0.1:1\n"
             "23:59:59.750 info owner 1: grants in incarnation 1; 3 machines have reported\n"
             "00:00:01.500 warning owner 1: grants in incarnation 2; 3 machines have reported\n");
  const auto log = read_log(here.path() / "log");
  REQUIRE(log.size() == 2);
  CHECK(log[0].text == "owner 1: grants in incarnation 1; 3 machines have reported");
  CHECK(first_after(log, today_at(23, 59, 58), "grants") == 1750ms);
  CHECK(first_after(log, today_at(0, 0, 0), "grants") == 1500ms);
  CHECK(time_after(today_at(0, 0, 0), log[0]) == -250ms);
  CHECK_FALSE(first_after(log, today_at(23, 0, 0), "takes over"));
}

TEST_CASE("the slowest second is one in which jobs still came") {
  const scratch here;
  here.write("series.csv", "from_s,to_s,group,submitted,placed\n"
                           "0,1,a,10,1\n0,1,b,10,1\n"
                           "1,2,a,10,12\n1,2,b,10,3\n"
                           "2,3,a,10,20\n2,3,b,10,20\n"
                           "3,3.2,a,1,0\n"
                           "4,5,a,0,0\n");
  const auto file = here.path() / "series.csv";
  CHECK(slowest_second(file, 0) == 2);
  CHECK(slowest_second(file, 1) == 15);
  CHECK(slowest_second(file, 2) == 40);
  CHECK(slowest_second(file, 3) == 0);
}
