#pragma once

#include "jobs/http/job_routes.hpp"

/// The requests that ask about jobs and machines. They throw `refused`.
namespace troupe {

web_response list_jobs(job_service& service, const machine_lister& machines, const web_request& r);

/// Waits for the end of the job, if the request says so.
void show_job(job_service& service, const machine_lister& machines, const web_request& r,
              const web_reply& reply);

web_response list_tasks(job_service& service, const web_request& r);
web_response show_task(job_service& service, const web_request& r);
web_response list_runs(job_service& service, const web_request& r);
web_response list_machines(job_service& service, const machine_lister& machines,
                           const web_request& r);

} // namespace troupe
