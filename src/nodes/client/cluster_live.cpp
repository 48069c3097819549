#include "nodes/client/cluster_live.hpp"

#include "model/live/live_report.hpp"
#include "nodes/client/cluster_text.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

live_node_state live_state_of(node_presence presence) {
  switch (presence) {
  case node_presence::here:
    return live_node_state::joined;
  case node_presence::draining:
    return live_node_state::draining;
  case node_presence::gone:
    break;
  }
  return live_node_state::gone;
}

/// The reports at a time that tell all rows that a state keeps one by one, and some that came
/// meanwhile. The next poll asks for the others.
constexpr std::size_t most_reports = live_series::most_recent / most_rows_told + 2;

} // namespace

std::vector<live_node> live_nodes_of(const cluster_report& all) {
  std::vector<live_node> nodes;
  for (const auto& e : all.nodes.nodes) {
    live_node n;
    n.name = e.who.name;
    const auto roles = names_of(e.who.roles);
    n.roles.assign(roles.begin(), roles.end());
    n.state = live_state_of(state_of(e));
    n.machines = e.machines.count;
    if (const auto* r = report_of(all, e)) {
      n.members = r->members.size();
      n.running = r->tasks_running;
      n.bytes_sent = r->bytes_sent;
      n.memory_bytes = r->memory_bytes;
      n.cpu_seconds = static_cast<double>(r->cpu_ms) / 1e3;
    }
    nodes.push_back(std::move(n));
  }
  return nodes;
}

void note_nodes(live_state& state, std::vector<live_node> nodes, std::vector<live_event>& events) {
  const bool first = state.nodes.empty();
  const auto note = [&](const std::string& name, const char* what, const char* detail) {
    events.push_back({0, state.now, what, name, detail});
  };
  const auto find = [](const std::vector<live_node>& in, const std::string& name) {
    return std::ranges::find(in, name, &live_node::name);
  };
  for (const auto& n : nodes) {
    const auto before = find(state.nodes, n.name);
    if (first || (before != state.nodes.end() && before->state == n.state))
      continue;
    if (n.state == live_node_state::gone)
      note(n.name, "gone", "its connection to the master is down");
    else if (n.state == live_node_state::draining)
      note(n.name, "draining", "its members move to other nodes");
    else
      note(n.name, "joined", before == state.nodes.end() ? "a new node" : "it is back");
  }
  for (const auto& n : state.nodes)
    if (find(nodes, n.name) == nodes.end())
      note(n.name, "left", "it was shut down");
  if (events.size() > most_live_events)
    events.erase(events.begin(), events.end() - most_live_events);
  state.nodes = std::move(nodes);
}

cluster_live::cluster_live(connect_function connect) : connect_(std::move(connect)) {}

void cluster_live::take_report() {
  bool more = true;
  for (std::size_t told = 0; more && told < most_reports; ++told) {
    const auto& rows = state_.series.recent();
    auto report = connection_->live({state_.about.run, rows.empty() ? 0 : rows.back().number});
    if (report.about.run.empty())
      return;
    more = report.rows.size() == most_rows_told;
    apply(state_, std::move(report));
  }
}

std::string cluster_live::poll() {
  std::string why;
  try {
    if (!connection_)
      connection_ = connect_();
    const auto all = connection_->status();
    if (state_.about.run.empty()) {
      state_.about.name = all.name;
      state_.about.architecture = all.architecture;
      state_.about.world = "cluster";
      state_.about.machines = all.grows ? 0 : all.machines;
    }
    note_nodes(state_, live_nodes_of(all), node_events_);
  } catch (const std::runtime_error& e) {
    why = e.what();
  }
  try {
    if (connection_ && (why.empty() || connection_->outlives_master()))
      take_report();
  } catch (const std::runtime_error& e) {
    why = why.empty() ? e.what() : why;
  }
  if (!why.empty() && connection_ && !connection_->outlives_master())
    connection_.reset();
  return why;
}

story_reply cluster_live::story(const story_request& asked) {
  if (!connection_)
    connection_ = connect_();
  return connection_->story(asked);
}

live_state cluster_live::shown() const {
  auto state = state_;
  state.events.insert(state.events.end(), node_events_.begin(), node_events_.end());
  std::ranges::stable_sort(state.events, {}, &live_event::at);
  return state;
}

} // namespace troupe
