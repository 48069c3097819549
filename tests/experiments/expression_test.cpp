#include "experiments/expectations/expression.hpp"
#include "experiments/expectations/value_error.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace troupe;

namespace {

double value(const std::string& text, const std::vector<double>& values = {}) {
  return expression(text).evaluate(values);
}

std::string refusal(const std::string& text) {
  try {
    expression e(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST_CASE("an expression names values of runs in braces, whatever is in their names") {
  const expression e("{N=2[500ms,3]: phases.2.A.quality.mean} / {a-b: x} + { x } - {a-b:x}");
  CHECK(e.references() == std::vector<value_reference>{
                            {"N=2[500ms,3]", "phases.2.A.quality.mean"}, {"a-b", "x"}, {"", "x"}});
  CHECK(e.evaluate(std::vector<double>{6, 2, 10}) == 3 + 10 - 2);
}

TEST_CASE("arithmetic, comparisons and functions are those of muParser and two more") {
  CHECK(value("2^3 - min(4, 1, 2)") == 7);
  CHECK(value("pow(2, 0.5) * sqrt(2)") == doctest::Approx(2));
  CHECK(value("exp(log(5)) + abs(-1)") == doctest::Approx(6));
  CHECK(value("{x} <= 0.5 && {y} > 1", {0.5, 2}) == 1);
  CHECK(value("{x} <= 0.5 && {y} > 1", {0.6, 2}) == 0);
  CHECK(value("{x} == 3 ? 10 : 20", {3}) == 10);
  CHECK(value("erlang_c(1, {load})", {0.8}) == doctest::Approx(4));
}

TEST_CASE("what is no expression is refused") {
  CHECK(refusal("1 +").starts_with("the expression '1 +': "));
  CHECK(refusal("").starts_with("the expression ''"));
  CHECK(refusal("{a: b").find("a { without its }") != std::string::npos);
  CHECK(refusal("{a: }").find("{run: path}") != std::string::npos);
  CHECK(refusal("{a: b} = 3").find("write ==") != std::string::npos);
  CHECK(refusal("1, 2").find("several values") != std::string::npos);
  CHECK(refusal("nonsense").find("nonsense") != std::string::npos);
  CHECK(refusal("1 <= {a: x} <= 3").find("write 1 <= {a: x} && {a: x} <= 3") != std::string::npos);
  CHECK(refusal("2 > 1 && (1 < {b} < 2 < 3)").find("write 1 < {b} && {b} < 2 && 2 < 3") !=
        std::string::npos);
  CHECK(refusal("(1 <= {a: x}) == ({a: (b} <= 3)") == "accepted");
  CHECK(refusal("{a: b} >= 3 && {a: c} != 2 || 1 == 1") == "accepted");
  CHECK(refusal("erlang_c({a: servers}, {a: load})") == "accepted");
}

TEST_CASE("a value that is no finite number is an error") {
  CHECK_THROWS_AS(value("{x} / {y}", {1, 0}), value_error);
  CHECK_THROWS_AS(value("log({x})", {-1}), value_error);
  CHECK_THROWS_AS(value("erlang_c({x}, 2)", {1}), value_error);
}

TEST_CASE("a run is put into the references that have none") {
  CHECK(with_run("{x.y} / {other: z} + 1", "r[1]") == "{r[1]: x.y} / {other: z} + 1");
  CHECK(with_run("3", "r") == "3");
}
