#include "cluster/cluster_news.hpp"

#include "nodes/registry/host_port.hpp"
#include "report/text/text.hpp"

#include <algorithm>

namespace troupe {

namespace {

std::string arrival(const node_entry& e) {
  auto text = e.who.name + " has joined: " + address_text({e.who.host, e.who.port}) + ", process " +
              std::to_string(e.who.pid);
  if (e.machines.count > 0)
    text += ", " + count_text(e.machines.count) + " machines";
  return text;
}

} // namespace

std::vector<std::string> cluster_news::compare(const cluster_report& now) {
  std::vector<std::string> lines;
  for (const auto& e : now.nodes.nodes) {
    auto& before = nodes_[e.who.name];
    const auto state = state_of(e);
    if (e.present && (before.boot != e.who.boot || before.state == node_presence::gone))
      lines.push_back(arrival(e));
    else if (state == node_presence::gone && before.state != state)
      lines.push_back(e.who.name + " is gone");
    if (state == node_presence::draining && before.state != state)
      lines.push_back(e.who.name + " is draining");
    const auto* report = report_of(now, e);
    const bool empty = state == node_presence::draining && report != nullptr && is_empty(*report);
    if (empty && !before.empty)
      lines.push_back(e.who.name + " is empty");
    before = {e.who.boot, state, empty};
  }
  std::erase_if(nodes_, [&](const auto& n) {
    const bool left = std::ranges::none_of(
      now.nodes.nodes, [&](const node_entry& e) { return e.who.name == n.first; });
    if (left)
      lines.push_back(n.first + " has left");
    return left;
  });
  if (now.origin != 0 && !begun_) {
    begun_ = true;
    lines.emplace_back("the cluster has begun");
  }
  return lines;
}

} // namespace troupe
