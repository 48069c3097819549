#pragma once

#include "settings/schema/settings.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>

namespace troupe {

/// The numbers of written jobs, and the information of the trace that a `.tr` file lacks.
struct written_trace {
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t bytes = 0;
  std::map<std::string, std::uint64_t> lost; ///< numbers of jobs, by the lost information
  std::map<std::string, std::uint64_t> skipped;
};

/// Writes the jobs of a trace, after the selection by the settings, in the format `.tr`: for each a
/// row of submission time, number of tasks, estimate and durations, in s, exact to the nanosecond.
/// Throws like `open_trace` and `trace_reader`.
written_trace write_tr(std::ostream& out, const std::string& path, const trace_settings& settings);

} // namespace troupe
