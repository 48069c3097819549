#pragma once

#include "model/fault.hpp"
#include "runtime/swarm/rows.hpp"
#include "settings/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What came of one run of a swarm.
struct swarm_trial {
  std::optional<std::string> failure; ///< what was wrong first
  std::vector<fault> faults;
  std::uint64_t tasks = 0; ///< submitted; without failures: finished
  std::uint64_t starts = 0;
  std::uint64_t messages = 0;
};

/// Makes one run as the mode says, with all invariants of chaos or, without failures, with all
/// self-checks of a run; everything must be over in the end.
swarm_trial try_run(const run_settings& settings, swarm_mode mode);

/// Returns what failures of one sort have in common: the text with # for each number.
std::string failure_class(const std::string& failure);

} // namespace troupe
