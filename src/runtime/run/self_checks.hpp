#pragma once

#include "actors/recorder/run_record.hpp"
#include "settings/schema/settings.hpp"

#include <vector>

namespace troupe {

/// Checks the invariants over a whole run: every task is in exactly one place, no machine was over
/// capacity, no placement was granted twice, no view was staler than its sync plan allows.
std::vector<self_check> check_invariants(const run_record& record, const run_settings& settings);

/// Returns the greatest age at which a partition of a view may be refreshed: a sync gap and the
/// delay of the network; with `real` time, also the delays of a busy host.
duration staleness_bound(const run_settings& settings, bool real);

} // namespace troupe
