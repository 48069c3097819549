#include "jobs/http/job_routes.hpp"

#include "jobs/http/job_json.hpp"
#include "jobs/http/job_lists.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace troupe {

namespace {

using answer_json = nlohmann::ordered_json;

constexpr std::uint64_t most_job = std::uint64_t{1} << 53; // that JSON numbers hold exactly
constexpr std::uint64_t usual_output = 64 << 10;
constexpr std::uint64_t most_output = 1 << 20;
constexpr std::uint64_t longest_wait_s = 60;
constexpr std::size_t longest_key = 255;
constexpr auto answer_to_wait = std::chrono::seconds{70};

/// A mistake in a request.
struct refused {
  web_response response;
};

web_response answer_of(unsigned status, const answer_json& body) {
  auto made =
    json_response(body.dump(-1, ' ', false, answer_json::error_handler_t::replace) + '\n');
  made.status = status;
  return made;
}

web_response away() {
  auto made = error_response(503, "the store of jobs does not work now; ask again later");
  made.headers.emplace_back("Retry-After", "1");
  return made;
}

std::uint64_t number_in(const std::string& text, const std::string& name, std::uint64_t most,
                        unsigned status) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > most)
    throw refused{error_response(status, status == 404 ? "there is no " + name + ' ' + text
                                                       : name + " is '" + text +
                                                           "'; expected a whole number up to " +
                                                           std::to_string(most))};
  return number;
}

std::uint64_t job_id_of(const web_request& r) {
  return number_in(r.parts.at("job"), "job", most_job, 404);
}

std::uint32_t task_of_path(const web_request& r) {
  return static_cast<std::uint32_t>(number_in(r.parts.at("task"), "task", 0xFFFFFFFFU, 404));
}

std::uint64_t option_of(const web_request& r, const std::string& name, std::uint64_t otherwise,
                        std::uint64_t most) {
  const auto text = r.value(name);
  return text.empty() ? otherwise : number_in(text, name, most, 400);
}

std::size_t limit_of(const web_request& r) {
  return std::max<std::size_t>(option_of(r, "limit", usual_page, longest_page), 1);
}

template <class Enum, std::size_t N>
std::optional<Enum> state_of(const web_request& r, const std::string_view (&names)[N],
                             std::string_view also = "") {
  const auto text = r.value("state");
  if (text.empty() || text == also)
    return std::nullopt;
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text)
      return static_cast<Enum>(i);
  std::string known{also};
  for (const auto n : names)
    known += (known.empty() ? "" : ", ") + std::string{n};
  throw refused{error_response(400, "state is '" + text + "'; expected one of " + known)};
}

job_row existing(job_service& service, std::uint64_t id) {
  auto row = service.stored().job(id);
  if (!row)
    throw refused{error_response(404, "there is no job " + std::to_string(id))};
  return std::move(*row);
}

