#include "settings/toml/duration_text.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("durations are read in every unit") {
  CHECK(parse_duration("10ns") == 10ns);
  CHECK(parse_duration("100us") == 100us);
  CHECK(parse_duration("250ms") == 250ms);
  CHECK(parse_duration("5s") == 5s);
  CHECK(parse_duration("2m") == 120s);
  CHECK(parse_duration("1h") == 3600s);
  CHECK(parse_duration("0") == 0s);
  CHECK(parse_duration("0s") == 0s);
  CHECK(parse_duration("-3s") == -3s);
}

TEST_CASE("decimals are exact") {
  CHECK(parse_duration("1.5s") == 1500ms);
  CHECK(parse_duration("0.1s") == 100ms);
  CHECK(parse_duration("0.000000001s") == 1ns);
  CHECK(parse_duration("0.00000000005m") == 3ns);
  CHECK(parse_duration("1.50000000000000000000000000000s") == 1500ms);
  CHECK(parse_duration("876000h") == max_duration);
}

TEST_CASE("what is no duration is refused") {
  for (const auto* text : {"", "5", "s", "5 s", "5 seconds", "1.s", ".5s", "1e3s", "--1s", "5S",
                           "0.5", "nan", "0x5s", "1.5.5s", "+1s"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_duration(text),
                         "a duration such as \"5s\" (units: ns, us, ms, s, m, h)",
                         std::invalid_argument);
  }
  for (const auto* text : {"1.5ns", "0.0000000001s", "1.00000000000000000000000001h"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_duration(text), "a duration of whole nanoseconds",
                         std::invalid_argument);
  }
  for (const auto* text : {"876001h", "99999999999999999999ns", "9223372036854775808ns",
                           "3153600000000000001ns", "1000000000000000000000000h"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_duration(text), "a duration of at most 876000h (100 years)",
                         std::invalid_argument);
  }
}
