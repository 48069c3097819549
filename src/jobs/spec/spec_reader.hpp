#pragma once

#include "jobs/spec/job_spec.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

namespace troupe {

/// Returns the place that a fault message names for a JSON pointer.
using place_of_pointer = std::function<std::string(const std::string& pointer)>;

/// Where a job comes from. Stored jobs may have leases that are refused today.
enum class job_origin { client, store };

/// Reads a job from a JSON value. Throws `spec_error`.
job_spec read_job(const nlohmann::json& from, job_origin origin, const place_of_pointer& place);

} // namespace troupe
