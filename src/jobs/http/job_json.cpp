#include "jobs/http/job_json.hpp"

#include "jobs/service/attempts/end_rules.hpp"
#include "jobs/service/jobs/queued_job.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace troupe {

namespace {

using object = nlohmann::ordered_json;

object instant_json(std::int64_t ms) {
  return ms == 0 ? object() : object(ms);
}

/// "null" for what is unknown.
object known(std::int64_t value, bool is_known) {
  return is_known ? object(value) : object();
}

} // namespace

object job_json(const job_row& job, const std::string& reason) {
  const auto& n = job.counts;
  return {{"id", job.id},
          {"name", job.name},
          {"tenant", job.tenant},
          {"priority", job.priority},
          {"state", name_of(job.state)},
          {"reason", reason},
          {"tasks", job.tasks},
          {"waiting", job.tasks - n.over() - n.running},
          {"running", n.running},
          {"succeeded", n.succeeded},
          {"failed", n.failed},
          {"cancelled", n.cancelled},
          {"submitted_ms", instant_json(job.submitted_ms)},
          {"started_ms", instant_json(job.started_ms)},
          {"finished_ms", instant_json(job.finished_ms)}};
}

object whole_job_json(const job_row& job, const std::string& reason,
                      const std::vector<group_row>& groups,
                      const std::vector<std::uint64_t>& waits_for, const room_for_tasks& room) {
  auto out = job_json(job, reason);
  const auto spec = read_job_json(job.spec);
  out["after"] = spec.after;
  out["waits_for"] = waits_for;
  out["groups"] = object::array();
  for (const auto& row : groups) {
    const auto& g = spec.groups.at(row.number);
    auto variables = object::array();
    for (const auto& [name, _] : g.env)
      variables.push_back(name);
    auto constraints = object::array();
    for (const auto& c : g.constraints)
      constraints.push_back(to_string(c));
    auto after = object::array();
    for (const auto i : g.after)
      after.push_back(spec.groups.at(i).name);
    const auto& n = row.counts;
    out["groups"].push_back({{"name", g.name},
                             {"command", g.argv},
                             {"variables", std::move(variables)},
                             {"dir", g.dir},
                             {"first_task", row.first_task},
                             {"tasks", row.tasks},
                             {"waiting", row.tasks - n.over() - n.running},
                             {"running", n.running},
                             {"succeeded", n.succeeded},
                             {"failed", n.failed},
                             {"cancelled", n.cancelled},
                             {"after", std::move(after)},
                             {"cpu", g.cpu_milli / 1000.0},
                             {"memory_bytes", g.memory_bytes},
                             {"gpu", g.gpu_milli / 1000.0},
                             {"slots", g.slots},
                             {"constraints", std::move(constraints)},
                             {"gang", g.gang},
                             {"retries", g.retries},
                             {"time_limit_s", to_seconds(g.time_limit)},
                             {"grace_s", to_seconds(g.grace)},
                             {"lease_s", to_seconds(g.lease)},
                             {"output_limit_bytes", g.output_limit_bytes}});
    const bool waits = row.tasks > n.over() + n.running;
    if (room.machines == nullptr || !waits)
      continue;
    const auto gang = g.gang ? row.tasks - n.over() : 0;
    if (auto why = why_not_held(g.demand(), g.constraints, gang, *room.machines); !why.empty())
      out["groups"].back()["no_machine"] = std::move(why);
    else if (room.limit != nullptr && row.rest != task_state::waiting)
      if (auto over = why_over_maximum(*room.limit, g.demand(), std::max(gang, 1U), *room.machines);
          !over.empty())
        out["groups"].back()["at_maximum"] = std::move(over);
  }
  return out;
}

object task_json(const task_row& task, const std::string& group) {
  return {{"task", task.task},
          {"group", group},
          {"state", name_of(task.state)},
          {"reason", task.reason},
          {"attempts", task.attempts},
          {"retries", task.retries},
          {"losses", task.losses}};
}

object attempt_json(const attempt_row& a) {
  const auto& e = a.end;
  const bool told = !a.open && !a.lost;
  return {{"attempt", a.which.attempt},
          {"node", a.node},
          {"granted_ms", a.granted_ms},
          {"open", a.open},
          {"lost", a.lost},
          {"how", a.open ? "" : end_text(e)},
          {"reason", to_string(e.reason)},
          {"exit_code", known(e.exit_code, told && e.exit_code >= 0)},
          {"signal", known(e.signal, told && e.signal > 0)},
          {"core", e.core},
          {"oom", e.oom},
          {"started_ms", instant_json(e.started_ns / 1'000'000)},
          {"ended_ms", instant_json(e.ended_ns / 1'000'000)},
          {"user_s", static_cast<double>(e.user_us) / 1e6},
          {"system_s", static_cast<double>(e.system_us) / 1e6},
          {"max_rss_bytes", e.max_rss_bytes},
          {"out_bytes", e.out_bytes},
          {"err_bytes", e.err_bytes},
          {"detail", e.detail}};
}

} // namespace troupe
