#pragma once

#include "experiments/evaluate.hpp"
#include "experiments/experiment.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace troupe {

/// Returns what an experiment gave, as `result.json` holds it: what was run, the values of each
/// run, and a verdict on each expectation, the first of which is that every run ended well and its
/// self-checks hold. `left_out` names the runs that were not to be run. All that is shown of an
/// experiment is made from this.
nlohmann::ordered_json experiment_json(const experiment& e, std::span<const run_result> results,
                                       std::span<const std::string> left_out,
                                       const std::string& version);

nlohmann::ordered_json to_json(const estimate& e);
estimate estimate_in(const nlohmann::ordered_json& json);

} // namespace troupe
