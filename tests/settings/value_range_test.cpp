#include "settings/schema/value_range.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;

namespace {

using texts = std::vector<std::string>;

texts values_in(std::string_view text) {
  const auto range = parse_range(text);
  REQUIRE(range);
  return values_of(*range);
}

} // namespace

TEST_CASE("a range stands for its values, exactly") {
  CHECK(values_in("1..4") == texts{"1", "2", "3", "4"});
  CHECK(values_in("1..10/4") == texts{"1", "5", "9"});
  CHECK(values_in("-2..2/2") == texts{"-2", "0", "2"});
  CHECK(values_in("7..7") == texts{"7"});
  CHECK(values_in("0.1..0.3/0.1") == texts{"0.1", "0.2", "0.3"});
  CHECK(values_in("0..1/0.25") == texts{"0.00", "0.25", "0.50", "0.75", "1.00"});
  CHECK(values_in("-0.5..0/0.25") == texts{"-0.50", "-0.25", "0.00"});
  CHECK(values_in("1s..2s/500ms") == texts{"1s", "1500ms", "2s"});
  CHECK(values_in("0..2ms/1ms") == texts{"0s", "1ms", "2ms"});
}

TEST_CASE("what has two dots and no numbers around them is no range") {
  for (const char* text : {"../file.tr", "a..b", "1..x", "1...3", "..", "1..", "5", "1.5", "-..1"})
    CHECK_FALSE(parse_range(text));
}

TEST_CASE("a range that cannot be meant is refused") {
  for (const char* text : {"4..1", "1..4/0", "1..4/-1", "1..4/x", "1..5s", "1s..5s/2", "1..4/1s"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_range(text), std::invalid_argument);
  }
  for (const char* text : {"0.1..0.5", "1s..5s", "1..100000000"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(values_of(*parse_range(text)), std::invalid_argument);
  }
}

TEST_CASE("a distance makes the scale of a range as fine as it needs") {
  auto range = *parse_range("1..2");
  CHECK(parse_distance("0.25", range) == 25);
  CHECK(range.from == 100);
  CHECK(range.to == 200);
  CHECK(range.scale.text(range.from + 25) == "1.25");
  CHECK(range.scale.number(125) == doctest::Approx(1.25));
  auto times = *parse_range("1s..2s");
  CHECK(times.scale.text(times.from + parse_distance("10us", times)) == "1000010us");
  CHECK(times.scale.number(times.to) == 2);
  CHECK_THROWS_AS(parse_distance("10", times), std::invalid_argument);
}
