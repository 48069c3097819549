#pragma once

#include "experiments/expectations/evaluate.hpp"
#include "experiments/expectations/experiment.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>

namespace troupe {

/// Returns the results of an experiment in the format of `result.json`: the runs, their values, and
/// a verdict on each expectation. The first expectation is that every run succeeds and its
/// self-checks pass. `left_out` names the runs that were excluded. All output on an experiment is
/// made from this.
nlohmann::ordered_json experiment_json(const experiment& e, std::span<const run_result> results,
                                       std::span<const std::string> left_out,
                                       const std::string& version);

nlohmann::ordered_json to_json(const estimate& e);
estimate estimate_in(const nlohmann::ordered_json& json);

} // namespace troupe
