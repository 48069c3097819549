#include "jobs/http/job_queries.hpp"

#include "jobs/http/job_json.hpp"
#include "jobs/http/job_requests.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace troupe {

namespace {

constexpr std::uint64_t longest_wait_s = 60;

/// Those of now; null if they are unknown.
class present_machines {
public:
  explicit present_machines(const machine_lister& lister) {
    if (lister)
      there_ = lister();
  }

  const std::vector<machine_description>* get() const { return there_ ? &*there_ : nullptr; }

private:
  std::optional<std::vector<machine_description>> there_;
};

/// The maxima of the tenants of jobs.
class known_limits {
public:
  explicit known_limits(const job_service& service) : service_(service) {}

  /// Returns null if the tenant has no maximum.
  const tenant_limit* of(const std::string& tenant) {
    auto it = known_.find(tenant);
    if (it == known_.end())
      it = known_.emplace(tenant, service_.limit_of(tenant)).first;
    return it->second ? &*it->second : nullptr;
  }

private:
  const job_service& service_;
  std::map<std::string, std::optional<tenant_limit>> known_;
};

/// The reason of the state of a job. `queued`: null if it is not queued.
std::string reason_of(const job_row& job, const queued_job* queued,
                      const present_machines& machines, const tenant_limit* limit) {
  const auto why = queued != nullptr ? why_queued(*queued, machines.get(), limit) : std::string{};
  return why.empty() ? job.reason : why;
}

/// What is known of one of the queued jobs.
const queued_job* find_in(const std::map<std::uint64_t, queued_job>& queued, const job_row& job) {
  const auto it = queued.find(job.id);
  return it != queued.end() && job.state == job_state::queued ? &it->second : nullptr;
}

} // namespace

web_response list_jobs(job_service& service, const machine_lister& machines, const web_request& r) {
  job_filter filter;
  filter.state = state_of<job_state>(r, "live");
  filter.live_only = r.value("state") == "live";
  filter.tenant = r.value("tenant");
  filter.name = r.value("name");
  const auto limit = limit_of(r);
  const auto before = option_of(r, "before", 0, most_job);
  const auto rows = service.stored().jobs(filter, before, limit);
  answer_json body{{"jobs", answer_json::array()}, {"before", nullptr}};
  std::vector<std::uint64_t> ids;
  for (const auto& row : rows)
    if (row.state == job_state::queued)
      ids.push_back(row.id);
  const auto queued = service.queued_among(ids);
  const present_machines there{ids.empty() ? machine_lister{} : machines};
  known_limits limits{service};
  for (const auto& row : rows)
    body["jobs"].push_back(
      job_json(row, reason_of(row, find_in(queued, row), there, limits.of(row.tenant))));
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
        if (!told.job) {
          reply(error_response(404, "there is no job " + std::to_string(id)));
          return;
        }
        const present_machines there{machines};
        const auto queued = service.queued_among({id});
        const auto* const waits = find_in(queued, *told.job);
        const auto limit = service.limit_of(told.job->tenant);
        const auto* const at_most = limit ? &*limit : nullptr;
        reply(answer_of(
          200, whole_job_json(*told.job, reason_of(*told.job, waits, there, at_most),
                              service.stored().groups(id),
                              waits != nullptr ? waits->waits_for : std::vector<std::uint64_t>{},
                              {there.get(), at_most})));
      } catch (const store_broken&) {
        reply(away());
      }
    });
}

web_response list_tasks(job_service& service, const web_request& r) {
  const auto id = job_id_of(r);
  const auto job = existing(service, id);
  const auto state = state_of<task_state>(r);
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

namespace {

answer_json amounts_json(const resources& of) {
  constexpr double per_unit = 1'000;
  constexpr std::int64_t mib = 1 << 20;
  return {{"cpu", of[resource::cpu] / per_unit},
          {"memory_bytes", of[resource::memory] * mib},
          {"gpu", of[resource::gpu] / per_unit},
          {"slots", of[resource::slots]}};
}

/// The machines that may get tasks now.
answer_json machines_now(const machine_lister& machines) {
  auto all = answer_json::array();
  for (const auto& m : machines ? machines() : std::vector<machine_description>{}) {
    all.push_back({{"name", "machine-" + std::to_string(all.size() + 1)}});
    all.back().update(amounts_json(m.capacity));
    all.back()["attributes"] = m.attributes;
  }
  return all;
}

/// Those that are there by the store, or have left since then.
answer_json machines_since(job_service& service, std::int64_t since_ms) {
  auto all = answer_json::array();
  for (const auto& m : service.stored().machines(since_ms)) {
    resources has;
    has[resource::cpu] = m.cpu_milli;
    has[resource::memory] = m.memory_mib;
    has[resource::gpu] = m.gpu_milli;
    has[resource::slots] = m.slots;
    all.push_back({{"name", m.node}});
    all.back().update(amounts_json(has));
    auto attributes = answer_json::parse(m.attributes, nullptr, false);
    all.back()["attributes"] =
      attributes.is_object() ? std::move(attributes) : answer_json::object();
    all.back()["joined_ms"] = m.since_ms;
    all.back()["left_ms"] = m.until_ms == 0 ? answer_json() : answer_json(m.until_ms);
  }
  return all;
}

} // namespace

web_response list_machines(job_service& service, const machine_lister& machines,
                           const web_request& r) {
  constexpr std::uint64_t latest = std::uint64_t{1} << 53;
  const bool history = !r.value("since").empty();
  const auto since = static_cast<std::int64_t>(option_of(r, "since", 0, latest));
  return answer_of(
    200, {{"machines", history ? machines_since(service, since) : machines_now(machines)}});
}

} // namespace troupe
