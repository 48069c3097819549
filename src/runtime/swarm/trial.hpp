#pragma once

#include "model/protocol/fault.hpp"
#include "runtime/swarm/rows.hpp"
#include "settings/schema/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The outcome of one run of a swarm.
struct swarm_trial {
  std::optional<std::string> failure; ///< the first violation
  std::vector<fault> faults;
  std::uint64_t tasks = 0; ///< submitted; without failures: finished
  std::uint64_t starts = 0;
  std::uint64_t messages = 0;
};

/// Makes one run in the given mode. Checks all invariants of chaos or, without failures, all
/// self-checks of a run. All tasks must be over in the end.
swarm_trial try_run(const run_settings& settings, swarm_mode mode);

/// Returns the class of a failure: its text with # for each number.
std::string failure_class(const std::string& failure);

} // namespace troupe
