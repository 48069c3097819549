#include "settings/schema/varied_setting.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;

namespace {

using texts = std::vector<std::string>;

texts assignments_in(std::string_view text) {
  texts all;
  for (const auto& value : parse_varied_setting(text).values)
    all.push_back(value.assignment);
  return all;
}

} // namespace

TEST_CASE("values between commas are those that --set would take") {
  CHECK(parse_varied_setting("sync.gap=1s").key == "sync.gap");
  CHECK(assignments_in("sync.gap=500ms,1s") == texts{"sync.gap=500ms", "sync.gap=1s"});
  CHECK(assignments_in("schedulers=1..5/2,20") ==
        texts{"schedulers=1", "schedulers=3", "schedulers=5", "schedulers=20"});
  CHECK(assignments_in("a=[1, 2],\"x,y\",{b = 1, c = 2}") ==
        texts{"a=[1, 2]", "a=\"x,y\"", "a={b = 1, c = 2}"});
  CHECK(assignments_in("workload.file=../a.tr,b.tr") ==
        texts{"workload.file=../a.tr", "workload.file=b.tr"});
}

TEST_CASE("a list of values that cannot be meant is refused") {
  for (const char* text : {"", "a", "=1", "a=", "a=1,,2", "a=1,", "a=1,1", "a=2,1..3", "a=3..1"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_varied_setting(text), std::invalid_argument);
  }
}
