#include "model/jobs/constraint.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace troupe;

namespace {

const std::map<std::string, std::string> machine{
  {"disk", "ssd"}, {"cores", "32"}, {"gpu", "V100"}, {"zone", "a"}};

bool met(const char* text) {
  return meets(machine, parse_constraint(text));
}

} // namespace

TEST_CASE("a constraint compares an attribute") {
  CHECK(met("disk == ssd"));
  CHECK_FALSE(met("disk == hdd"));
  CHECK(met("zone != b"));
  CHECK_FALSE(met("zone != a"));
  CHECK(met("gpu in A100,V100"));
  CHECK(met("gpu in A100, V100"));
  CHECK_FALSE(met("gpu in A100,T4"));
  CHECK(met("cores > 31.5"));
  CHECK_FALSE(met("cores > 32"));
  CHECK(met("cores < 33"));
  CHECK_FALSE(met("cores < 32"));
}

TEST_CASE("a machine without the attribute meets only what excludes a value") {
  CHECK(met("rack != 7"));
  CHECK_FALSE(met("rack == 7"));
  CHECK_FALSE(met("rack in 7,8"));
  CHECK_FALSE(met("rack < 7"));
  CHECK_FALSE(met("disk > 7")); // no number
}

TEST_CASE("a constraint is printed as it is read") {
  for (const auto* text :
       {"disk == ssd", "zone != b", "gpu in A100,V100", "cores > 16", "cores < 6"})
    CHECK(to_string(parse_constraint(text)) == text);
}

TEST_CASE("the operator that comes first is the one") {
  using op = constraint_operator;
  CHECK(parse_constraint("url != a==b") == constraint{"url", op::not_equals, {"a==b"}});
  CHECK(parse_constraint("url == a!=b") == constraint{"url", op::equals, {"a!=b"}});
  CHECK(parse_constraint("url==a in b") == constraint{"url", op::equals, {"a in b"}});
  CHECK(parse_constraint("x in A==1,B") == constraint{"x", op::in, {"A==1", "B"}});
  CHECK(parse_constraint("range == 1<2") == constraint{"range", op::equals, {"1<2"}});
}

TEST_CASE("what is no constraint is refused with the reason") {
  const auto refused = [](const char* text, const char* why) {
    try {
      parse_constraint(text);
      FAIL("accepted: " << text);
    } catch (const std::invalid_argument& e) {
      CHECK(std::string{e.what()}.ends_with(std::string{"\""} + text + "\" " + why));
    }
  };
  refused("disk", "has none of ==, !=, in, > and <");
  refused("== ssd", "names no attribute");
  refused("disk ==", "names no value");
  refused("gpu in A100,,T4", "names no value");
  refused("cores > many", "compares with \"many\", which is no number");
}
