#pragma once

namespace troupe {

/// Returns the mean wait in a queue with Poisson arrivals, exponential service and `servers`
/// servers, each busy for the share `load` of its time (Erlang C), in units of the mean service
/// time. `servers` is at least 1, `load` in [0, 1). Throws `std::domain_error` otherwise.
double erlang_c_wait(double servers, double load);

} // namespace troupe
