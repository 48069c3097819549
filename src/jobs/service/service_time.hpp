#pragma once

#include "model/base/time.hpp"

#include <cstdint>

namespace troupe {

/// The two clocks of the service, read once for each decision.
struct service_time {
  instant steady{0};       ///< of a monotonic clock: for leases
  std::int64_t utc_ms = 0; ///< for people
};

} // namespace troupe