/// Turns what a handler throws into its answer.
template <class Handler>
web_handler guarded(Handler handler) {
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

web_response faults_response(const std::vector<spec_fault>& faults) {
  answer_json body{{"error", "the job has faults"}, {"faults", answer_json::array()}};
  for (const auto& f : faults)
    body["faults"].push_back({{"place", f.place}, {"what", f.what}});
  body["error"] = faults.front().place.empty() ? faults.front().what
                                               : faults.front().place + ": " + faults.front().what;
  return answer_of(422, body);
}

web_response submitted(const submit_outcome& told, std::uint32_t tasks) {
  using kind = submit_outcome::kind;
  switch (told.what) {
  case kind::made:
  case kind::repeated: {
    auto made = answer_of(told.what == kind::made ? 201 : 200, {{"id", told.id}, {"tasks", tasks}});
    made.headers.emplace_back("Location", "/api/v1/jobs/" + std::to_string(told.id));
    return made;
  }
  case kind::other_job:
    return faults_response({{"", "the key was used for another job, " + std::to_string(told.id) +
                                   "; expected a new one"}});
  case kind::no_predecessor:
    return error_response(404, "after: there is no job " + std::to_string(told.id));
  case kind::too_many: {
    auto made = error_response(429, "there are too many tasks that are not over; submit later");
    made.headers.emplace_back("Retry-After", "60");
    return made;
  }
  case kind::unavailable:
    break;
  }
  return away();
}

void submit(job_service& service, const web_request& r, const web_reply& reply) {
  if (r.idempotency_key.size() > longest_key)
    throw refused{error_response(400, "Idempotency-Key has more than 255 characters")};
  try {
    auto spec = read_job_json(r.body);
    const auto tasks = spec.task_count();
    service.submit(std::move(spec), r.idempotency_key,
                   [reply, tasks](submit_outcome told) { reply(submitted(told, tasks)); });
  } catch (const spec_error& e) {
    reply(faults_response(e.faults));
  }
}

web_response list_jobs(job_service& service, const web_request& r) {
  job_filter filter;
  filter.state = state_of<job_state>(r, job_state_names, "live");
  filter.live_only = r.value("state") == "live";
  filter.tenant = r.value("tenant");
  filter.name = r.value("name");
  const auto limit = limit_of(r);
  const auto before = option_of(r, "before", 0, most_job);
  const auto rows = service.stored().jobs(filter, before, limit);
  answer_json body{{"jobs", answer_json::array()}, {"before", nullptr}};
  for (const auto& row : rows)
    body["jobs"].push_back(job_json(row));
  if (rows.size() == limit)
    body["before"] = rows.back().id;
  return answer_of(200, body);
}

void show_job(job_service& service, const machine_lister& machines, const web_request& r,
              const web_reply& reply) {
  const auto id = job_id_of(r);
  auto text = r.value("wait");
  if (text.ends_with('s'))
    text.pop_back();
  const auto wait = text.empty() ? 0 : number_in(text, "wait", longest_wait_s, 400);
  existing(service, id);
  service.wait_for(
    id, std::chrono::seconds{wait}, [&service, machines, id, reply](const wait_outcome& told) {
      try {
        if (!told.available) {
          reply(away());
          return;
        }
        const auto there = machines ? machines() : std::vector<machine_description>{};
        const auto groups = service.stored().groups(id);
        reply(told.job
                ? answer_of(200, whole_job_json(*told.job, groups, machines ? &there : nullptr))
                : error_response(404, "there is no job " + std::to_string(id)));
      } catch (const store_broken&) {
        reply(away());
      }
    });
}

/// The answer to a command; `body` says what it was done to.
web_response commanded(const command_outcome& told, std::uint64_t id, const char* why_not,
                       const std::function<answer_json()>& body) {
  using kind = command_outcome::kind;
  try {
    switch (told.what) {
    case kind::done:
      return answer_of(202, body());
    case kind::over:
      return answer_of(200, body());
    case kind::not_over:
      return error_response(409, "job " + std::to_string(id) + why_not);
    case kind::unknown:
      return error_response(404, "there is no job " + std::to_string(id));
    case kind::unavailable:
      break;
    }
  } catch (const store_broken&) {
  }
  return away();
}

void cancel(job_service& service, const web_request& r, const web_reply& reply) {
  const auto id = job_id_of(r);
  service.cancel(id, [&service, id, reply](command_outcome told) {
    reply(commanded(told, id, "", [&] {
      const auto row = service.stored().job(id);
      return row ? job_json(*row) : answer_json{{"id", id}};
    }));
  });
}

void retry(job_service& service, const web_request& r, const web_reply& reply) {
  const auto id = job_id_of(r);
  service.retry(id, [id, reply](command_outcome told) {
    reply(commanded(told, id, " is not over", [&] {
      return answer_json{{"id", id}, {"tasks", told.tasks}};
    }));
  });
}

void give_up(job_service& service, const web_request& r, const web_reply& reply) {
  const auto id = job_id_of(r);
  const auto task = task_of_path(r);
  service.give_up(id, task, [=](command_outcome told) {
    if (told.what == command_outcome::kind::over)
      told.what = command_outcome::kind::not_over;
    reply(commanded(told, id, ": no attempt of the task is open", [&] {
      return answer_json{{"id", id}, {"task", task}};
    }));
  });
}

web_response list_tasks(job_service& service, const web_request& r) {
  const auto id = job_id_of(r);
  const auto job = existing(service, id);
  const auto state = state_of<task_state>(r, task_state_names);
  const auto from = static_cast<std::uint32_t>(option_of(r, "from", 0, 0xFFFFFFFFU));
  const auto limit = limit_of(r);
  const auto spec = read_job_json(job.spec);
  const auto page = tasks_of(service.stored(), id, service.stored().groups(id), from, state, limit);
  answer_json body{{"tasks", answer_json::array()}, {"next", nullptr}};
  for (const auto& t : page.tasks)
    body["tasks"].push_back(task_json(t, spec.groups.at(t.group).name));
  if (page.next)
    body["next"] = *page.next;
  return answer_of(200, body);
}

web_response show_task(job_service& service, const web_request& r) {
  const auto id = job_id_of(r);
  const auto task = task_of_path(r);
  const auto job = existing(service, id);
  const auto page =
    tasks_of(service.stored(), id, service.stored().groups(id), task, std::nullopt, 1);
  if (task >= job.tasks || page.tasks.empty())
    throw refused{error_response(404, "job " + std::to_string(id) + " has no task " +
                                        std::to_string(task) + "; it has tasks 0 to " +
                                        std::to_string(job.tasks - 1))};
  auto body = task_json(page.tasks[0], read_job_json(job.spec).groups.at(page.tasks[0].group).name);
  body["runs"] = answer_json::array();
  for (const auto& a : service.stored().attempts(id, task))
    body["runs"].push_back(attempt_json(a));
  return answer_of(200, body);
}

web_response list_runs(job_service& service, const web_request& r) {
  const auto id = job_id_of(r);
  const auto job = existing(service, id);
  const auto from = static_cast<std::uint32_t>(option_of(r, "from", 0, 0xFFFFFFFFU));
  const auto to = std::min<std::uint64_t>(job.tasks, std::uint64_t{from} + limit_of(r));
  answer_json body{{"tasks", answer_json::array()}, {"next", nullptr}};
  for (auto t = from; t < to; ++t) {
    auto runs = answer_json::array();
    for (const auto& a : service.stored().attempts(id, t))
      runs.push_back(attempt_json(a));
    body["tasks"].push_back({{"task", t}, {"runs", std::move(runs)}});
  }
  if (to < job.tasks)
    body["next"] = to;
  return answer_of(200, body);
}

/// The machines that may get tasks now.
web_response list_machines(const machine_lister& machines) {
  constexpr double per_unit = 1'000;
  constexpr std::int64_t mib = 1 << 20;
  answer_json body{{"machines", answer_json::array()}};
  std::size_t number = 0;
  for (const auto& m : machines ? machines() : std::vector<machine_description>{})
    body["machines"].push_back({{"name", "machine-" + std::to_string(++number)},
                                {"cpu", m.capacity[resource::cpu] / per_unit},
                                {"memory_bytes", m.capacity[resource::memory] * mib},
                                {"gpu", m.capacity[resource::gpu] / per_unit},
                                {"slots", m.capacity[resource::slots]},
                                {"attributes", m.attributes}});
  return answer_of(200, body);
}

web_response output_response(const std::optional<found_output>& found, const attempt_row& of) {
  if (!found) {
    auto made = error_response(503, "node " + of.node + ", which has the output, does not answer");
    made.headers.emplace_back("Retry-After", "1");
    return made;
  }
  if (!found->known)
    return error_response(410, "the output is no longer kept");
  web_response made;
  made.type = "application/octet-stream";
  made.body = found->bytes;
  made.headers.emplace_back("X-Attempt", std::to_string(of.which.attempt));
  made.headers.emplace_back("X-Offset", std::to_string(found->offset));
  made.headers.emplace_back("X-Size", std::to_string(found->size));
  made.headers.emplace_back("X-Open", of.open ? "true" : "false");
  return made;
}

void show_output(job_service& service, const output_reader& read, const web_request& r,
                 const web_reply& reply) {
  const auto id = job_id_of(r);
  const auto task = task_of_path(r);
  const auto name = std::to_string(id) + '.' + std::to_string(task);
  const auto& stream = r.parts.at("stream");
  if (stream != "stdout" && stream != "stderr")
    throw refused{
      error_response(404, "there is no output " + stream + "; expected stdout or stderr")};
  if (task >= existing(service, id).tasks)
    throw refused{error_response(404, "there is no task " + name)};
  const auto attempts = service.stored().attempts(id, task);
  if (attempts.empty())
    throw refused{error_response(404, "task " + name + " was not started")};
  const auto number = option_of(r, "attempt", attempts.back().which.attempt, 0xFFFFFFFFU);
  const auto which =
    std::ranges::find_if(attempts, [&](const attempt_row& a) { return a.which.attempt == number; });
  if (which == attempts.end())
    throw refused{
      error_response(404, "task " + name + " has no attempt " + std::to_string(number))};
  const auto limit = option_of(r, "limit", usual_output, most_output);
  const auto offset = option_of(r, "offset", 0, std::uint64_t{1} << 62);
  read(*which, stream == "stderr", offset, static_cast<std::uint32_t>(limit),
       [reply, of = *which](const std::optional<found_output>& found) {
         reply(output_response(found, of));
       });
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
           machine_lister machines) {
  const auto later = [&](const char* method, const char* path, auto handler,
                         std::chrono::milliseconds longest = std::chrono::milliseconds{0}) {
    routes.add(method, path,
               guarded([&service, handler](const web_request& r, const web_reply& reply) {
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
  later("POST", jobs_path, submit);
  at_once(jobs_path, list_jobs);
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
  later("GET", machines_path, [machines](job_service&, const web_request&, const web_reply& reply) {
    reply(list_machines(machines));
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
