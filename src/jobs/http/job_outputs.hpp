#pragma once

#include "jobs/http/job_routes.hpp"

namespace troupe {

/// Answers with part of what a command has written, once its node has found it. Throws `refused`.
void show_output(job_service& service, const output_reader& read, const web_request& r,
                 const web_reply& reply);

} // namespace troupe
