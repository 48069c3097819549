#include "jobs/http/job_routes.hpp"

#include "jobs/http/job_changes.hpp"
#include "jobs/http/job_outputs.hpp"
#include "jobs/http/job_queries.hpp"
#include "jobs/http/job_requests.hpp"

namespace troupe {

namespace {

constexpr auto answer_to_wait = std::chrono::seconds{70};

/// Turns what a handler throws into its answer.
template <class Handler>
web_handler with_refusals(Handler handler) {
  return [handler](const web_request& request, const web_reply& reply) {
    try {
      handler(request, reply);
    } catch (const refused& e) {
      reply(e.response);
    } catch (const store_broken&) {
      reply(away());
    }
  };
}

constexpr const char* machines_path = "/api/v1/machines";
constexpr const char* jobs_path = "/api/v1/jobs";
constexpr const char* job_path = "/api/v1/jobs/{job}";
constexpr const char* cancel_path = "/api/v1/jobs/{job}/cancel";
constexpr const char* retry_path = "/api/v1/jobs/{job}/retry";
constexpr const char* tasks_path = "/api/v1/jobs/{job}/tasks";
constexpr const char* runs_path = "/api/v1/jobs/{job}/runs";
constexpr const char* task_path = "/api/v1/jobs/{job}/tasks/{task}";
constexpr const char* give_up_path = "/api/v1/jobs/{job}/tasks/{task}/give-up";
constexpr const char* output_path = "/api/v1/jobs/{job}/tasks/{task}/output/{stream}";

} // namespace

void mount(route_table& routes, job_service& service, output_reader read_output,
           machine_lister machines, bool gangs) {
  const auto later = [&](const char* method, const char* path, auto handler,
                         std::chrono::milliseconds longest = std::chrono::milliseconds{0}) {
    routes.add(method, path,
               with_refusals([&service, handler](const web_request& r, const web_reply& reply) {
                 handler(service, r, reply);
               }),
               route_access::trusted, longest);
  };
  const auto at_once = [&](const char* path,
                           web_response (*handler)(job_service&, const web_request&)) {
    later("GET", path, [handler](job_service& s, const web_request& r, const web_reply& reply) {
      reply(handler(s, r));
    });
  };
  later("POST", jobs_path, [gangs](job_service& s, const web_request& r, const web_reply& reply) {
    submit(s, r, gangs, reply);
  });
  later("GET", jobs_path, [machines](job_service& s, const web_request& r, const web_reply& reply) {
    reply(list_jobs(s, machines, r));
  });
  later(
    "GET", job_path,
    [machines](job_service& s, const web_request& r, const web_reply& reply) {
      show_job(s, machines, r, reply);
    },
    answer_to_wait);
  later("POST", cancel_path, cancel);
  later("POST", retry_path, retry);
  at_once(tasks_path, list_tasks);
  at_once(task_path, show_task);
  at_once(runs_path, list_runs);
  later("GET", machines_path,
        [machines](job_service& s, const web_request& r, const web_reply& reply) {
          reply(list_machines(s, machines, r));
        });
  later("POST", give_up_path, give_up);
  later("GET", output_path,
        [read_output](job_service& s, const web_request& r, const web_reply& reply) {
          show_output(s, read_output, r, reply);
        });
}

void mount_without_jobs(route_table& routes, const std::function<web_response()>& answer) {
  const auto refuse = [&](const char* method, const char* path) {
    routes.add(method, path,
               [answer](const web_request&, const web_reply& reply) { reply(answer()); });
  };
  for (const auto* path :
       {machines_path, jobs_path, job_path, tasks_path, task_path, runs_path, output_path})
    refuse("GET", path);
  for (const auto* path : {jobs_path, cancel_path, retry_path, give_up_path})
    refuse("POST", path);
}

} // namespace troupe
