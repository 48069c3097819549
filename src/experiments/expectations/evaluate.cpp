#include "experiments/expectations/evaluate.hpp"

#include "experiments/compare/summary_path.hpp"
#include "experiments/expectations/value_error.hpp"
#include "report/text/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace troupe {

namespace {

constexpr std::string_view found_path = "found";

const run_result& find_run(std::span<const run_result> runs, const std::string& name,
                           const run_result* self) {
  if (name.empty() && self != nullptr)
    return *self;
  for (const auto& run : runs)
    if (run.plan.name == name)
      return run;
  throw value_error("there is no run '" + name + "'");
}

double found_by(const run_result& run) {
  if (run.found)
    return run.plan.find ? run.plan.find->scale.number(*run.found)
                         : static_cast<double>(*run.found);
  if (!run.failure.empty())
    throw value_error(run.plan.name + ": " + run.failure);
  if (!run.plan.find)
    throw value_error(run.plan.name + ": nothing was searched for, so nothing is found");
  throw value_error(run.plan.name + ": not even " + run.plan.find->set + " = " +
                    run.plan.find->scale.text(run.plan.find->to) + " reaches " +
                    run.plan.find->goal);
}

double value_in(const seed_result& seed, const std::string& path) {
  if (!seed.summary.is_object())
    throw value_error("it failed with " + seed.failure);
  return value_at(seed.summary, path);
}

double value_of(const run_result& run, std::size_t seed, const std::string& path) {
  try {
    return value_in(run.seeds.at(seed), path);
  } catch (const value_error& error) {
    throw value_error(run.plan.name + ", seed " + std::to_string(seed + 1) + ": " + error.what());
  }
}

bool is_bounded_well(const expectation& e, double x, std::optional<double> target,
                     std::string& why) {
  if (e.min && x < *e.min)
    why = "less than " + value_text(*e.min);
  else if (e.max && x > *e.max)
    why = "more than " + value_text(*e.max);
  else if (e.within && std::abs(x - *target) > *e.within * std::abs(*target))
    why = "off by " + percent_text(std::abs(x - *target) / std::abs(*target)) + ", more than " +
          value_text(100 * *e.within) + " %";
  return why.empty();
}

/// Returns whether the values go up; of a falling trend, `sign` is -1.
bool rises(const expectation& e, std::span<const estimate> values, double sign, std::string& why) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double before = sign * values[i - 1].mean;
    const double now = sign * values[i].mean;
    const bool ok = e.slack > 0 ? now >= before - e.slack * std::abs(before) : now > before;
    if (!ok) {
      why = value_text(values[i].mean) + " comes after " + value_text(values[i - 1].mean);
      return false;
    }
  }
  if (sign * values.back().mean > sign * values.front().mean)
    return true;
  why = "the last value is no " + std::string(sign > 0 ? "greater" : "less") + " than the first";
  return false;
}

bool is_flat(const expectation& e, std::span<const estimate> values, std::string& why) {
  double mean = 0;
  for (const auto& v : values)
    mean += v.mean / static_cast<double>(values.size());
  for (const auto& v : values)
    if (std::abs(v.mean - mean) > e.tolerance * std::abs(mean)) {
      why = value_text(v.mean) + " is more than " + value_text(100 * e.tolerance) +
            " % off the mean, " + value_text(mean);
      return false;
    }
  return true;
}

std::optional<double> target_of(const expectation& e, std::span<const run_result> runs) {
  if (!e.within)
    return std::nullopt;
  if (!e.is.empty())
    return estimate_of(values_of(expression(e.is), runs)).mean;
  double x = 0;
  std::from_chars(e.paper.data(), e.paper.data() + e.paper.size(), x);
  return x;
}

bool needs(const expectation& e, std::span<const std::string> left_out) {
  auto all = e.values;
  if (!e.is.empty())
    all.push_back(e.is);
  return std::ranges::any_of(all, [&](const std::string& text) {
    const expression parsed(text);
    return std::ranges::any_of(parsed.references(), [&](const value_reference& r) {
      return std::ranges::find(left_out, r.run) != left_out.end();
    });
  });
}

} // namespace

std::vector<double> values_of(const expression& e, std::span<const run_result> runs,
                              const run_result* self) {
  std::optional<std::size_t> seeds;
  std::vector<const run_result*> from;
  for (const auto& r : e.references()) {
    from.push_back(&find_run(runs, r.run, self));
    if (r.path == found_path)
      continue;
    const auto& run = *from.back();
    if (run.seeds.empty())
      throw value_error(run.plan.name + ": " +
                        (run.failure.empty() ? "it was not run to its end" : run.failure));
    seeds = std::min(seeds.value_or(run.seeds.size()), run.seeds.size());
  }
  std::vector<double> results;
  for (std::size_t seed = 0; seed < seeds.value_or(1); ++seed) {
    std::vector<double> values;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto& path = e.references()[i].path;
      values.push_back(path == found_path ? found_by(*from[i]) : value_of(*from[i], seed, path));
    }
    results.push_back(e.evaluate(values));
  }
  return results;
}

verdict judge(const expectation& e, std::span<const run_result> runs,
              std::span<const std::string> left_out) {
  verdict v;
  if (needs(e, left_out)) {
    v.skipped = true;
    return v;
  }
  try {
    for (const auto& text : e.values)
      v.values.push_back(estimate_of(values_of(expression(text), runs)));
    v.target = target_of(e, runs);
  } catch (const value_error& error) {
    v.values.clear();
    v.why = error.what();
    return v;
  }
  switch (e.kind) {
  case expectation::shape::bounded:
    v.passed = is_bounded_well(e, v.values.front().mean, v.target, v.why);
    break;
  case expectation::shape::rising:
    v.passed = rises(e, v.values, 1, v.why);
    break;
  case expectation::shape::falling:
    v.passed = rises(e, v.values, -1, v.why);
    break;
  case expectation::shape::flat:
    v.passed = is_flat(e, v.values, v.why);
    break;
  }
  return v;
}

} // namespace troupe
