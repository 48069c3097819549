#pragma once

#include "model/protocol/fault.hpp"
#include "runtime/cluster/growth_plan.hpp"
#include "settings/schema/settings.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The outcome of one run under chaos.
struct chaos_outcome {
  std::uint64_t seed = 0;
  std::vector<fault> faults;  ///< without the joins and leaves of machines
  std::uint64_t tasks = 0;    ///< submitted
  std::uint64_t starts = 0;   ///< of tasks, on machines
  std::uint64_t messages = 0; ///< handled
  instant ended{0};
  std::optional<std::string> violation; ///< the first violation
  std::vector<std::string> last_events; ///< events before it, if requested
};

/// Returns why a run in virtual time cannot be made under chaos, or nothing if it can.
std::string why_no_chaos(const run_settings& settings);

/// Runs a cluster in virtual time under the failures that the seed determines and those of
/// [faults], and checks the invariants after every event. `keep_events` is the number of events to
/// keep for the analysis of a violation; keeping them costs time. More than `most_messages`
/// messages during which no task ends, besides those of syncs, are a violation, too; 0: no limit.
chaos_outcome run_chaos(const run_settings& settings, std::size_t keep_events = 0,
                        std::uint64_t most_messages = 0);

/// The same for a cluster that grows as `growth` says. The failures of the settings must not
/// include machines.
chaos_outcome run_chaos(const run_settings& settings, std::shared_ptr<const growth_plan> growth,
                        std::size_t keep_events = 0);

} // namespace troupe
