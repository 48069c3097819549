#include "report/summary/attempts_json.hpp"

#include "report/json/json_number.hpp"

#include <cmath>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

json share(std::uint64_t part, std::uint64_t whole) {
  return json_number_if(whole > 0, static_cast<double>(part) / static_cast<double>(whole));
}

json attempts_json(const scheduler_sample& s) {
  const auto& a = s.attempts;
  const auto wasted = s.conflicts + a.aborted;
  const auto decisions = s.tasks.placed + wasted;
  const auto tries = a.tries();
  const auto some = !tries.empty();
  const auto busy = in_seconds(s.busy);
  // Attempts are whole numbers, which the distribution's bins blur.
  const auto quantile = [&](double q) {
    return json_number_if(some, std::round(tries.quantile(q)));
  };
  return {
    {"transactions", a.transactions},
    {"conflicted", a.conflicted},
    {"conflict_fraction", share(a.conflicted, a.transactions - a.conflicted)},
    {"decisions", decisions},
    {"wasted", wasted},
    {"wasted_fraction", share(wasted, decisions)},
    {"wasted_time_fraction", json_number_if(busy > 0, in_seconds(a.wasted) / busy)},
    {"aborted", a.aborted},
    {"diverted", a.diverted},
    {"unplaceable", a.unplaceable},
    {"per_task",
     {{"mean", json_number_if(some, tries.mean())},
      {"p50", quantile(0.5)},
      {"p90", quantile(0.9)},
      {"p99", quantile(0.99)},
      {"max", json_number_if(some, tries.max())}}},
    {"gangs",
     {{"placed", a.gangs_placed}, {"broken", a.gangs_broken}, {"impossible", a.gangs_impossible}}}};
}

json by_age_json(const attempt_counts& a) {
  auto rows = json::array();
  for (std::size_t i = 0; i < age_bins; ++i) {
    const auto last = i + 1 == age_bins;
    rows.push_back({{"up_to_gap", last ? json(nullptr) : json(static_cast<double>(i + 1) / 10)},
                    {"granted", a.granted_by_age[i]},
                    {"refused", a.refused_by_age[i]},
                    {"conflict_fraction", share(a.refused_by_age[i], a.granted_by_age[i])}});
  }
  return rows;
}

} // namespace

void add_attempts(json& to, const totals& t) {
  const auto& s = t.sample;
  to["wait_s"] = json_delay(s.attempts.wait);
  to["attempts"] = attempts_json(s);
  to["conflicts_by_age"] = by_age_json(s.attempts);
  to["refused_staleness_s"] = json_delay(s.attempts.refused_age);
}

} // namespace troupe
