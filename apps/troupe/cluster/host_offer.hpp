#pragma once

#include "model/cluster/machine_description.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// Resources and attributes that a node that is one machine offers instead of those it detects.
struct host_offer {
  std::optional<double> cpu;    ///< cores
  std::optional<double> memory; ///< GiB
  std::optional<double> gpu;    ///< cards
  std::optional<std::int32_t> slots;
  std::vector<std::string> attributes; ///< KEY=VALUE

  bool says_anything() const { return cpu || memory || gpu || slots || !attributes.empty(); }
};

void add_host_offer(CLI::App& command, host_offer& offer);

/// Returns the offer of this host. Logs a warning if it exceeds the host's resources. Throws
/// `usage_error`.
machine_description machine_of(const host_offer& offer);

} // namespace troupe
