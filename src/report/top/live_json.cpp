#include "report/top/live_json.hpp"

#include "report/json/json_number.hpp"

#include <string>

namespace troupe {

namespace {

using live_object = nlohmann::ordered_json;

live_object causes_of(const cause_counts& counts) {
  auto all = live_object::object();
  for (std::size_t c = 0; c < conflict_causes; ++c)
    all[to_string(static_cast<conflict_cause>(c))] = counts[c];
  return all;
}

live_object delay_of(const delay_figures& d) {
  const bool some = d.count > 0;
  return {{"mean", json_number_if(some, d.mean)},
          {"p50", json_number_if(some, d.p50)},
          {"p90", json_number_if(some, d.p90)},
          {"p99", json_number_if(some, d.p99)},
          {"max", json_number_if(some, d.max)}};
}

live_object rate_of(std::uint64_t count, const live_row& row) {
  return json_number_if(row.seconds() > 0, static_cast<double>(count) / row.seconds());
}

live_object interval_of(const live_row& row) {
  return {{"submitted_per_s", rate_of(row.tasks.submitted, row)},
          {"placed_per_s", rate_of(row.tasks.placed, row)},
          {"finished_per_s", rate_of(row.tasks.finished, row)},
          {"lost_per_s", rate_of(row.tasks.lost, row)},
          {"scheduling_delay_s", delay_of(row.delay)},
          {"conflicts", causes_of(row.conflicts)},
          {"utilization", json_number(row.utilization)}};
}

live_object schedulers_of(const live_state& s) {
  auto all = live_object::array();
  for (std::size_t i = 0; i < s.schedulers.size(); ++i) {
    const auto& m = s.schedulers[i];
    all.push_back({{"number", i},
                   {"state", to_string(m.life.state)},
                   {"takeovers", m.life.takeovers},
                   {"policy", m.policy},
                   {"queued", m.queued},
                   {"in_commit", m.in_commit},
                   {"running", m.running},
                   {"oldest_s", json_number(m.oldest)},
                   {"busy", json_number(m.busy)},
                   {"placed", m.placed},
                   {"scheduling_delay_s", delay_of(m.delay)},
                   {"conflicts", causes_of(m.conflicts)},
                   {"view_age_mean_s", json_number(m.age_mean)},
                   {"view_age_max_s", json_number(m.age_max)}});
  }
  return all;
}

live_object owners_of(const live_state& s) {
  auto all = live_object::array();
  for (std::size_t i = 0; i < s.owners.size(); ++i) {
    const auto& o = s.owners[i];
    all.push_back({{"number", i},
                   {"state", to_string(o.life.state)},
                   {"takeovers", o.life.takeovers},
                   {"machines", o.machines},
                   {"running", o.running},
                   {"granted", o.granted},
                   {"refused", o.refused}});
  }
  return all;
}

live_object nodes_of(const live_state& s) {
  auto all = live_object::array();
  for (const auto& n : s.nodes)
    all.push_back({{"name", n.name},
                   {"state", name_of(n.state)},
                   {"roles", n.roles},
                   {"members", n.members},
                   {"machines", n.machines},
                   {"running", n.running}});
  return all;
}

live_object events_of(const live_state& s) {
  auto all = live_object::array();
  for (const auto& e : s.events)
    all.push_back({{"at_s", json_number(to_seconds(e.at))},
                   {"what", e.what},
                   {"member", e.member},
                   {"detail", e.detail}});
  return all;
}

} // namespace

nlohmann::ordered_json live_json(const live_state& s) {
  task_counts tasks;
  for (const auto& g : s.groups)
    tasks += g.tasks;
  live_object out{{"name", s.about.name},         {"architecture", s.about.architecture},
                  {"world", s.about.world},       {"at_s", json_number(to_seconds(s.now))},
                  {"samples", s.samples},         {"over", s.over},
                  {"machines", s.about.machines}, {"machines_up", s.machines_up()}};
  out["tasks"] = {
    {"submitted", tasks.submitted}, {"placed", tasks.placed},       {"finished", tasks.finished},
    {"failed", tasks.failed},       {"lost", tasks.lost},           {"abandoned", tasks.abandoned},
    {"queued", tasks.queued},       {"in_commit", tasks.in_commit}, {"running", tasks.running}};
  const auto& rows = s.series.recent();
  out["interval"] = interval_of(rows.empty() ? live_row{} : rows.back());
  out["schedulers"] = schedulers_of(s);
  out["owners"] = owners_of(s);
  out["nodes"] = nodes_of(s);
  out["events"] = events_of(s);
  return out;
}

} // namespace troupe
