#include "experiments/pages/experiment_page.hpp"

#include "experiments/expectations/experiment_json.hpp"
#include "experiments/expectations/experiment_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

std::string string_at(const json& of, const char* key) {
  return of.contains(key) && of[key].is_string() ? of[key].get<std::string>() : "";
}

html_table expectations_table(const json& result) {
  html_table table{
    "Expectations", {"expectation", "verdict", "expected", "measured", "paper", "why"}, {}, true};
  for (const auto& e : result["expectations"]) {
    const auto verdict = string_at(e, "verdict");
    table.rows.push_back({string_at(e, "says"), verdict, string_at(e, "expected"), measured_text(e),
                          string_at(e, "paper"), string_at(e, "why")});
  }
  return table;
}

/// Returns the values that an expectation names, in its order, such as those of a rising one.
figure figure_of(const json& expected, std::size_t number) {
  figure f{"expectation-" + std::to_string(number), string_at(expected, "says"),
           "values in the order of the expectation", "value"};
  figure_line line{"measured", {}, {}};
  for (std::size_t i = 0; i < expected["values"].size(); ++i) {
    const auto e = estimate_in(expected["values"][i]);
    line.x.push_back(static_cast<double>(i));
    line.y.push_back(e.mean);
    line.half_width.push_back(e.half_width.value_or(std::numeric_limits<double>::quiet_NaN()));
    f.x_names.push_back(std::to_string(i + 1));
    f.note += (i == 0 ? "" : "; ") + std::to_string(i + 1) + ": " +
              (i < expected["of"].size() ? expected["of"][i].get<std::string>() : "");
  }
  f.lines.push_back(std::move(line));
  f.note = string_at(expected, "verdict") + ", expected " + string_at(expected, "expected") + ". " +
           f.note;
  return f;
}

} // namespace

page_contents experiment_page(const json& result) {
  page_contents page;
  page.title = string_at(result, "name") + ", experiment";
  page.results_first = true;
  const auto& all = result["expectations"];
  const auto count = [&all](const char* verdict) {
    return std::ranges::count_if(
      all, [verdict](const json& e) { return string_at(e, "verdict") == verdict; });
  };
  page.sentence = string_at(result, "title") + " (" + string_at(result, "source") +
                  "): " + std::to_string(count("PASS")) + " of " + std::to_string(all.size()) +
                  " expectations are met";
  if (const auto n = count("FAIL"); n > 0)
    page.sentence += ", " + std::to_string(n) + (n == 1 ? " is not" : " are not");
  if (const auto n = count("SKIP"); n > 0)
    page.sentence += ", " + std::to_string(n) + (n == 1 ? " was skipped" : " were skipped");
  page.sentence += ".";
  const auto runs = runs_table(result);
  page.tables = {expectations_table(result), {"Runs", runs.header, runs.rows}};
  std::size_t number = 0;
  for (const auto& expected : all)
    if (expected["values"].size() > 2)
      page.figures.push_back(figure_of(expected, ++number));
  return page;
}

} // namespace troupe
