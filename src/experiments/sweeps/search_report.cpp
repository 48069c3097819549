#include "experiments/sweeps/search_report.hpp"

#include "experiments/expectations/experiment_json.hpp"
#include "experiments/expectations/expression.hpp"
#include "experiments/sweeps/goal.hpp"

#include <algorithm>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

constexpr double noise = 0.05; ///< of all that was seen, if there is only one seed

std::vector<search_step> by_value(const run_result& search) {
  auto steps = search.steps;
  std::ranges::sort(steps, {}, &search_step::value);
  return steps;
}

std::string name_of(const run_result& search, std::int64_t value) {
  return search.plan.find->set + " = " + search.plan.find->scale.text(value);
}

/// The step that tried `value`, if one has.
const search_step* step_of(const run_result& search, std::int64_t value) {
  const auto at = std::ranges::find(search.steps, value, &search_step::value);
  return at == search.steps.end() ? nullptr : &*at;
}

/// The step that a search has found, if it has found one.
const search_step* found_step(const run_result& search) {
  return search.found ? step_of(search, *search.found) : nullptr;
}

/// How far the mean of what a step lacks may be off.
double reach(const search_step& step, double spread) {
  return step.lack->half_width.value_or(noise * spread);
}

void note_reversals(const run_result& search, const std::vector<search_step>& steps,
                    std::vector<std::string>& out) {
  const auto good = std::ranges::find(steps, true, &search_step::good);
  for (auto at = good; at != steps.end(); ++at)
    if (!at->good)
      out.push_back("the goal holds for " + name_of(search, good->value) + " but not for " +
                    name_of(search, at->value));
}

void note_worsenings(const run_result& search, const std::vector<search_step>& steps,
                     std::vector<std::string>& out) {
  if (steps.empty() || std::ranges::any_of(steps, [](const search_step& s) { return !s.lack; }))
    return;
  const auto mean = [](const search_step& s) { return s.lack->mean; };
  const auto [least, most] = std::ranges::minmax(steps, {}, mean);
  const double spread = most.lack->mean - least.lack->mean;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const auto& before = steps[i - 1];
    const auto& now = steps[i];
    if (before.good == now.good &&
        mean(now) - reach(now, spread) > mean(before) + reach(before, spread))
      out.push_back("the goal is farther away for " + name_of(search, now.value) + " than for " +
                    name_of(search, before.value));
  }
}

std::string values_text(const planned_run& plan, const search_step& step) {
  const expression goal(plan.find->goal);
  std::string out;
  for (std::size_t i = 0; i < step.values.size(); ++i)
    out += (i == 0 ? "" : ", ") + goal.references()[i].path + " = " + to_text(step.values[i]);
  return out;
}

/// The goal as people write it where braces are not needed.
std::string goal_text(const planned_run& plan) {
  auto text = plan.find->goal;
  if (text.find('-') == std::string::npos && text.find('(') == std::string::npos)
    std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  return text;
}

/// Says "yes" or "no", or that the seeds cannot tell.
std::string verdict_of(const search_step& step) {
  const std::string by_mean = step.good ? "yes" : "no";
  return is_undecided(step.lack) ? "undecided, by the mean " + by_mean : by_mean;
}

/// Says what the seeds cannot tell of the value found and of the one below it.
std::string doubt_about(const run_result& search) {
  std::string doubts;
  for (const auto& step : by_value(search))
    if (is_undecided(step.lack) &&
        (step.value == search.found || (search.found && step.value < *search.found && !step.good)))
      doubts += (doubts.empty() ? "" : ", ") + search.plan.find->scale.text(step.value);
  if (doubts.empty())
    return "";
  return ", by the means; undecided at 95 % confidence for " + doubts +
         ": more seeds (--seeds) would decide";
}

json step_json(const planned_run& plan, const search_step& step) {
  const expression goal(plan.find->goal);
  auto values = json::object();
  for (std::size_t i = 0; i < step.values.size(); ++i)
    values[goal.references()[i].path] = to_json(step.values[i]);
  return {{"value", plan.find->scale.text(step.value)},
          {"holds", step.good},
          {"undecided", is_undecided(step.lack)},
          {"verifying", step.verifying},
          {"values", std::move(values)}};
}

} // namespace

std::vector<std::string> contradictions(const run_result& search) {
  std::vector<std::string> out;
  const auto steps = by_value(search);
  note_reversals(search, steps, out);
  note_worsenings(search, steps, out);
  return out;
}

std::string outcome_text(const run_result& search) {
  const auto& find = *search.plan.find;
  if (!search.failure.empty())
    return search.failure;
  if (search.steps.empty())
    return "no attempt was completed";
  const auto range = " (from " + find.scale.text(find.from) + " to " + find.scale.text(find.to) +
                     " in steps of " + find.scale.text(find.step) + ")";
  if (search.found && *search.found == find.from)
    return "even " + name_of(search, find.from) + ", the least of the range, meets it" + range +
           doubt_about(search);
  if (search.found)
    return "the least value that meets the goal is " + name_of(search, *search.found) + range +
           doubt_about(search);
  const auto* last = step_of(search, find.to);
  return "not even " + name_of(search, find.to) + " meets it" + range +
         (last != nullptr && is_undecided(last->lack)
            ? ", by the mean; undecided at 95 % confidence: more seeds (--seeds) would decide"
            : "");
}

value_table steps_table(const run_result& search) {
  value_table table{{search.plan.find->set, "holds"}, {}};
  const expression goal(search.plan.find->goal);
  for (const auto& r : goal.references())
    table.header.push_back(r.path);
  for (const auto& step : search.steps) {
    std::vector<std::string> row{search.plan.find->scale.text(step.value), verdict_of(step)};
    for (const auto& value : step.values)
      row.push_back(to_text(value));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string step_text(const planned_run& plan, const search_step& step) {
  return plan.name + ": " + plan.find->set + " = " + plan.find->scale.text(step.value) +
         (is_undecided(step.lack) ? " is undecided"
          : step.good             ? " does"
                                  : " does not") +
         ", " + values_text(plan, step);
}

value_table searches_table(std::span<const run_result> searches) {
  value_table table{{"run", "goal", "setting", "found", "there", "seeds", "tried"}, {}};
  for (const auto& search : searches) {
    const auto* there = found_step(search);
    table.rows.push_back({search.plan.name, goal_text(search.plan), search.plan.find->set,
                          search.found ? search.plan.find->scale.text(*search.found) : "none",
                          there != nullptr ? values_text(search.plan, *there) : "-",
                          std::to_string(search.plan.seeds), std::to_string(search.steps.size())});
  }
  return table;
}

json searches_json(std::span<const run_result> searches) {
  auto all = json::array();
  for (const auto& search : searches) {
    const auto& find = *search.plan.find;
    auto steps = json::array();
    for (const auto& step : search.steps)
      steps.push_back(step_json(search.plan, step));
    all.push_back({{"run", search.plan.name},
                   {"goal", find.goal},
                   {"setting", find.set},
                   {"from", find.scale.text(find.from)},
                   {"to", find.scale.text(find.to)},
                   {"step", find.scale.text(find.step)},
                   {"seeds", search.plan.seeds},
                   {"found", search.found ? json(find.scale.text(*search.found)) : json(nullptr)},
                   {"outcome", outcome_text(search)},
                   {"tried", std::move(steps)},
                   {"contradictions", contradictions(search)},
                   {"problems", search.problems}});
  }
  return {{"searches", std::move(all)}};
}

} // namespace troupe
