#pragma once

#include "experiments/expectations/experiment.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace troupe {

/// The values that the runs of an experiment will measure, according to `summary_skeleton`, before
/// they run. The settings of the runs must be readable.
class run_skeletons {
public:
  /// Returns why a run will have no number at `path`; empty if it may.
  std::string fault_of(const planned_run& run, const std::string& path);

private:
  std::map<std::string, nlohmann::ordered_json> known_; ///< by the runs' names
};

} // namespace troupe
