#include "experiments/pages/find_page.hpp"

#include "experiments/expectations/expression.hpp"
#include "experiments/pages/metric_unit.hpp"
#include "experiments/sweeps/search_report.hpp"

#include <algorithm>
#include <limits>

namespace troupe {

namespace {

/// Returns the figures of what the goal of a search measures, one for each path in it.
void add_goal_figures(const run_result& search, std::size_t number, std::vector<figure>& to) {
  const auto& plan = *search.plan.find;
  const expression goal(plan.goal);
  auto steps = search.steps;
  std::ranges::sort(steps, {}, &search_step::value);
  const auto again = std::ranges::unique(steps, {}, &search_step::value);
  steps.erase(again.begin(), again.end());
  for (std::size_t v = 0; v < goal.references().size(); ++v) {
    figure f{"find-" + std::to_string(number) + "-" + std::to_string(v + 1),
             search.plan.name + ": " + goal.references()[v].path, plan.set,
             goal.references()[v].path};
    f.y_unit = metric_unit(goal.references()[v].path);
    f.x_unit = plan.scale.durations ? "s" : "";
    figure_line line{"mean", {}, {}};
    for (const auto& step : steps) {
      if (v >= step.values.size())
        continue;
      line.x.push_back(plan.scale.number(step.value));
      line.y.push_back(step.values[v].mean);
      line.half_width.push_back(
        step.values[v].half_width.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    f.lines.push_back(std::move(line));
    f.note = "The goal: " + plan.goal + ". " + outcome_text(search);
    to.push_back(std::move(f));
  }
}

} // namespace

page_contents find_page(std::span<const run_result> searches, const std::string& name) {
  page_contents page;
  page.title = name + ", search";
  std::size_t number = 0;
  for (const auto& search : searches) {
    page.sentence +=
      (page.sentence.empty() ? "" : " ") + search.plan.name + ": " + outcome_text(search);
    add_goal_figures(search, ++number, page.figures);
    const auto steps = steps_table(search);
    page.tables.push_back(
      {search.plan.name + ", until " + search.plan.find->goal, steps.header, steps.rows, true});
    for (const auto& text : contradictions(search))
      page.notes.push_back("Warning: " + text + "; the value found may not be the least.");
    page.notes.insert(page.notes.end(), search.problems.begin(), search.problems.end());
  }
  const auto all = searches_table(searches);
  if (searches.size() > 1)
    page.tables.push_back({"All searches", all.header, all.rows, true});
  return page;
}

} // namespace troupe
