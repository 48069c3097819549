#pragma once

#include "model/base/time.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// When a job waited and held its processors. Instants that have not come are in `no_instant`.
struct job_span {
  instant submitted{0};
  instant placed{0};
  instant ended{0};
  std::int64_t amount = 0; ///< of processors
};

/// How processors were used from the first submission to the last end of a job, as shares of all
/// processor time in between. With events (submissions, starts, ends) at t_0 .. t_m, N processors,
/// and n_i of them free from t_i to t_(i+1), both kinds of loss are
///
///     sum of n_i (t_(i+1) - t_i) d_i / (N (t_m - t_0)).
struct processor_use {
  double seconds = 0; ///< t_m - t_0
  double busy = 0;    ///< held by jobs
  /// d_i is 1 if a job waits that asks for n_i at most, else 0 (Leung, Sabin, Sadayappan: Parallel
  /// job scheduling policies to improve fairness, ICPP Workshops 2010).
  double lost = 0;
  /// d_i is 1 if any job waits (Zhang, Franke, Moreira, Sivasubramaniam: An integrated approach to
  /// parallel scheduling using gang-scheduling, backfilling, and migration, IEEE TPDS 14(3), 2003).
  double idle_while_waiting = 0;
};

/// Returns the use of `processors` by jobs. Those that have not been placed wait until their end
/// or, if they have none, beyond the last end of the others; those that have not ended run as long.
/// All shares are 0 if no job has ended. Reorders the spans.
processor_use use_of(std::vector<job_span>& jobs, double processors);

} // namespace troupe
