#pragma once

#include "model/fault.hpp"
#include "settings/settings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What came of one run under chaos.
struct chaos_outcome {
  std::uint64_t seed = 0;
  std::vector<fault> faults;
  std::uint64_t tasks = 0;    ///< submitted
  std::uint64_t starts = 0;   ///< of tasks, on machines
  std::uint64_t messages = 0; ///< handled
  instant ended{0};
  std::optional<std::string> violation; ///< what was wrong first
  std::vector<std::string> last_events; ///< before that, where they were asked for
};

/// Returns why a run cannot be made under chaos, or nothing if it can.
std::string why_no_chaos(const run_settings& settings);

/// Runs a cluster in virtual time under the failures that the seed of the settings has for it, and
/// those of [faults], and checks after every event whether all is as it has to be. `keep_events` is
/// the number of events to keep for those who want to know how it came to what was wrong; that
/// costs time. A run that takes more than `most_messages` messages is wrong, too; 0: any number may
/// come.
chaos_outcome run_chaos(const run_settings& settings, std::size_t keep_events = 0,
                        std::uint64_t most_messages = 0);

} // namespace troupe
