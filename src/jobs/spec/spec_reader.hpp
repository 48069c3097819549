#pragma once

#include "jobs/spec/job_spec.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

namespace troupe {

/// Returns the place that a fault message names for a JSON pointer.
using place_of_pointer = std::function<std::string(const std::string& pointer)>;

/// Reads a job from a JSON value. Throws `spec_error`.
job_spec read_job(const nlohmann::json& from, const place_of_pointer& place);

} // namespace troupe
