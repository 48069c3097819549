#include "report/page/runs/run_folder.hpp"

#include "report/json/parse_json.hpp"
#include "report/json/toml_json.hpp"
#include "report/results/results_directory.hpp"
#include "report/results/results_format.hpp"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

namespace fs = std::filesystem;

using json = nlohmann::ordered_json;

json summary_in(const fs::path& file) {
  if (!fs::exists(file))
    throw std::runtime_error("there are no results of a run in " + file.parent_path().string() +
                             ": it has no " + file.filename().string());
  auto summary = read_json(file);
  check_results_format(file, summary);
  for (const char* key : {"name", "architecture", "seed", "tasks", "groups", "phases", "checks"})
    if (!summary.is_object() || !summary.contains(key))
      throw std::runtime_error(file.string() + " is damaged, or not the summary of a run" +
                               (summary.is_object() ? fmt::format(": it has no \"{}\"", key) : ""));
  return summary;
}

json config_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in)
    throw std::runtime_error("cannot read " + file.string());
  auto config = json_of_toml(text);
  if (!config.is_object())
    throw std::runtime_error(file.string() + " is not TOML");
  return config;
}

csv_columns columns_if_there(const fs::path& file) {
  return fs::exists(file) ? read_columns(file) : csv_columns{};
}

csv_columns series_in(const fs::path& file) {
  auto series = read_columns(file);
  if (series.rows > 0)
    for (const char* name : {"from_s", "to_s", "placed"})
      if (series.number(name).empty() || series.text("group").empty())
        throw std::runtime_error(
          fmt::format("{}: it has no column '{}'; expected the rows of a run", file.string(),
                      series.text("group").empty() ? "group" : name));
  return series;
}

} // namespace

run_folder read_run_folder(const fs::path& directory, std::string label) {
  run_folder run;
  run.summary = summary_in(directory / results_directory::summary_name);
  run.config = config_in(directory / results_directory::config_name);
  run.series = series_in(directory / results_directory::timeseries_name);
  run.delays = columns_if_there(directory / results_directory::delays_name);
  run.tenants = columns_if_there(directory / results_directory::tenants_name);
  run.events = columns_if_there(directory / results_directory::events_name);
  run.schedulers = columns_if_there(directory / results_directory::schedulers_name);
  run.partitions = columns_if_there(directory / results_directory::partitions_name);
  run.slow_jobs = slow_jobs_in(directory / results_directory::jobs_name);
  run.label = !label.empty() ? std::move(label)
                             : fmt::format("{}-{}", run.summary["name"].get<std::string>(),
                                           run.summary["seed"].get<std::uint64_t>());
  return run;
}

} // namespace troupe
