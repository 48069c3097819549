#include "experiments/expectations/experiment_json.hpp"

#include "experiments/compare/default_metrics.hpp"
#include "experiments/expectations/value_error.hpp"
#include "report/results/results_format.hpp"

#include <algorithm>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

std::vector<value_column> columns_of(const experiment& e) {
  if (!e.columns.empty())
    return e.columns;
  std::vector<value_column> all;
  for (const auto& metric : experiment_metrics)
    all.push_back({std::string(metric.label), "{" + std::string(metric.path) + "}"});
  return all;
}

json values_json(const experiment& e, const run_result& run) {
  auto all = json::array();
  for (const auto& column : columns_of(e)) {
    json value{{"label", column.label}};
    try {
      value.update(to_json(estimate_of(values_of(expression(column.value), {&run, 1}, &run))));
    } catch (const value_error& error) {
      value["missing"] = error.what();
    }
    all.push_back(std::move(value));
  }
  return all;
}

json search_json(const run_result& run) {
  auto steps = json::array();
  for (const auto& step : run.steps)
    steps.push_back({{"value", step.value}, {"good", step.good}});
  const auto& find = *run.plan.find;
  return {{"set", find.set}, {"goal", find.goal}, {"from", find.from},
          {"to", find.to},   {"step", find.step}, {"tried", steps}};
}

json run_json(const experiment& e, const run_result& run) {
  json out{{"name", run.plan.name},
           {"config", run.plan.config.generic_string()},
           {"set", std::vector(run.plan.set.begin() + static_cast<std::ptrdiff_t>(e.set.size()),
                               run.plan.set.end())},
           {"seeds", run.plan.seeds}};
  if (run.plan.find) {
    out["found"] = run.found ? json(*run.found) : json(nullptr);
    out["search"] = search_json(run);
  }
  out["values"] = values_json(e, run);
  out["problems"] = run.problems;
  return out;
}

std::string expected_text(const expectation& e, const std::optional<double>& target) {
  using shape = expectation::shape;
  if (e.kind == shape::flat)
    return "flat within " + value_text(100 * e.tolerance) + " % of the mean";
  if (e.kind != shape::bounded)
    return std::string(e.kind == shape::rising ? "rising" : "falling") +
           (e.slack > 0 ? ", but for " + value_text(100 * e.slack) + " %" : "");
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (e.min)
    add("at least " + value_text(*e.min));
  if (e.max)
    add("at most " + value_text(*e.max));
  if (e.within)
    add((*e.within == 0 ? "exactly " : "within " + value_text(100 * *e.within) + " % of ") +
        (target ? value_text(*target) : e.is));
  return out;
}

json expectation_json(const expectation& e, const verdict& v) {
  auto values = json::array();
  for (const auto& value : v.values)
    values.push_back(to_json(value));
  return {{"says", e.says},
          {"paper", e.paper},
          {"expected", expected_text(e, v.target)},
          {"of", e.values},
          {"values", values},
          {"verdict", v.skipped ? "SKIP" : v.passed ? "PASS" : "FAIL"},
          {"why", v.why}};
}

/// The verdict on what no experiment needs to say.
json invariants_json(std::span<const run_result> results) {
  std::size_t runs = 0;
  std::vector<std::string> problems;
  for (const auto& run : results) {
    runs += run.plan.seeds * std::max<std::size_t>(1, run.steps.size());
    problems.insert(problems.end(), run.problems.begin(), run.problems.end());
  }
  auto why = problems.empty() ? "" : problems.front();
  if (problems.size() > 1)
    why += " (and " + std::to_string(problems.size() - 1) + " more)";
  return {{"says", "every run ends well and its self-checks hold"},
          {"paper", ""},
          {"expected", std::to_string(runs) + " runs"},
          {"of", json::array()},
          {"values", json::array()},
          {"verdict", problems.empty() ? "PASS" : "FAIL"},
          {"why", why}};
}

} // namespace

json to_json(const estimate& e) {
  return {{"mean", e.mean},
          {"stddev", e.stddev},
          {"half_width_95", e.half_width ? json(*e.half_width) : json(nullptr)},
          {"seeds", e.count}};
}

estimate estimate_in(const json& from) {
  estimate e{.count = from.at("seeds").get<std::size_t>(),
             .mean = from.at("mean").get<double>(),
             .stddev = from.at("stddev").get<double>()};
  if (const auto& width = from.at("half_width_95"); width.is_number())
    e.half_width = width.get<double>();
  return e;
}

json experiment_json(const experiment& e, std::span<const run_result> results,
                     std::span<const std::string> left_out, const std::string& version) {
  json out{{"format", results_format}, {"name", e.name},     {"title", e.title},
           {"about", e.about},         {"source", e.source}, {"file", e.file.generic_string()},
           {"version", version},       {"set", e.set}};
  auto runs = json::array();
  for (const auto& run : results)
    runs.push_back(run_json(e, run));
  out["runs"] = std::move(runs);
  auto verdicts = json::array({invariants_json(results)});
  for (const auto& expected : e.expectations)
    verdicts.push_back(expectation_json(expected, judge(expected, results, left_out)));
  const bool failed =
    std::ranges::any_of(verdicts, [](const json& v) { return v["verdict"] == "FAIL"; });
  out["expectations"] = std::move(verdicts);
  out["passed"] = !failed;
  return out;
}

} // namespace troupe
