#pragma once

#include "model/live/live_state.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The metrics of a run or a cluster: their names, and how each is read from its live state.
namespace troupe {

/// The sorts of metrics of Prometheus that are in use here.
enum class metric_sort : std::uint8_t { counter, gauge, histogram };

std::string_view to_string(metric_sort sort);

/// One value of a metric. A histogram has buckets instead: numbers of values up to a bound, rising,
/// the last one for all values.
struct metric_value {
  std::vector<std::string> labels; ///< the values of the metric's labels, in their order
  double value = 0;

  struct bucket {
    double bound = 0;
    std::uint64_t count = 0; ///< of all values up to the bound
  };
  std::vector<bucket> buckets{};
  std::uint64_t count = 0; ///< of the values
  double sum = 0;          ///< likewise
};

/// What the program that is asked knows besides the state: its own process.
struct process_figures {
  double cpu_seconds = 0;
  double resident_bytes = 0;
  double open_files = 0;
  double started_at = 0; ///< s since 1970

  /// Those of this process.
  static process_figures read();
};

struct metric {
  std::string_view name; ///< with the prefix "troupe_" or "process_"
  metric_sort sort = metric_sort::gauge;
  std::vector<std::string_view> labels;
  std::string_view help;       ///< one sentence
  std::string_view labels_are; ///< the values of the labels, for people
  std::vector<metric_value> (*read)(const live_state&, const process_figures&) = nullptr;
};

/// All metrics, in the order of the output.
std::span<const metric> metric_table();

/// Returns the bounds of the buckets for delays: 1, 2 and 5 times powers of ten, from 1 ms to 100
/// s.
std::span<const double> delay_bounds();

/// Returns the table of docs/metrics.md.
std::string metric_table_text();

} // namespace troupe
