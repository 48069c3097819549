#include "experiments/compare/comparison_json.hpp"

#include "experiments/expectations/experiment_json.hpp"
#include "settings/schema/allowed.hpp"

namespace troupe {

namespace {

/// Renders as "+1.2 ± 0.3 *"; the mark stands where the difference is significant.
std::string difference_text(const estimate& difference) {
  return (difference.mean > 0 ? "+" : "") + to_text(difference) +
         (is_significant(difference) ? " *" : "");
}

} // namespace

value_table comparison_table(const comparison& c) {
  value_table table{{""}, {}};
  table.header.insert(table.header.end(), c.names.begin(), c.names.end());
  for (const auto& row : c.rows) {
    std::vector<std::string> cells{row.label};
    for (const auto& cell : row.cells)
      cells.push_back(cell ? to_text(*cell) : "-");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

value_table comparison_differences(const comparison& c) {
  value_table table{{""}, {}};
  for (std::size_t i = 1; i < c.names.size(); ++i)
    table.header.push_back(c.names[i]);
  for (const auto& row : c.rows) {
    std::vector<std::string> cells{row.label};
    for (std::size_t i = 1; i < row.differences.size(); ++i)
      cells.push_back(row.differences[i] ? difference_text(*row.differences[i]) : "-");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string differences_title(const comparison& c) {
  return "Differences to " + (c.names.empty() ? "" : c.names.front()) + ", paired by seed" +
         (c.seeds > 1 ? "; * if the 95 % confidence interval excludes 0" : "");
}

value_table comparison_list(const comparison& c) {
  value_table table{{"metric", "value", "configuration", "seeds", "mean", "stddev", "half_width_95",
                     "difference", "difference_half_width_95", "significant"},
                    {}};
  for (const auto& row : c.rows)
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      std::vector<std::string> cells{row.label, row.value, c.names[i]};
      if (const auto& cell = row.cells[i])
        cells.insert(cells.end(), {std::to_string(cell->count), to_text(cell->mean),
                                   cell->half_width ? to_text(cell->stddev) : "",
                                   cell->half_width ? to_text(*cell->half_width) : ""});
      cells.resize(7);
      if (const auto& d = row.differences[i])
        cells.insert(cells.end(), {to_text(d->mean), d->half_width ? to_text(*d->half_width) : "",
                                   !d->half_width       ? ""
                                   : is_significant(*d) ? "yes"
                                                        : "no"});
      cells.resize(table.header.size());
      table.rows.push_back(std::move(cells));
    }
  return table;
}

nlohmann::ordered_json comparison_json(const comparison& c) {
  using json = nlohmann::ordered_json;
  auto configurations = json::array();
  for (std::size_t i = 0; i < c.names.size(); ++i)
    configurations.push_back({{"name", c.names[i]}, {"file", c.files[i]}});
  auto metrics = json::array();
  for (const auto& row : c.rows) {
    json values = json::object();
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      values[c.names[i]] = row.cells[i] ? to_json(*row.cells[i]) : json(nullptr);
    json differences = json::object();
    for (std::size_t i = 1; i < row.differences.size(); ++i)
      if (const auto& d = row.differences[i]) {
        differences[c.names[i]] = to_json(*d);
        differences[c.names[i]]["significant"] = d->half_width ? json(is_significant(*d)) : json();
      }
    metrics.push_back({{"label", row.label},
                       {"value", row.value},
                       {"of", std::move(values)},
                       {"difference", std::move(differences)}});
  }
  return {{"seeds", c.seeds},
          {"configurations", std::move(configurations)},
          {"metrics", std::move(metrics)},
          {"remarks", c.remarks},
          {"problems", c.problems}};
}

} // namespace troupe
