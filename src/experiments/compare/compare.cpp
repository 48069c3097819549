#include "experiments/compare/compare.hpp"

#include "experiments/compare/default_metrics.hpp"
#include "experiments/compare/summary_path.hpp"
#include "experiments/expectations/evaluate.hpp"
#include "experiments/expectations/value_error.hpp"
#include "experiments/processes/folder_names.hpp"
#include "report/text/text.hpp"
#include "settings/toml/read.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace troupe {

namespace {

std::string braced(std::string_view path) {
  return "{" + std::string(path) + "}";
}

/// Returns the names of the groups of all runs, if any run has several.
std::vector<std::string> groups_of(std::span<const run_result> results) {
  std::vector<std::string> names;
  bool several = false;
  for (const auto& run : results)
    for (const auto& seed : run.seeds) {
      if (!seed.summary.is_object() || !seed.summary.contains("groups"))
        continue;
      const auto& groups = seed.summary["groups"];
      several = several || groups.size() > 1;
      for (const auto& group : groups)
        if (const auto name = group["name"].get<std::string>();
            std::ranges::find(names, name) == names.end())
          names.push_back(name);
    }
  return several ? names : std::vector<std::string>{};
}

/// Returns whether a run has measured parallel jobs.
bool any_measures_jobs(std::span<const run_result> results) {
  return std::ranges::any_of(results, [](const run_result& run) {
    return std::ranges::any_of(run.seeds, [](const auto& seed) {
      return seed.summary.is_object() && seed.summary.contains("parallel_jobs");
    });
  });
}

std::vector<comparison::row> usual_rows(std::span<const run_result> results) {
  std::vector<comparison::row> rows;
  const auto groups = groups_of(results);
  for (const auto& metric : comparison_metrics) {
    rows.push_back({std::string(metric.label), braced(metric.path), {}, {}});
    if (metric.path == "scheduling_delay_s.p99")
      for (const auto& group : groups)
        rows.push_back({"  mean of group " + group + " (s)",
                        braced("groups." + group + ".scheduling_delay_s.mean"),
                        {},
                        {}});
  }
  if (any_measures_jobs(results))
    for (const auto& metric : parallel_metrics)
      rows.push_back({std::string(metric.label), braced(metric.path), {}, {}});
  return rows;
}

/// Returns the text "1,000 tasks in 100 jobs", by which the work of two runs is compared.
std::string work_of(const nlohmann::ordered_json& summary) {
  const auto count = [&](const char* path) {
    return count_text(static_cast<std::uint64_t>(value_at(summary, path)));
  };
  return count("tasks.submitted") + " tasks in " + count("jobs.submitted") + " jobs";
}

/// Returns what each configuration was given to do with the seed of index `s`, or nothing if that
/// is the same.
std::string different_work(std::span<const run_result> results, std::size_t s) {
  std::set<std::string> kinds;
  std::string text;
  for (const auto& run : results) {
    if (s >= run.seeds.size() || !run.seeds[s].summary.is_object())
      continue;
    const auto work = work_of(run.seeds[s].summary);
    kinds.insert(work);
    text += (text.empty() ? "" : "; ") + run.plan.name + ": " + work;
  }
  return kinds.size() > 1 ? text : "";
}

void compare_work(std::span<const run_result> results, std::vector<std::string>& remarks) {
  std::vector<std::uint64_t> seeds;
  std::string first;
  for (std::size_t s = 0; s < (results.empty() ? 0 : results.front().seeds.size()); ++s)
    if (const auto text = different_work(results, s); !text.empty()) {
      seeds.push_back(s + 1);
      first = first.empty() ? text : first;
    }
  if (seeds.empty())
    return;
  auto remark = "The configurations did not get the same work. With seed " +
                std::to_string(seeds.front()) + ": " + first;
  if (seeds.size() > 1)
    remark += "; likewise with " + std::to_string(seeds.size() - 1) + " more of the seeds";
  remarks.push_back(remark);
}

/// Returns by how much each of `values` is more than that of `first` with the same seed.
std::vector<double> differences(const std::vector<double>& first,
                                const std::vector<double>& values) {
  std::vector<double> result;
  for (std::size_t s = 0; s < values.size(); ++s)
    result.push_back(values[s] - first[s]);
  return result;
}

} // namespace

bool is_significant(const estimate& difference) {
  return difference.half_width && std::abs(difference.mean) > *difference.half_width;
}

std::vector<planned_run> comparison_plans(std::span<const std::string> files,
                                          const std::vector<std::string>& set,
                                          std::uint64_t seeds) {
  std::vector<planned_run> plans;
  for (const auto& file : files)
    plans.push_back(
      {.name = read_settings(file, set).name, .config = file, .set = set, .seeds = seeds});
  std::multiset<std::string> names;
  for (const auto& plan : plans)
    names.insert(plan.name);
  folder_names folders{"configuration"};
  for (auto& plan : plans)
    if (names.count(plan.name) == 1) {
      plan.folder = plan.name;
      folders.reserve(plan.name);
    } else {
      plan.name = plan.config.generic_string();
    }
  std::set<std::string> used;
  for (auto& plan : plans) {
    for (int n = 2; !used.insert(plan.name).second; ++n)
      plan.name = plan.config.generic_string() + " (" + std::to_string(n) + ")";
    if (plan.folder.empty())
      plan.folder = folders.next(plan.name);
  }
  return plans;
}

comparison compare(std::span<const run_result> results, std::span<const std::string> metrics) {
  comparison c;
  for (const auto& run : results) {
    c.names.push_back(run.plan.name);
    c.files.push_back(run.plan.config.generic_string());
    c.seeds = run.plan.seeds;
    c.problems.insert(c.problems.end(), run.problems.begin(), run.problems.end());
  }
  c.rows = metrics.empty() ? usual_rows(results) : std::vector<comparison::row>{};
  for (const auto& metric : metrics)
    c.rows.push_back({metric, metric_expression(metric), {}, {}});
  for (auto& row : c.rows) {
    std::string why;
    std::vector<double> first;
    for (const auto& run : results) {
      row.cells.emplace_back();
      row.differences.emplace_back();
      try {
        const auto values = values_of(expression(row.value), {&run, 1}, &run);
        row.cells.back() = estimate_of(values);
        if (&run == &results.front())
          first = values;
        else if (values.size() == first.size())
          row.differences.back() = estimate_of(differences(first, values));
      } catch (const value_error& error) {
        why = error.what();
      }
    }
    const bool nowhere =
      std::ranges::none_of(row.cells, [](const auto& cell) { return cell.has_value(); });
    if (nowhere && !metrics.empty())
      c.problems.push_back("no configuration has " + row.label + ": " + why);
  }
  compare_work(results, c.remarks);
  return c;
}

} // namespace troupe
