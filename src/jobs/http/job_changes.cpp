#include "jobs/http/job_changes.hpp"

#include "jobs/http/job_json.hpp"
#include "jobs/http/job_requests.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace troupe {

namespace {

constexpr std::size_t longest_key = 255;

bool is_utf8(const std::string& text) {
  try {
    answer_json(text).dump();
    return true;
  } catch (const answer_json::exception&) {
    return false;
  }
}

web_response faults_response(const std::vector<spec_fault>& faults) {
  answer_json body{{"error", "the job has faults"}, {"faults", answer_json::array()}};
  for (const auto& f : faults)
    body["faults"].push_back({{"place", f.place}, {"what", f.what}});
  body["error"] = faults.front().place.empty() ? faults.front().what
                                               : faults.front().place + ": " + faults.front().what;
  return answer_of(422, body);
}

void refuse_gangs(const job_spec& spec) {
  std::vector<spec_fault> faults;
  for (std::size_t i = 0; i < spec.groups.size(); ++i)
    if (spec.groups[i].gang && spec.groups[i].count > 1)
      faults.push_back({"/groups/" + std::to_string(i) + "/gang",
                        "is true; expected false, as schedulers of this cluster probe machines and "
                        "cannot start tasks together"});
  if (!faults.empty())
    throw spec_error{std::move(faults)};
}

void refuse_unknown_tenant(const job_spec& spec, const std::vector<std::string>& tenants) {
  if (tenants.empty() || std::ranges::find(tenants, spec.tenant) != tenants.end())
    return;
  std::string known;
  for (std::size_t i = 0; i < tenants.size(); ++i)
    known += (i == 0 ? "" : i + 1 == tenants.size() ? " or " : ", ") + ('"' + tenants[i] + '"');
  throw spec_error{{{"/tenant", "is \"" + spec.tenant + "\"; expected " + known +
                                  ", the tenants of this cluster"}}};
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

} // namespace

void submit(job_service& service, const web_request& r, bool gangs, const web_reply& reply) {
  if (r.idempotency_key.size() > longest_key)
    throw refused{error_response(400, "Idempotency-Key has more than 255 characters")};
  if (!is_utf8(r.idempotency_key)) // a database would take different keys for one
    throw refused{error_response(400, "Idempotency-Key is not UTF-8; expected text")};
  try {
    auto spec = read_submission(r.body);
    if (!gangs)
      refuse_gangs(spec);
    refuse_unknown_tenant(spec, service.tenants());
    const auto tasks = spec.task_count();
    service.submit(std::move(spec), r.idempotency_key,
                   [reply, tasks](submit_outcome told) { reply(submitted(told, tasks)); });
  } catch (const spec_error& e) {
    reply(faults_response(e.faults));
  }
}

void cancel(job_service& service, const web_request& r, const web_reply& reply) {
  const auto id = job_id_of(r);
  service.cancel(id, [&service, id, reply](command_outcome told) {
    reply(commanded(told, id, "", [&] {
      const auto row = service.stored().job(id);
      return row ? job_json(*row, row->reason) : answer_json{{"id", id}};
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

} // namespace troupe
