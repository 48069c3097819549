#include "report/page/plots/run_figures.hpp"

#include "report/page/plots/delay_curve.hpp"
#include "report/page/plots/scheduler_figures.hpp"

#include <fmt/core.h>

#include <cmath>
#include <set>
#include <utility>

namespace troupe {

namespace {

/// Returns the curves of all lines' delays.
figure delay_figure(std::span<const run_folder> runs, std::span<const run_line> lines) {
  figure f{"delays",
           "Distribution of scheduling delays",
           "delay (s, log)",
           "share of tasks placed within it (%)",
           "s",
           "%"};
  f.x_log = true;
  f.note = "Tasks that were not placed count as censored at their ages (Kaplan and Meier 1958).";
  for (const auto& line : lines) {
    auto curve = delay_curve_of(runs[line.run].delays, line.group);
    if (!curve.delay_s.empty())
      f.lines.push_back(
        {line.label, std::move(curve.delay_s), std::move(curve.share), {}, line.group});
  }
  return f;
}

/// Returns how often placements were refused by the age of the view that they were decided on.
figure age_figure(std::span<const run_folder> runs) {
  figure f{"ages",
           "Conflicts by age of the view",
           "age of the view (share of the sync gap, up to)",
           "refused per placement (%)",
           "",
           "%"};
  for (const auto& run : runs) {
    figure_line line{run.label, {}, {}};
    if (!run.summary.contains("conflicts_by_age") || run.summary.value("conflicts", 0.0) == 0)
      continue;
    f.x_names.clear();
    for (const auto& bin : run.summary["conflicts_by_age"]) {
      const auto& end = bin["up_to_gap"];
      const auto& share = bin["conflict_fraction"];
      line.x.push_back(static_cast<double>(line.x.size()));
      line.y.push_back(share.is_number() ? share.get<double>() : std::nan(""));
      f.x_names.push_back(end.is_number() ? fmt::format("{:.1f}", end.get<double>()) : "more");
    }
    f.lines.push_back(std::move(line));
  }
  return f;
}

/// Returns the tenants' shares over time.
figure tenants_figure(std::span<const run_folder> runs) {
  figure f{"tenants", "Shares of tenants", "time (s)", "dominant share of the cluster (%)", "s",
           "%"};
  for (const auto& run : runs) {
    const auto& names = run.tenants.text("tenant");
    const std::set<std::string> tenants(names.begin(), names.end());
    for (const auto& tenant : tenants) {
      figure_line line{runs.size() > 1 ? run.label + ", " + tenant : tenant, {}, {}};
      for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == tenant) {
          line.x.push_back(run.tenants.number("to_s")[i]);
          line.y.push_back(run.tenants.number("share_mean")[i]);
        }
      f.lines.push_back(std::move(line));
    }
  }
  return f;
}

} // namespace

std::vector<figure> run_figures(std::span<const run_folder> runs, std::span<const run_line> lines) {
  std::vector<figure> figures;
  for (auto& f : {delay_figure(runs, lines), age_figure(runs), tenants_figure(runs)})
    if (!f.lines.empty())
      figures.push_back(f);
  for (auto& f : scheduler_figures(runs))
    figures.push_back(std::move(f));
  return figures;
}

} // namespace troupe
