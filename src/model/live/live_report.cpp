#include "model/live/live_report.hpp"

#include <utility>

namespace troupe {

live_report report_of(const live_state& state, const live_request& asked) {
  live_report r;
  r.about = state.about;
  r.now = state.now;
  r.samples = state.samples;
  r.over = state.over;
  r.detailed = state.detailed;
  r.groups = state.groups;
  r.utilization = state.utilization;
  r.resources = state.resources;
  r.machines = state.machines;
  r.offers = state.offers;
  r.schedulers = state.schedulers;
  r.owners = state.owners;
  r.partitions = state.partitions;
  r.events.assign(state.events.begin(), state.events.end());
  r.events_so_far = state.events_so_far;
  const auto after = asked.run == state.about.run ? asked.after : 0;
  for (const auto& row : state.series.recent())
    if (row.number > after && r.rows.size() < most_rows_told)
      r.rows.push_back(row);
  return r;
}

namespace {

/// What comes from another process may be anything.
void mend(live_member& life) {
  if (life.state > member_state::silent)
    life.state = member_state::silent;
}

} // namespace

void apply(live_state& state, live_report report) {
  if (state.about.run != report.about.run) {
    auto nodes = std::move(state.nodes);
    state = live_state{};
    state.nodes = std::move(nodes);
  }
  state.about = std::move(report.about);
  state.now = report.now;
  state.samples = report.samples;
  state.over = report.over;
  state.detailed = report.detailed;
  state.groups = std::move(report.groups);
  state.utilization = report.utilization;
  state.resources = report.resources;
  state.machines = std::move(report.machines);
  state.offers = report.offers;
  state.schedulers = std::move(report.schedulers);
  state.owners = std::move(report.owners);
  state.partitions = std::move(report.partitions);
  for (auto& m : state.schedulers)
    mend(m.life);
  for (auto& m : state.owners)
    mend(m.life);
  state.groups.resize(state.about.groups.size());
  state.events.assign(report.events.begin(), report.events.end());
  state.events_so_far = report.events_so_far;
  const auto& has = state.series.recent();
  const auto last = has.empty() ? 0 : has.back().number;
  for (auto& row : report.rows)
    if (row.number > last)
      state.series.add(std::move(row));
}

} // namespace troupe
