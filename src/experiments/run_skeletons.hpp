#pragma once

#include "experiments/experiment.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace troupe {

/// What the runs of an experiment will measure, as `summary_skeleton` tells it, known before they
/// run. The runs must be ones whose settings can be read.
class run_skeletons {
public:
  /// Returns why a run will have no number at `path`; empty if it may.
  std::string fault_of(const planned_run& run, const std::string& path);

private:
  std::map<std::string, nlohmann::ordered_json> known_; ///< by the runs' names
};

} // namespace troupe
