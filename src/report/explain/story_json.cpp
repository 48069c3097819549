#include "report/explain/story_json.hpp"

#include <nlohmann/json.hpp>

#include <iterator>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

json number_if(bool known, std::uint64_t n) {
  return known ? json(n) : json(nullptr);
}

json machine_json(machine_id m) {
  return number_if(m != no_machine, m);
}

json owner_json(owner_id o) {
  return number_if(o != no_scheduler, o);
}

std::string_view name_of(attempt_outcome outcome) {
  constexpr std::string_view names[] = {"open", "granted", "refused", "started", "taken_back"};
  return names[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(run_end end) {
  constexpr std::string_view names[] = {"runs", "finished",  "failed",
                                        "lost", "preempted", "unknown"};
  return names[static_cast<std::size_t>(end)];
}

json pick_json(const watched_pick& p, const std::string& policy) {
  json best = json::array();
  for (const auto& b : p.seen.best)
    best.push_back({{"machine", b.machine}, {"score", b.score}});
  return {{"policy", policy},
          {"mode", name_of(p.goal)},
          {"preempts", p.preempts},
          {"machines", p.seen.machines},
          {"fit_in_view", p.seen.fits()},
          {"fit_in_truth", number_if(p.truth.machines > 0, p.truth.fits())},
          {"score", p.score},
          {"better", p.better},
          {"looked_at", number_if(p.looked_at.has_value(), p.looked_at.value_or(0))},
          {"best", std::move(best)},
          {"view_age_s", json_seconds(p.age)}};
}

json attempt_json(const story_attempt& a, const explain_names& names) {
  json j = {{"scheduler", a.scheduler},
            {"began_s", json_seconds(a.began)},
            {"decided_s", json_seconds(a.decided)},
            {"answered_s", json_seconds(a.answered)},
            {"outcome", name_of(a.outcome)},
            {"machine", machine_json(a.machine)},
            {"owner", owner_json(a.owner)},
            {"granted_machine", machine_json(a.got)},
            {"view_age_s", json_seconds(a.age)}};
  if (a.pick)
    j["pick"] = pick_json(*a.pick, names.policy ? names.policy(a.scheduler, a.began) : "");
  if (a.refusal) {
    const auto& r = *a.refusal;
    j["refusal"] = {{"attempt", r.attempt},
                    {"cause", to_string(r.cause)},
                    {"winner", number_if(r.winner != no_scheduler, r.winner)},
                    {"winner_granted_s", json_seconds(a.winner_granted)},
                    {"winner_task", a.winner_granted == no_instant
                                      ? json(nullptr)
                                      : json(names.task(a.winner_task))},
                    {"retry_at_s", json_seconds(a.retry_at)},
                    {"waits_for_refresh", a.waits_for_refresh}};
  }
  if (a.late)
    j["reserved_on"] = machine_json(a.reserved_on);
  return j;
}

json run_json(const story_run& r, const explain_names& names) {
  json j = {{"machine", machine_json(r.machine)}, {"owner", owner_json(r.owner)},
            {"placed_s", json_seconds(r.placed)}, {"started_s", json_seconds(r.started)},
            {"ended_s", json_seconds(r.ended)},   {"end", name_of(r.end)}};
  if (r.by)
    j["preempted_for"] = names.task(*r.by);
  return j;
}

} // namespace

std::string_view name_of(machine_check check) {
  constexpr std::string_view names[] = {"too_small", "no_match", "other_share", "absent", "closed",
                                        "job_there", "no_room",  "kept_away",   "fits"};
  const auto i = static_cast<std::size_t>(check);
  return i < std::size(names) ? names[i] : "?";
}

json json_seconds(duration at) {
  return at == no_instant ? json(nullptr) : json(to_seconds(at));
}

json finding_json(const std::optional<machine_finding>& found, const machine_wish& wish) {
  if (!found)
    return nullptr;
  json j = {{"check", name_of(found->check)}, {"score", found->score}};
  if (found->check == machine_check::too_small || found->check == machine_check::no_room) {
    j["lacks"] = resource_name(found->lacks);
    j["missing"] = found->missing;
  }
  if (found->check == machine_check::no_match)
    j["constraint"] = to_string(wish.constraints[found->unmet]);
  return j;
}

json survey_json(const machine_survey& all, const machine_wish& wish) {
  json checks = json::array();
  for (const auto& line : all.lines) {
    json j = {{"check", name_of(line.check)},
              {"machines", line.machines},
              {"examples", line.examples},
              {"text", line_text(line, wish)}};
    if (line.check == machine_check::too_small || line.check == machine_check::no_room)
      j["lacks"] = resource_name(line.lacks);
    checks.push_back(std::move(j));
  }
  json j = {{"machines", all.machines}, {"checks", std::move(checks)}};
  j["nearest"] = all.nearest ? json{{"machine", all.nearest->machine},
                                    {"lacks", resource_name(all.nearest->lacks)},
                                    {"missing", all.nearest->missing}}
                             : json(nullptr);
  return j;
}

json story_json(const task_story& story, const job& of, const explain_names& names) {
  json waits = json::array();
  for (const auto& w : story.waits)
    waits.push_back({{"reason", name_of(w.why)},
                     {"from_s", json_seconds(w.from)},
                     {"until_s", json_seconds(w.until)},
                     {"ahead", w.ahead}});
  json attempts = json::array();
  for (const auto& a : story.attempts)
    attempts.push_back(attempt_json(a, names));
  json runs = json::array();
  for (const auto& r : story.runs)
    runs.push_back(run_json(r, names));
  json probes = json::array();
  for (const auto& p : story.probes)
    probes.push_back({{"kind", p.reserved ? "reserved" : "probed"},
                      {"at_s", json_seconds(p.at)},
                      {"machines", p.machines}});
  json takeovers = json::array();
  for (const auto& [at, s] : story.takeovers)
    takeovers.push_back({{"at_s", json_seconds(at)}, {"scheduler", s}});
  return {
    {"job", of.id},
    {"task", story.task.index},
    {"group", names.group(of.id)},
    {"state", story.fate ? name_of(record_state_of(*story.fate))
              : !story.runs.empty() && story.runs.back().end == run_end::runs
                ? name_of(record_state::running)
              : !story.attempts.empty() && story.attempts.back().outcome == attempt_outcome::open
                ? name_of(record_state::in_commit)
                : name_of(record_state::queued)},
    {"submitted_s", json_seconds(of.submitted)},
    {"eligible_s", json_seconds(story.eligible)},
    {"ended_s", json_seconds(story.ended)},
    {"waits", std::move(waits)},
    {"attempts", std::move(attempts)},
    {"runs", std::move(runs)},
    {"probes", std::move(probes)},
    {"takeovers", std::move(takeovers)},
    {"gang_passed_over", story.gang.passed_over},
    {"found_none", story.found_none}};
}

} // namespace troupe
