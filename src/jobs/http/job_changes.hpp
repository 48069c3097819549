#pragma once

#include "jobs/service/job_service.hpp"
#include "web/route_table.hpp"

/// The requests that change jobs. They answer when the change is durable, and throw `refused`.
namespace troupe {

/// Without `gangs`, jobs with gangs are refused.
void submit(job_service& service, const web_request& r, bool gangs, const web_reply& reply);
void cancel(job_service& service, const web_request& r, const web_reply& reply);
void retry(job_service& service, const web_request& r, const web_reply& reply);
void give_up(job_service& service, const web_request& r, const web_reply& reply);

} // namespace troupe
