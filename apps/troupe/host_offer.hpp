#pragma once

#include "model/machine_description.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace troupe {

/// What a node that is a machine is to offer, where that is not what it finds.
struct host_offer {
  std::optional<double> cpu;    ///< cores
  std::optional<double> memory; ///< GiB
  std::optional<double> gpu;    ///< cards
  std::optional<std::int32_t> slots;
  std::vector<std::string> attributes; ///< KEY=VALUE

  bool says_anything() const { return cpu || memory || gpu || slots || !attributes.empty(); }
};

void add_host_offer(CLI::App& command, host_offer& offer);

/// Returns what this host offers. Warns of more than it has. Throws `usage_error`.
machine_description machine_of(const host_offer& offer);

} // namespace troupe
