#include "nodes/agent/hosted/node_roster.hpp"

#include <algorithm>

namespace troupe {

void node_roster::learn(const std::vector<node_entry>& nodes) {
  nodes_ = nodes;
  machine_nodes_.clear();
  for (const auto& e : nodes_)
    if (e.machines.count > 0 && e.present)
      machine_nodes_.push_back(e.index);
}

const node_entry* node_roster::find(std::uint32_t index) const {
  const auto it = std::ranges::find(nodes_, index, &node_entry::index);
  return it == nodes_.end() ? nullptr : &*it;
}

std::vector<machine_description> node_roster::machines() const {
  std::vector<machine_description> all;
  for (const auto& e : nodes_)
    if (e.who.is_machine() && e.present && !e.draining)
      all.push_back(e.who.machine);
  return all;
}

std::vector<named_machine> node_roster::hosts() const {
  std::vector<named_machine> all;
  for (const auto& e : nodes_)
    if (e.who.is_machine())
      all.push_back({e.who.name, e.who.machine, e.present});
  return all;
}

} // namespace troupe
