#include "report/page/plots/scheduler_figures.hpp"

#include "report/page/runs/thin.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace troupe {

namespace {

/// Instants of a figure at most, in all of its lines.
constexpr std::size_t most_instants = 1000;

/// Returns the line of a run. Within a bucket of instants, it has the mean of the medians, the
/// least and the greatest value.
figure_line band_of(const run_folder& run, const char* column, std::size_t most) {
  const auto& ends = run.schedulers.number("to_s");
  const auto& numbers = run.schedulers.number("scheduler");
  const auto& values = run.schedulers.number(column);
  std::map<double, std::vector<std::pair<double, double>>> at; // value and scheduler, by instant
  for (std::size_t i = 0; i < values.size() && i < ends.size(); ++i)
    if (std::isfinite(values[i]))
      at[ends[i]].emplace_back(values[i], numbers[i]);
  std::vector<double> instants;
  for (const auto& [end, all] : at)
    instants.push_back(end);
  figure_line line{run.label, {}, {}};
  for (const auto& bucket : buckets_of(instants.size(), most)) {
    double sum = 0;
    std::pair least{std::numeric_limits<double>::infinity(), 0.0};
    std::pair greatest{-std::numeric_limits<double>::infinity(), 0.0};
    for (auto i = bucket.first; i < bucket.end; ++i) {
      auto& all = at[instants[i]];
      std::ranges::sort(all);
      sum += all[(all.size() - 1) / 2].first / 2 + all[all.size() / 2].first / 2;
      least = std::min(least, all.front());
      greatest = std::max(greatest, all.back());
    }
    line.x.push_back(instants[bucket.end - 1]);
    line.y.push_back(sum / static_cast<double>(bucket.end - bucket.first));
    line.low.push_back(least.first);
    line.high.push_back(greatest.first);
    line.high_of.push_back(fmt::format("scheduler {:g}", greatest.second));
    line.low_of.push_back(fmt::format("scheduler {:g}", least.second));
  }
  return line;
}

bool has_several(const run_folder& run) {
  const auto& numbers = run.schedulers.number("scheduler");
  return std::set<double>(numbers.begin(), numbers.end()).size() > 1;
}

} // namespace

std::vector<figure> scheduler_figures(std::span<const run_folder> runs) {
  std::vector<figure> all{{"scheduler-queues", "Queues of schedulers", "time (s)",
                           "tasks that wait at a scheduler", "s", ""},
                          {"scheduler-busyness", "Busyness of schedulers", "time (s)",
                           "share of a scheduler's time that it decides (%)", "s", "%"},
                          {"scheduler-staleness", "Staleness by scheduler", "time (s)",
                           "mean age of a scheduler's view (s)", "s", "s"}};
  constexpr const char* columns[] = {"queued", "busyness", "staleness_mean_s"};
  const auto most = most_instants / std::max<std::size_t>(runs.size(), 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const auto& run : runs)
      if (has_several(run))
        if (auto line = band_of(run, columns[i], most);
            std::ranges::any_of(line.high, [](double x) { return x > 0; })) {
          if (runs.size() == 1)
            line.label = "median";
          all[i].lines.push_back(std::move(line));
        }
    all[i].note = "Medians over the schedulers, in bands from the least to the greatest one; the "
                  "values at the cursor say which these are.";
  }
  std::erase_if(all, [](const figure& f) { return f.lines.empty(); });
  return all;
}

} // namespace troupe
