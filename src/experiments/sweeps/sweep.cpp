#include "experiments/sweeps/sweep.hpp"

#include "experiments/compare/default_metrics.hpp"
#include "experiments/expectations/evaluate.hpp"
#include "experiments/expectations/experiment_json.hpp"
#include "experiments/expectations/value_error.hpp"
#include "experiments/processes/folder_names.hpp"
#include "experiments/sweeps/combinations.hpp"
#include "settings/schema/allowed.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

constexpr double most_runs = 1e6;

void refuse_what_cannot_vary(const varied_setting& setting) {
  const auto& key = setting.key;
  if (key == "seed")
    throw std::invalid_argument("seed: every combination runs with several seeds; expected "
                                "--seeds N, for seeds 1 to N");
  if (key == "sweep" || key.starts_with("sweep."))
    throw std::invalid_argument(key + ": it is not a setting of a run; expected one that is");
}

void refuse_too_many(const planned_run& base, std::span<const varied_setting> vary) {
  auto runs = static_cast<double>(std::max<std::uint64_t>(base.seeds, 1));
  for (const auto& setting : vary)
    runs *= static_cast<double>(setting.values.size());
  if (runs > most_runs)
    throw std::invalid_argument("all combinations with all seeds are more than 1,000,000 runs; "
                                "expected fewer values or seeds");
}

/// Reports the failures of the runs of one combination, in the order of the seeds.
void note_problems(const run_result& run, std::vector<std::string>& problems) {
  for (const auto& seed : run.seeds) {
    const auto label = run.plan.name + ", seed " + std::to_string(seed.seed) + ": ";
    if (!seed.failure.empty() && seed.failure != run_left_out)
      problems.push_back(label + seed.failure);
    for (const auto& check : seed.failed_checks)
      problems.push_back(label + "self-check failed: " + check);
  }
}

std::string left_out_text(std::span<const run_result> results) {
  std::int64_t runs = 0;
  for (const auto& run : results)
    runs += std::ranges::count(run.seeds, run_left_out, &seed_result::failure);
  return runs == 0 ? ""
                   : std::to_string(runs) + (runs == 1 ? " run was" : " runs were") +
                       " left out, as results cannot be written";
}

/// Returns `run` without the seeds that failed.
run_result without_failures(const run_result& run) {
  auto rest = run;
  std::erase_if(rest.seeds, [](const seed_result& s) { return !s.summary.is_object(); });
  return rest;
}

} // namespace

std::vector<varied_setting> varied_together(std::vector<varied_setting> base,
                                            std::span<const varied_setting> more) {
  std::set<std::string> given;
  for (const auto& setting : more) {
    if (!given.insert(setting.key).second)
      throw std::invalid_argument(setting.key + ": it varies twice; expected one list of values");
    const auto at = std::ranges::find(base, setting.key, &varied_setting::key);
    if (at == base.end())
      base.push_back(setting);
    else
      *at = setting;
  }
  std::ranges::for_each(base, refuse_what_cannot_vary);
  return base;
}

std::vector<planned_run> sweep_plans(const planned_run& base,
                                     std::span<const varied_setting> vary) {
  refuse_too_many(base, vary);
  auto plans = combinations(base, vary);
  std::size_t number = 0;
  folder_names folders{"combination"};
  for_each_combination(vary, [&](std::span<const varied_value* const> chosen) {
    auto& plan = plans[number++];
    if (!chosen.empty())
      plan.name.clear();
    for (std::size_t k = 0; k < chosen.size(); ++k)
      plan.name += (k == 0 ? "" : ", ") + vary[k].key + "=" + chosen[k]->text;
    plan.folder = folders.next(plan.name);
  });
  return plans;
}

std::vector<value_column> sweep_metrics(std::span<const std::string> metrics) {
  std::vector<value_column> columns;
  for (const auto& metric : metrics)
    columns.push_back({metric, metric_expression(metric)});
  if (metrics.empty())
    for (const auto& metric : experiment_metrics)
      columns.push_back({std::string(metric.label), metric_expression(metric.path)});
  for (const auto& column : columns)
    expression{column.value};
  return columns;
}

