#pragma once

#include "settings/schema/settings.hpp"

#include <algorithm>

namespace troupe {

/// Returns whether jobs of a trace are submitted after the ends of others, of which job stores then
/// have to hear.
inline bool any_think_times(const run_settings& settings) {
  return std::ranges::any_of(settings.groups, [](const group_settings& g) {
    return g.workload.kind == workload_kind::trace && g.workload.trace.think_times;
  });
}

} // namespace troupe
