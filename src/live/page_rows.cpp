#include "live/page_rows.hpp"

#include "live/live_text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace troupe {

namespace {

constexpr auto no_value = std::numeric_limits<double>::quiet_NaN();

struct column {
  std::string_view name;
  double (*value)(const live_row&);
};

double rate(std::uint64_t count, const live_row& r) {
  return r.seconds() > 0 ? static_cast<double>(count) / r.seconds() : no_value;
}

double number(std::uint64_t count) {
  return static_cast<double>(count);
}

double of_delay(const live_row& r, double delay_figures::*what) {
  return r.delay.count > 0 ? r.delay.*what : no_value;
}

/// Refused placements for each accepted one.
double refused(std::uint64_t conflicts, const live_row& r) {
  return r.tasks.placed > 0 ? number(conflicts) / number(r.tasks.placed) : no_value;
}

double all_conflicts(const live_row& r) {
  return refused(std::accumulate(r.conflicts.begin(), r.conflicts.end(), std::uint64_t{0}), r);
}

template <std::size_t K>
double used(const live_row& r) {
  return r.used[K] > 0 ? r.used[K] : no_value;
}

template <std::size_t K>
double stranded(const live_row& r) {
  return r.used[K] > 0 ? r.stranded[K] : no_value;
}

template <std::size_t C>
double refused_by(const live_row& r) {
  return refused(r.conflicts[C], r);
}

double age(const live_row& r, double value_band::*what) {
  return r.age.max > 0 ? r.age.*what : no_value;
}

constexpr column all_columns[] = {
  {"until_s", [](const live_row& r) { return to_seconds(r.to); }},
  {"samples", nullptr},
  {"queued", [](const live_row& r) { return number(r.tasks.queued); }},
  {"in_commit", [](const live_row& r) { return number(r.tasks.in_commit); }},
  {"running", [](const live_row& r) { return number(r.tasks.running); }},
  {"submitted_per_s", [](const live_row& r) { return rate(r.tasks.submitted, r); }},
  {"placed_per_s", [](const live_row& r) { return rate(r.tasks.placed, r); }},
  {"finished_per_s", [](const live_row& r) { return rate(r.tasks.finished, r); }},
  {"failed_per_s", [](const live_row& r) { return rate(r.tasks.failed, r); }},
  {"lost_per_s", [](const live_row& r) { return rate(r.tasks.lost, r); }},
  {"abandoned_per_s", [](const live_row& r) { return rate(r.tasks.abandoned, r); }},
  {"scheduling_delay_mean_s", [](const live_row& r) { return of_delay(r, &delay_figures::mean); }},
  {"scheduling_delay_p50_s", [](const live_row& r) { return of_delay(r, &delay_figures::p50); }},
  {"scheduling_delay_p90_s", [](const live_row& r) { return of_delay(r, &delay_figures::p90); }},
  {"scheduling_delay_p99_s", [](const live_row& r) { return of_delay(r, &delay_figures::p99); }},
  {"conflict_fraction", all_conflicts},
  {"conflict_fraction_taken", refused_by<0>},
  {"conflict_fraction_changed", refused_by<1>},
  {"conflict_fraction_gone", refused_by<2>},
  {"conflict_fraction_moved", refused_by<3>},
  {"utilization", [](const live_row& r) { return r.utilization; }},
  {"cpu_utilization", used<0>},
  {"memory_utilization", used<1>},
  {"gpu_utilization", used<2>},
  {"slots_utilization", used<3>},
  {"cpu_fragmentation", stranded<0>},
  {"memory_fragmentation", stranded<1>},
  {"gpu_fragmentation", stranded<2>},
  {"slots_fragmentation", stranded<3>},
  {"quality_mean",
   [](const live_row& r) { return r.quality.count > 0 ? r.quality.mean() : no_value; }},
  {"quality_stddev",
   [](const live_row& r) { return r.quality.count > 0 ? r.quality.stddev() : no_value; }},
  {"staleness_mean_s", [](const live_row& r) { return age(r, &value_band::mid); }},
  {"staleness_min_s", [](const live_row& r) { return age(r, &value_band::min); }},
  {"staleness_max_s", [](const live_row& r) { return age(r, &value_band::max); }},
  {"commits_per_s", [](const live_row& r) { return rate(r.commits, r); }},
  {"snapshots_per_s", [](const live_row& r) { return rate(r.snapshots, r); }},
  {"busyness", [](const live_row& r) { return r.busy.mid; }},
  {"busyness_max", [](const live_row& r) { return r.busy.max; }},
  {"preempted_per_s", [](const live_row& r) { return rate(r.preempted, r); }},
};

constexpr auto names = [] {
  std::array<std::string_view, std::size(all_columns)> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = all_columns[i].name;
  return out;
}();

void append_row(std::string& text, const live_row& row, std::uint64_t samples) {
  text += text.size() > 1 ? ",[" : "[";
  for (const auto& c : all_columns) {
    if (&c != all_columns)
      text += ',';
    text += c.value != nullptr ? live_number(c.value(row)) : std::to_string(samples);
  }
  text += ']';
}

/// Adds the delays of the next row. Rows of single samples have no distributions: of their
/// quantiles, means are taken.
void add_delays(delay_figures& sum, const delay_figures& next) {
  const auto count = number(sum.count + next.count);
  if (count <= 0)
    return;
  const auto mean = [&](double delay_figures::*what) {
    sum.*what = (sum.*what * number(sum.count) + next.*what * number(next.count)) / count;
  };
  mean(&delay_figures::mean);
  mean(&delay_figures::p50);
  mean(&delay_figures::p90);
  mean(&delay_figures::p99);
  sum.max = std::max(sum.max, next.max);
  sum.count += next.count;
}

} // namespace

std::span<const std::string_view> live_columns() {
  return names;
}

std::string whole_rows(const live_state& state) {
  std::string text = "[";
  std::uint64_t before = 0;
  for (const auto& row : state.series.whole()) {
    append_row(text, row, row.number - before);
    before = row.number;
  }
  return text + ']';
}

std::string rows_after(const live_state& state, std::uint64_t after, std::size_t most) {
  const auto& recent = state.series.recent();
  auto i = recent.size();
  while (i > 0 && recent[i - 1].number > after)
    --i;
  std::string text = "[";
  const auto each = (recent.size() - i + most - 1) / most;
  while (i < recent.size()) {
    const auto before = recent[i].number - 1;
    auto row = recent[i++];
    auto delay = row.delay;
    for (std::size_t n = 1; n < each && i < recent.size(); ++n, ++i) {
      add_delays(delay, recent[i].delay);
      row.append(recent[i]);
    }
    row.delay = delay;
    append_row(text, row, row.number - before);
  }
  return text + ']';
}

} // namespace troupe
