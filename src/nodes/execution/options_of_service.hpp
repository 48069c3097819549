#pragma once

#include "jobs/service/job_service.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

/// Returns the options of a cluster's job service: its tenants, and their maxima if all schedulers
/// keep to them.
service_options options_of_service(const run_settings& settings);

} // namespace troupe
