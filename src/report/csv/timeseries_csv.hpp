#pragma once

#include "model/metrics/results.hpp"

#include <ostream>

namespace troupe {

/// Writes `timeseries.csv`: a header and one row per interval and scheduler group, in the format of
/// RFC 4180 (rows end with CR LF; fields with commas, quotes or line breaks are quoted). Column
/// names carry their units; counts are those of the interval, except `queued`, `in_commit` and
/// `running`, which are those at its end. A field is empty if nothing was measured. Numbers have
/// nine significant digits.
void write_timeseries(std::ostream& out, const run_results& results);

/// The header and one row of this file. `policies` adds the policies of the groups, if these
/// change; `of` identifies the run and has the changes before the row.
void write_timeseries_header(std::ostream& out, bool policies);
void write_timeseries_row(std::ostream& out, const interval_record& row, const run_results& of,
                          bool policies);

} // namespace troupe
