#include "experiments/sweeps/goal.hpp"

#include "experiments/compare/summary_path.hpp"
#include "experiments/expectations/expression.hpp"
#include "experiments/expectations/value_error.hpp"

#include <cctype>
#include <cmath>
#include <stdexcept>

namespace troupe {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_in_name(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '.';
}

double goal_value(const seed_result& seed, const std::string& path) {
  try {
    if (!seed.summary.is_object())
      throw value_error("it failed with " + seed.failure);
    return value_at(seed.summary, path);
  } catch (const value_error& error) {
    throw value_error("seed " + std::to_string(seed.seed) + ": " + error.what());
  }
}

/// Returns the difference that is positive where the goal is missed, if it is one comparison.
std::optional<expression> lack_in(const std::string& goal) {
  for (const char* part : {"&&", "||", "==", "!=", "?"})
    if (goal.find(part) != std::string::npos)
      return std::nullopt;
  const auto at = goal.find_first_of("<>");
  if (at == std::string::npos || goal.find_first_of("<>", at + 1) != std::string::npos)
    return std::nullopt;
  const auto left = "(" + goal.substr(0, at) + ")";
  const auto after = at + (at + 1 < goal.size() && goal[at + 1] == '=' ? 2 : 1);
  const auto right = "(" + goal.substr(after) + ")";
  try {
    return expression(goal[at] == '<' ? left + " - " + right : right + " - " + left);
  } catch (const std::invalid_argument&) {
    return std::nullopt; // a comparison in brackets
  }
}

/// Returns the values that `e` names: for each of them, one for each seed.
std::vector<std::vector<double>> values_named(const expression& e,
                                              std::span<const seed_result> seeds) {
  std::vector<std::vector<double>> all;
  for (const auto& r : e.references()) {
    all.emplace_back();
    for (const auto& seed : seeds)
      all.back().push_back(goal_value(seed, r.path));
  }
  return all;
}

estimate estimate_over_seeds(const expression& e, std::span<const seed_result> seeds) {
  const auto named = values_named(e, seeds);
  std::vector<double> results;
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    std::vector<double> values;
    for (const auto& of_all_seeds : named)
      values.push_back(of_all_seeds[s]);
    results.push_back(e.evaluate(values));
  }
  return estimate_of(results);
}

} // namespace

goal_report goal_report_of(const std::string& goal, std::span<const seed_result> seeds) {
  const expression e(goal);
  goal_report report;
  std::vector<double> means;
  for (const auto& of_all_seeds : values_named(e, seeds)) {
    report.values.push_back(estimate_of(of_all_seeds));
    double sum = 0;
    for (const double x : of_all_seeds)
      sum += x;
    means.push_back(sum / static_cast<double>(seeds.size()));
  }
  report.good = e.evaluate(means) != 0;
  if (const auto lack = lack_in(goal))
    report.lack = estimate_over_seeds(*lack, seeds);
  return report;
}

std::string with_braces(std::string_view text) {
  if (text.find('{') != std::string_view::npos)
    return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool number = is_digit(text[i]);
    if (!number && !is_letter(text[i])) {
      out += text[i++];
      continue;
    }
    auto end = i;
    while (end < text.size() &&
           (number ? is_digit(text[end]) || text[end] == '.' || text[end] == 'e'
                   : is_in_name(text[end])))
      ++end;
    const auto next = text.find_first_not_of(' ', end);
    const bool function = next != std::string_view::npos && text[next] == '(';
    const std::string name(text.substr(i, end - i));
    out += number || function ? name : "{" + name + "}";
    i = end;
  }
  return out;
}

bool is_undecided(const std::optional<estimate>& lack) {
  return lack && lack->half_width && std::abs(lack->mean) < *lack->half_width;
}

std::string fault_of_goal(const std::string& goal) try {
  const expression e(goal);
  if (e.references().empty())
    return "expected values of the run, as in {scheduling_delay_s.mean} <= 0.5";
  for (const auto& r : e.references())
    if (!r.run.empty())
      return "expected values of the run itself, as in {scheduling_delay_s.mean}";
  if (goal.find_first_of("<>") == std::string::npos && goal.find("==") == std::string::npos &&
      goal.find("!=") == std::string::npos)
    return "expected a comparison, as in " + goal + " <= 0.5";
  return "";
} catch (const std::invalid_argument& error) {
  return error.what();
}

} // namespace troupe
