#pragma once

#include "settings/settings.hpp"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>

namespace troupe {

/// What was written, and what of the trace a `.tr` file has no room for.
struct written_trace {
  std::uint64_t jobs = 0;
  std::uint64_t tasks = 0;
  std::uint64_t bytes = 0;
  std::map<std::string, std::uint64_t> lost; ///< jobs, by what they lost
  std::map<std::string, std::uint64_t> skipped;
};

/// Writes the jobs of a trace, as the window and all else in the settings leaves them, in the
/// format `.tr`: a row of submit time, number of tasks, estimate and durations for each, in s,
/// exact to the nanosecond. Throws as `open_trace` and `trace_reader` do.
written_trace write_tr(std::ostream& out, const std::string& path, const trace_settings& settings);

} // namespace troupe
