#include "jobs/http/job_queries.hpp"

#include "jobs/http/job_json.hpp"
#include "jobs/http/job_requests.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace troupe {

namespace {

constexpr std::uint64_t longest_wait_s = 60;

} // namespace

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

} // namespace troupe
