#pragma once

#include "model/results.hpp"

#include <ostream>

namespace troupe {

/// Writes `timeseries.csv`: a header and one row per interval and scheduler group, as RFC 4180 says
/// (rows end with CR LF; fields with commas, quotes or line breaks are quoted). Column names carry
/// their units; counts are of the interval, those of `queued`, `in_commit` and `running` of its
/// end. A field is empty where nothing was measured. Numbers have nine significant digits.
void write_timeseries(std::ostream& out, const run_results& results);

/// The parts of that. `policies` adds the policies of the groups, where these were changed; `of`
/// says what run it is, and which changes there were before the row.
void write_timeseries_header(std::ostream& out, bool policies);
void write_timeseries_row(std::ostream& out, const interval_record& row, const run_results& of,
                          bool policies);

} // namespace troupe
