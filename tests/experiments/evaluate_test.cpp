#include "experiments/expectations/evaluate.hpp"
#include "experiments/expectations/value_error.hpp"
#include "experiments/sweeps/goal.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

using json = nlohmann::ordered_json;

run_result run_of(const std::string& name, const std::vector<json>& xs) {
  run_result r;
  r.plan.name = name;
  for (const auto& x : xs)
    r.seeds.push_back({r.seeds.size() + 1, {{"x", x}}, "", {}});
  return r;
}

run_result searched(const std::string& name, std::optional<std::int64_t> found) {
  auto r = run_of(name, {1, 2});
  r.plan.find = search_plan{"cluster.machines", 1, 100, 1, "{x} > 5"};
  r.found = found;
  return r;
}

std::vector<double> values(const std::string& text, const std::vector<run_result>& runs) {
  return values_of(expression(text), runs);
}

std::string value_refusal(const std::string& text, const std::vector<run_result>& runs) {
  try {
    values(text, runs);
  } catch (const value_error& error) {
    return error.what();
  }
  return "has values";
}

expectation bounded(const std::string& value) {
  expectation e;
  e.values = {value};
  return e;
}

expectation trend(expectation::shape kind, const std::vector<std::string>& values) {
  expectation e;
  e.kind = kind;
  e.values = values;
  return e;
}

} // namespace

TEST_CASE("a value is computed seed by seed") {
  const std::vector runs{run_of("a", {2, 4, 9}), run_of("b", {1, 4})};
  CHECK(values("{a: x} / {b: x}", runs) == std::vector<double>{2, 1});
  CHECK(values("{a: x}", runs) == std::vector<double>{2, 4, 9});
  CHECK(values("1 + 1", runs) == std::vector<double>{2});
  CHECK(values_of(expression("{x} + {b: x}"), runs, &runs[0]) == std::vector<double>{3, 8});
}

TEST_CASE("what a search found is one value, whatever the seeds") {
  const std::vector runs{searched("a", 40), searched("b", std::nullopt), run_of("c", {7, 8})};
  CHECK(values("{a: found} - 10", runs) == std::vector<double>{30});
  CHECK(values("{a: found} + {c: x}", runs) == std::vector<double>{47, 48});
  CHECK(value_refusal("{b: found}", runs) == "b: not even cluster.machines = 100 reaches {x} > 5");
  CHECK(value_refusal("{c: found}", runs).find("nothing was searched for") != std::string::npos);
}

TEST_CASE("a value that is missing is an error that says where") {
  auto failed = run_of("f", {1, 2});
  failed.seeds[1].summary = nullptr;
  failed.seeds[1].failure = "exit code 1: boom";
  const std::vector runs{run_of("a", {1, nullptr}), failed, run_of("none", {})};
  CHECK(value_refusal("{a: x}", runs) == "a, seed 2: x: nothing was measured there (null)");
  CHECK(value_refusal("{f: x}", runs) == "f, seed 2: it failed with exit code 1: boom");
  CHECK(value_refusal("{none: x}", runs) == "none: it was not run to its end");
  CHECK(value_refusal("{ghost: x}", runs) == "there is no run 'ghost'");
}

TEST_CASE("bounds hold for the mean of the seeds") {
  const std::vector runs{run_of("a", {1, 2, 6})};
  auto e = bounded("{a: x}");
  e.min = 3;
  e.max = 3;
  CHECK(judge(e, runs).passed);
  e.min = 3.1;
  e.max = {};
  auto v = judge(e, runs);
  CHECK_FALSE(v.passed);
  CHECK(v.why == "less than 3.10");
  e.min = {};
  e.max = 2.9;
  CHECK(judge(e, runs).why == "more than 2.90");
}

TEST_CASE("a value is to be within reach of what the paper says, or of an expression") {
  const std::vector runs{run_of("a", {9, 11}), run_of("b", {4, 6})};
  auto e = bounded("{a: x}");
  e.paper = "10.5";
  e.within = 0.05;
  auto v = judge(e, runs);
  CHECK(v.passed);
  CHECK(v.target == 10.5);
  e.is = "{b: x} * 1.8";
  v = judge(e, runs);
  CHECK(v.target == doctest::Approx(9));
  CHECK_FALSE(v.passed);
  CHECK(v.why == "off by 11.1 %, more than 5 %");
}

TEST_CASE("a trend rises or falls at each step, but for its slack") {
  using shape = expectation::shape;
  const std::vector runs{run_of("a", {1}), run_of("b", {2}), run_of("c", {1.95}), run_of("d", {3})};
  const std::vector<std::string> all{"{a: x}", "{b: x}", "{c: x}", "{d: x}"};
  CHECK(judge(trend(shape::rising, {"{a: x}", "{b: x}", "{d: x}"}), runs).passed);
  CHECK(judge(trend(shape::falling, {"{d: x}", "{b: x}", "{a: x}"}), runs).passed);
  auto e = trend(shape::rising, all);
  auto v = judge(e, runs);
  CHECK_FALSE(v.passed);
  CHECK(v.why == "1.95 comes after 2");
  CHECK(v.values.size() == 4);
  e.slack = 0.05;
  CHECK(judge(e, runs).passed);
  e.values = {"{b: x}", "{c: x}"};
  CHECK(judge(e, runs).why.find("no greater than the first") != std::string::npos);
  CHECK_FALSE(judge(trend(shape::rising, {"{a: x}", "{a: x}"}), runs).passed);
}

TEST_CASE("a flat line stays near its mean") {
  const std::vector runs{run_of("a", {90}), run_of("b", {110})};
  auto e = trend(expectation::shape::flat, {"{a: x}", "{b: x}"});
  e.tolerance = 0.1;
  CHECK(judge(e, runs).passed);
  e.tolerance = 0.09;
  CHECK(judge(e, runs).why == "90 is more than 9 % off the mean, 100");
}

TEST_CASE("an expectation without a value fails, and one without its run is skipped") {
  const std::vector runs{run_of("a", {nullptr})};
  auto e = bounded("{a: x}");
  e.min = 0;
  const auto v = judge(e, runs);
  CHECK_FALSE(v.passed);
  CHECK_FALSE(v.skipped);
  CHECK(v.values.empty());
  CHECK(v.why.find("null") != std::string::npos);
  e.is = "{gone: x}";
  const std::vector<std::string> left_out{"gone"};
  CHECK(judge(e, runs, left_out).skipped);
}

TEST_CASE("a goal holds for the means of its values") {
  const auto r = run_of("a", {0, 1});
  CHECK(goal_report_of("{x} <= 0.5", r.seeds).good);
  CHECK_FALSE(goal_report_of("{x} < 0.5", r.seeds).good);
  CHECK_THROWS_AS(goal_report_of("{y} < 0.5", r.seeds), value_error);
}