sweep_table sweep_table_of(std::span<const run_result> results,
                           std::span<const varied_setting> vary,
                           std::vector<value_column> metrics) {
  sweep_table t{{}, std::move(metrics), results.empty() ? 0 : results.front().plan.seeds, {}, {}};
  for (const auto& setting : vary)
    t.keys.push_back(setting.key);
  for_each_combination(vary, [&](std::span<const varied_value* const> chosen) {
    t.rows.emplace_back();
    for (const auto* value : chosen)
      t.rows.back().values.push_back(value->text);
  });
  std::vector<std::string> missing(t.metrics.size());
  for (std::size_t r = 0; r < results.size(); ++r) {
    const auto run = without_failures(results[r]);
    t.rows[r].ended = run.seeds.size();
    note_problems(results[r], t.problems);
    for (std::size_t m = 0; m < t.metrics.size(); ++m)
      try {
        auto values = values_of(expression(t.metrics[m].value), {&run, 1}, &run);
        t.rows[r].cells.emplace_back(estimate_of(values));
      } catch (const value_error& error) {
        t.rows[r].cells.emplace_back();
        if (t.rows[r].ended > 0)
          missing[m] = error.what();
      }
  }
  if (const auto text = left_out_text(results); !text.empty())
    t.problems.push_back(text);
  for (std::size_t m = 0; m < t.metrics.size(); ++m)
    if (!missing[m].empty() && std::ranges::none_of(t.rows, [&](const sweep_table::row& row) {
          return row.cells[m].has_value();
        }))
      t.problems.push_back("no run has " + t.metrics[m].label + ": " + missing[m]);
  return t;
}

value_table sweep_text(const sweep_table& t) {
  value_table table{t.keys, {}};
  table.header.emplace_back("seeds");
  for (const auto& metric : t.metrics)
    table.header.push_back(metric.label);
  for (const auto& row : t.rows) {
    auto cells = row.values;
    cells.push_back(std::to_string(row.ended) +
                    (row.ended < t.seeds ? " of " + std::to_string(t.seeds) : ""));
    for (const auto& cell : row.cells)
      cells.push_back(cell ? to_text(*cell) : "-");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

value_table sweep_csv(const sweep_table& t) {
  value_table table{t.keys, {}};
  table.header.emplace_back("seeds");
  for (const auto& metric : t.metrics) {
    table.header.push_back(metric.label);
    table.header.push_back(metric.label + " half_width_95");
  }
  for (const auto& row : t.rows) {
    auto cells = row.values;
    cells.push_back(std::to_string(row.ended));
    for (const auto& cell : row.cells) {
      cells.push_back(cell ? to_text(cell->mean) : "");
      cells.push_back(cell && cell->half_width ? to_text(*cell->half_width) : "");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

json sweep_json(const sweep_table& t) {
  auto metrics = json::array();
  for (const auto& metric : t.metrics)
    metrics.push_back({{"label", metric.label}, {"value", metric.value}});
  auto rows = json::array();
  for (const auto& row : t.rows) {
    auto set = json::object();
    for (std::size_t k = 0; k < t.keys.size(); ++k)
      set[t.keys[k]] = row.values[k];
    auto values = json::object();
    for (std::size_t m = 0; m < row.cells.size(); ++m)
      values[t.metrics[m].label] = row.cells[m] ? to_json(*row.cells[m]) : json(nullptr);
    rows.push_back({{"set", std::move(set)}, {"seeds", row.ended}, {"values", std::move(values)}});
  }
  return {{"vary", t.keys},
          {"seeds", t.seeds},
          {"metrics", std::move(metrics)},
          {"combinations", std::move(rows)},
          {"problems", t.problems}};
}

} // namespace troupe
