#pragma once

#include "runtime/cluster/growth_plan.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

/// Draws how machines join and leave a cluster that grows, from the seed of the settings. No
/// machine is there at first. Within `chaos.window`, machines with parts of the resources and with
/// any attributes of the machines of [cluster] come for at most `chaos.longest` each; some are
/// drained before they leave. A machine comes back at once with other resources, or another one
/// takes its place after `failures_settings::place_rest`. In the end all machines of [cluster] are
/// there.
growth_plan draw_growth(const run_settings& settings);

} // namespace troupe
