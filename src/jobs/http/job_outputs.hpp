#pragma once

#include "jobs/http/job_routes.hpp"

namespace troupe {

/// Answers with a part of a command's output, once its node has found it. Throws `refused`.
void show_output(job_service& service, const output_reader& read, const web_request& r,
                 const web_reply& reply);

} // namespace troupe
