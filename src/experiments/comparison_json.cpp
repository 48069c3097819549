#include "experiments/comparison_json.hpp"

#include "experiments/experiment_json.hpp"
#include "settings/allowed.hpp"

namespace troupe {

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

value_table comparison_list(const comparison& c) {
  value_table table{
    {"metric", "value", "configuration", "seeds", "mean", "stddev", "half_width_95"}, {}};
  for (const auto& row : c.rows)
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      std::vector<std::string> cells{row.label, row.value, c.names[i]};
      if (const auto& cell = row.cells[i])
        cells.insert(cells.end(), {std::to_string(cell->count), to_text(cell->mean),
                                   cell->half_width ? to_text(cell->stddev) : "",
                                   cell->half_width ? to_text(*cell->half_width) : ""});
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
    metrics.push_back({{"label", row.label}, {"value", row.value}, {"of", std::move(values)}});
  }
  return {{"seeds", c.seeds},
          {"configurations", std::move(configurations)},
          {"metrics", std::move(metrics)},
          {"remarks", c.remarks},
          {"problems", c.problems}};
}

} // namespace troupe
