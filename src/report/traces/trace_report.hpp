#pragma once

#include "workload/fit/trace_fit.hpp"
#include "workload/fit/trace_profile.hpp"
#include "workload/formats/machine_table.hpp"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <optional>
#include <string>

namespace troupe {

/// The output of `troupe trace` for a trace: its jobs, its machines, or both.
struct trace_contents {
  std::string path;
  std::optional<trace_profile> jobs;
  std::optional<machine_table> machines;
};

/// Writes the description of a trace as a table of at most 80 columns.
void write_trace_table(std::ostream& out, const trace_contents& what);

/// The same as JSON: `format`, `rows`, `rows_by_event`, `jobs`, `tasks`, `span_s`, `quantiles` (of
/// inter-arrival, tasks per job, duration, requests), `peak_tasks`, `priorities`, `constraints`,
/// `machines`, `skipped`.
nlohmann::ordered_json trace_json(const trace_contents& what);

/// Writes the distances of a fitted workload from its trace, as a table.
void write_fit_table(std::ostream& out, const trace_fit& fit);

/// The same as JSON.
nlohmann::ordered_json fit_json(const trace_fit& fit);

} // namespace troupe
