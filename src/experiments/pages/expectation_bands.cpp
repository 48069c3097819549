#include "experiments/pages/expectation_bands.hpp"

#include "experiments/expectations/expression.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

/// The columns of timeseries.csv that measure the same as a path in a summary.
const std::map<std::string, std::string, std::less<>>& columns_by_path() {
  static const std::map<std::string, std::string, std::less<>> columns{
    {"scheduling_delay_s.mean", "scheduling_delay_mean_s"},
    {"scheduling_delay_s.p50", "scheduling_delay_p50_s"},
    {"scheduling_delay_s.p90", "scheduling_delay_p90_s"},
    {"scheduling_delay_s.p99", "scheduling_delay_p99_s"},
    {"conflict_fraction", "conflict_fraction"},
    {"quality.mean", "quality_mean"},
    {"utilization.mean", "utilization"},
    {"busyness", "busyness"},
    {"staleness_s.mean", "staleness_mean_s"},
    {"job_response_s.mean", "job_response_mean_s"},
    {"wait_s.mean", "wait_mean_s"},
  };
  return columns;
}

std::optional<double> plain_number(std::string_view text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(x) : std::nullopt;
}

/// Takes the part before the next dot off `path`.
std::string take_part(std::string_view& path) {
  const auto dot = path.find('.');
  const std::string part(path.substr(0, dot));
  path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  return part;
}

bool is_group(const run_folder& run, std::string_view name) {
  const auto& groups = run.summary["groups"];
  return std::ranges::any_of(groups, [name](const auto& g) { return g["name"] == name; });
}

/// Takes the name of a group off `path` if it begins with one.
std::string take_group(const run_folder& run, std::string_view& path) {
  return is_group(run, path.substr(0, path.find('.'))) ? take_part(path) : "";
}

/// Sets the span of a phase, numbered from 1. Returns whether there is such a phase.
bool set_phase(const run_folder& run, double number, page_band& band) {
  std::set<std::pair<double, double>> phases;
  for (const auto& phase : run.summary["phases"])
    phases.emplace(phase["from_s"].template get<double>(), phase["to_s"].template get<double>());
  const auto at = static_cast<std::size_t>(number);
  if (at < 1 || at > phases.size())
    return false;
  std::tie(band.from_s, band.to_s) = *std::next(phases.begin(), static_cast<long>(at) - 1);
  return true;
}

/// Finds the column and the span of time that a path names. Returns whether there are such.
bool locate(const run_folder& run, std::string_view path, page_band& band) {
  band.to_s = run.summary.value("simulated_seconds", 0.0);
  if (path.starts_with("phases.")) {
    take_part(path);
    const auto number = plain_number(take_part(path));
    if (!number || !set_phase(run, *number, band))
      return false;
    band.group = take_group(run, path);
  } else if (path.starts_with("series.")) {
    take_part(path);
    const auto span = take_part(path);
    const auto dash = span.find('-');
    const auto from = plain_number(span.substr(0, dash));
    const auto to = dash == std::string::npos ? from : plain_number(span.substr(dash + 1));
    if (!from || !to)
      return false;
    band.from_s = *from;
    band.to_s = *to + 1;
    band.group = take_group(run, path);
    band.column = take_part(path);
    return true;
  } else if (path.starts_with("groups.")) {
    take_part(path);
    band.group = take_part(path);
  }
  const auto at = columns_by_path().find(path);
  if (at == columns_by_path().end())
    return false;
  band.column = at->second;
  return true;
}

void set_bounds(const expectation& e, page_band& band) {
  band.min = e.min;
  band.max = e.max;
  if (const auto target = plain_number(e.is.empty() ? e.paper : e.is); e.within && target) {
    band.min = *target * (1 - *e.within);
    band.max = *target * (1 + *e.within);
  }
}

} // namespace

std::vector<page_band> expectation_bands(std::span<const expectation> expectations,
                                         std::span<const run_folder> runs) {
  std::vector<page_band> bands;
  for (const auto& e : expectations) {
    if (e.kind != expectation::shape::bounded || e.values.size() != 1)
      continue;
    const auto& text = e.values.front();
    const expression value(text);
    const bool single =
      value.references().size() == 1 && text.starts_with('{') && text.find('}') == text.size() - 1;
    if (!single)
      continue;
    const auto& reference = value.references().front();
    const auto run = std::ranges::find(runs, reference.run, &run_folder::label);
    page_band band;
    band.text = e.says;
    set_bounds(e, band);
    if (run == runs.end() || (!band.min && !band.max) || !locate(*run, reference.path, band))
      continue;
    band.run = static_cast<std::size_t>(run - runs.begin());
    bands.push_back(std::move(band));
  }
  return bands;
}

} // namespace troupe
