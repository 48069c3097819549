#include "nodes/registry/node_registry.hpp"

#include <algorithm>
#include <set>

/// What a master that is started again learns of the nodes of its cluster.
namespace troupe {

namespace {

/// How long the machines of nodes that have not come back are kept for them.
constexpr std::chrono::seconds patience_with_awaited{60};

/// The last number below those that a master gives. There is room for so many nodes that join one
/// master and are unknown to the next one; and with `most_masters`, numbers have 16 bits.
constexpr std::uint32_t last_index_before(incarnation_id master) {
  return static_cast<std::uint32_t>(master - 1) << 6;
}

} // namespace

node_registry::node_registry(std::uint32_t machines, bool has_owners, incarnation_id master)
  : machines_(machines), has_owners_(has_owners), last_index_(last_index_before(master)) {}

/// A node comes back that knows the cluster, the first one. All others in the list have been
/// started since, and have not begun, so their numbers may change.
void node_registry::remember_nodes(const node_identity& who, clock::time_point now) {
  list_.missing.clear(); // the cluster has begun
  for (const auto& k : who.known)
    if (k.index > 0)
      awaited_[k.name] = k;
  if (who.index > 0)
    awaited_[who.name] = {who.name, who.index, known_machines(who)};
  for (const auto& [_, a] : awaited_)
    last_index_ = std::max(last_index_, a.index);
  awaited_until_ = now + patience_with_awaited;
  const auto before = list_.nodes;
  for (auto& e : list_.nodes)
    if (const auto had = awaited_.find(e.who.name); had != awaited_.end())
      e.index = had->second.index;
    else if (is_awaited(e.index, e.who.name))
      e.index = ++last_index_;
  if (!places_)
    renumber_machines();
  for (const auto& was : before) {
    const auto* is = find(was.who.name);
    if (is == nullptr || is->index != was.index || is->machines != was.machines)
      renumbered_.push_back(was.who.name);
    if (is != nullptr && is->who.name != who.name)
      awaited_.erase(is->who.name);
  }
}

/// Gives the nodes in the list the machines that they have had, and others those that are free.
/// Removes those for which there are none.
void node_registry::renumber_machines() {
  for (auto& e : list_.nodes) {
    const auto had = awaited_.find(e.who.name);
    const bool fits = had != awaited_.end() && had->second.machines.count == e.who.roles.machines;
    e.machines = fits ? had->second.machines : machine_numbers{};
  }
  std::set<std::string> without;
  for (auto& e : list_.nodes)
    if (e.machines.count != e.who.roles.machines && number_machines(e, {}))
      without.insert(e.who.name);
  std::erase_if(list_.nodes, [&](const node_entry& e) { return without.contains(e.who.name); });
}

void node_registry::await_no_longer(clock::time_point now) {
  if (now >= awaited_until_)
    for (auto& [_, a] : awaited_)
      a.machines = {};
}

bool node_registry::is_awaited(std::uint32_t index, const std::string& but) const {
  return std::ranges::any_of(
    awaited_, [&](const auto& a) { return a.first != but && a.second.index == index; });
}

std::string node_registry::awaited_names(const std::string& but) const {
  std::string names;
  for (const auto& [name, a] : awaited_)
    if (name != but && a.machines.count > 0)
      names += (names.empty() ? "" : ", ") + name;
  return names;
}

/// Returns the index for a node that joins: the one that it has had, if it is free.
std::uint32_t node_registry::index_for(const node_identity& who) {
  const auto had = awaited_.find(who.name);
  const auto wanted = who.index > 0 || had == awaited_.end() ? who.index : had->second.index;
  if (wanted == 0 || find(wanted) != nullptr || is_awaited(wanted, who.name))
    return ++last_index_;
  last_index_ = std::max(last_index_, wanted);
  return wanted;
}

} // namespace troupe
