#pragma once

#include "actors/run_record.hpp"
#include "settings/settings.hpp"

#include <vector>

namespace troupe {

/// Checks the invariants over a whole run: every task is in exactly one place, no machine was over
/// capacity, no placement was granted twice, no view was staler than its sync plan allows.
std::vector<self_check> check_invariants(const run_record& record, const run_settings& settings);

/// Returns the greatest age at which a partition of a view may be refreshed: a sync gap and what
/// the network adds; with `real` time, also what a busy machine may add.
duration staleness_bound(const run_settings& settings, bool real);

} // namespace troupe
