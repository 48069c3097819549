#include "experiments/compare/fidelity_table.hpp"

#include "experiments/compare/summary_path.hpp"
#include "experiments/expectations/value_error.hpp"
#include "report/text/text.hpp"

#include <cmath>
#include <optional>

namespace troupe {

namespace {

struct fidelity_metric {
  const char* name;
  const char* path;
  std::string (*text)(double);
};

std::string whole_text(double x) {
  return count_text(static_cast<std::uint64_t>(x));
}

constexpr fidelity_metric fidelity_metrics[] = {
  {"tasks submitted", "tasks.submitted", whole_text},
  {"tasks placed", "tasks.placed", whole_text},
  {"tasks finished", "tasks.finished", whole_text},
  {"scheduling delay, mean", "scheduling_delay_s.mean", seconds_text},
  {"scheduling delay, p50", "scheduling_delay_s.p50", seconds_text},
  {"scheduling delay, p99", "scheduling_delay_s.p99", seconds_text},
  {"job response, mean", "job_response_s.mean", seconds_text},
  {"conflict fraction", "conflict_fraction", percent_text},
  {"quality, mean", "quality.mean", number_text},
  {"utilization, mean", "utilization.mean", percent_text},
  {"view staleness, mean", "staleness_s.mean", seconds_text},
};

std::optional<double> fidelity_number(const nlohmann::ordered_json& summary, const char* path) {
  try {
    return value_at(summary, path);
  } catch (const value_error&) {
    return std::nullopt;
  }
}

/// The relative difference; nothing where there is none to speak of.
std::optional<double> relative_gap(double from, double to) {
  if (from == to)
    return 0;
  if (from == 0)
    return std::nullopt;
  return (to - from) / std::abs(from);
}

std::string relative_gap_text(const std::optional<double>& d) {
  if (!d)
    return "from 0";
  if (*d == 0)
    return "equal";
  if (std::abs(*d) < 1e-5)
    return "< 0.001 %";
  return (*d > 0 ? "+" : "-") + percent_text(std::abs(*d));
}

} // namespace

fidelity_table compare_fidelity(std::span<const std::string> names,
                                std::span<const nlohmann::ordered_json> summaries, double within) {
  fidelity_table out;
  out.table.header = {"", names.front()};
  for (const auto& name : names.subspan(1)) {
    out.table.header.push_back(name);
    out.table.header.emplace_back("gap ");
  }
  for (const auto& m : fidelity_metrics) {
    const auto base = fidelity_number(summaries.front(), m.path);
    if (!base)
      continue;
    auto& row = out.table.rows.emplace_back(std::vector<std::string>{m.name, m.text(*base)});
    auto& numbers = out.rows.emplace_back(fidelity_row{m.name, m.path, {base}, {}});
    for (const auto& summary : summaries.subspan(1)) {
      const auto there = fidelity_number(summary, m.path);
      const auto d = there ? relative_gap(*base, *there) : std::nullopt;
      const bool far = within > 0 && (!d || std::abs(*d) > within);
      out.beyond += far;
      numbers.values.push_back(there);
      numbers.gaps.push_back(d);
      row.push_back(there ? m.text(*there) : "-");
      row.push_back(relative_gap_text(d) + (far ? '*' : ' '));
    }
  }
  return out;
}

} // namespace troupe
