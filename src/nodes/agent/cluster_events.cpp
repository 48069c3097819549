#include "nodes/agent/cluster_events.hpp"

#include "policies/policy_text.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace troupe {

namespace {

constexpr std::size_t most_members_named = 4;

std::string place_name(const member_entry& who) {
  return to_string(who.what) + '.' + std::to_string(who.number);
}

} // namespace

run_event policy_event(instant at, const policy_order& order) {
  const auto n = order.schedulers.size();
  return {at, run_event_kind::policy,
          n == 0 ? "" : place_name({role::scheduler, order.schedulers.front(), 0}),
          policy_text(order.to) +
            (n > 1 ? fmt::format(", with {} more scheduler{}", n - 1, n > 2 ? "s" : "") : "")};
}

void cluster_events::note(run_event event) {
  if (events_.size() < most_kept)
    events_.push_back(std::move(event));
}

void cluster_events::note(instant at, run_event_kind event, std::string member,
                          std::string detail) {
  note({at, event, std::move(member), std::move(detail)});
}

/// Says which machines and members were on a node.
std::string cluster_events::lost_with(const std::string& node, std::uint32_t machines) const {
  std::string text = machines == 0   ? ""
                     : machines == 1 ? "1 machine"
                                     : fmt::format("{} machines", machines);
  std::size_t members = 0;
  for (const auto& [place, home] : homes_)
    if (home.node == node && ++members <= most_members_named)
      text += (text.empty() ? "" : ", ") + place_name(home.who);
  if (members > most_members_named)
    text += fmt::format(" and {} more members", members - most_members_named);
  return text.empty() ? "no member was there" : "with " + text;
}

void cluster_events::look_at_nodes(instant at, const std::vector<node_entry>& nodes) {
  std::map<std::string, seen_node> now;
  for (const auto& n : nodes)
    now[n.who.name] = {n.present, n.draining, n.who.boot, n.machines.count};
  for (const auto& [name, is] : now) {
    const auto before = nodes_.find(name);
    const bool known = before != nodes_.end();
    const auto was = known ? before->second : seen_node{};
    const bool restarted = known && is.boot != was.boot;
    if (known && was.present && (!is.present || restarted))
      note(at, run_event_kind::node_lost, name, lost_with(name, was.machines));
    if (is.present && (!was.present || restarted))
      note(at, known ? run_event_kind::node_back : run_event_kind::node_joined, name,
           !known      ? "a new node"
           : restarted ? "as a new process"
                       : "its connection is up again");
    if (is.draining && !was.draining)
      note(at, run_event_kind::node_draining, name, "its members move to other nodes");
  }
  for (const auto& [name, was] : nodes_)
    if (!now.contains(name))
      note(at, run_event_kind::node_left, name, "it was shut down");
  nodes_ = std::move(now);
}

void cluster_events::look_at_members(instant at, const std::vector<member_home>& members) {
  for (const auto& m : members) {
    auto& home = homes_[{m.who.what, m.who.number}];
    const bool replaced = home.who.incarnation != 0 && m.who.incarnation > home.who.incarnation;
    if (begun_ && replaced)
      note(at, run_event_kind::takeover, place_name(m.who),
           fmt::format("{}{}, as incarnation {}", m.node,
                       m.node == home.node ? " itself" : " after " + home.node, m.who.incarnation));
    if (m.who.incarnation >= home.who.incarnation)
      home = m;
  }
}

void cluster_events::look(instant at, const std::vector<node_entry>& nodes,
                          const std::vector<member_home>& members) {
  if (begun_)
    look_at_nodes(at, nodes);
  else
    for (const auto& n : nodes)
      nodes_[n.who.name] = {n.present, n.draining, n.who.boot, n.machines.count};
  look_at_members(at, members);
  begun_ = true;
}

} // namespace troupe
