#include "nodes/node_register.hpp"

#include <algorithm>

namespace troupe {

namespace {

std::string address_of(const node_identity& who) {
  return who.host + ":" + std::to_string(who.port);
}

} // namespace

node_entry* node_register::find_entry(const std::string& name) {
  const auto it =
    std::ranges::find_if(list_.nodes, [&](const node_entry& e) { return e.who.name == name; });
  return it == list_.nodes.end() ? nullptr : &*it;
}

const node_entry* node_register::find(const std::string& name) const {
  return const_cast<node_register*>(this)->find_entry(name);
}

const node_entry* node_register::find(std::uint32_t index) const {
  const auto it = std::ranges::find(list_.nodes, index, &node_entry::index);
  return it == list_.nodes.end() ? nullptr : &*it;
}

bool node_register::is_free(const machine_numbers& wanted, const node_entry* but) const {
  return wanted.first + wanted.count <= machines_ &&
         std::ranges::none_of(list_.nodes, [&](const node_entry& e) {
           return &e != but && e.machines.count > 0 &&
                  wanted.first < e.machines.first + e.machines.count &&
                  e.machines.first < wanted.first + wanted.count;
         });
}

bool node_register::number_machines(node_entry& entry, const machine_numbers& known) {
  const auto count = entry.who.roles.machines;
  if (entry.machines.count == count)
    return true;
  if (known.count == count && is_free(known, &entry)) {
    entry.machines = known;
    return true;
  }
  machine_numbers next{0, count};
  const auto by_first = [&] {
    std::vector<machine_numbers> taken;
    for (const auto& e : list_.nodes)
      if (&e != &entry && e.machines.count > 0)
        taken.push_back(e.machines);
    std::ranges::sort(taken, {}, &machine_numbers::first);
    return taken;
  }();
  for (const auto& t : by_first)
    if (next.first + count > t.first)
      next.first = t.first + t.count;
  if (!is_free(next, &entry))
    return false;
  entry.machines = next;
  return true;
}

std::variant<const node_entry*, node_refusal> node_register::join(const node_identity& who) {
  auto* entry = find_entry(who.name);
  if (entry != nullptr && entry->present && entry->who.boot != who.boot)
    return node_refusal{
      "a node named " + who.name + " is there already, at " + address_of(entry->who), true};
  for (const auto& e : list_.nodes)
    if (e.who.name != who.name && e.present) {
      if (who.roles.master && e.who.roles.master)
        return node_refusal{"there is a master already: " + e.who.name};
      if (who.roles.workload && e.who.roles.workload)
        return node_refusal{"there is a node with the workload already: " + e.who.name, true};
    }
  const bool is_new = entry == nullptr;
  if (is_new) {
    const bool free_index = who.index > 0 && find(who.index) == nullptr;
    const auto index = free_index ? who.index : last_index_ + 1;
    last_index_ = std::max(last_index_, index);
    list_.nodes.push_back({who, index, {}, false, false});
    entry = &list_.nodes.back();
  }
  entry->who = who;
  if (!number_machines(*entry, who.machines)) {
    const auto missing = machines_missing();
    const auto why = "it brings " + std::to_string(who.roles.machines) +
                     " machines, but the cluster has numbers for " + std::to_string(missing) +
                     " more of its " + std::to_string(machines_) + " (cluster.machines)";
    if (is_new)
      list_.nodes.pop_back();
    return node_refusal{why};
  }
  entry->present = true;
  entry->draining = false;
  if (list_.origin == 0)
    list_.origin = who.origin;
  changed();
  return entry;
}

void node_register::lost(const std::string& name, std::uint64_t boot) {
  if (auto* e = find_entry(name); e != nullptr && e->who.boot == boot && e->present) {
    e->present = false;
    changed();
  }
}

void node_register::left(const std::string& name) {
  if (std::erase_if(list_.nodes, [&](const node_entry& e) { return e.who.name == name; }) > 0)
    changed();
}

bool node_register::drain(const std::string& name) {
  auto* e = find_entry(name);
  if (e == nullptr)
    return false;
  e->draining = true;
  changed();
  return true;
}

std::uint32_t node_register::machines_missing() const {
  std::uint32_t there = 0;
  for (const auto& e : list_.nodes)
    there += e.machines.count;
  return machines_ - there;
}

std::string node_register::missing() const {
  bool owners = false;
  bool schedulers = false;
  for (const auto& e : list_.nodes) {
    owners = owners || (e.present && e.who.roles.owners > 0);
    schedulers = schedulers || (e.present && e.who.roles.schedulers > 0);
  }
  std::string what;
  const auto add = [&](const std::string& text) { what += (what.empty() ? "" : "; ") + text; };
  if (const auto n = machines_missing(); n > 0)
    add(std::to_string(n) + " of " + std::to_string(machines_) + " machines are missing");
  if (has_owners_ && !owners)
    add("no node is to be an owner");
  if (!schedulers)
    add("no node is to be a scheduler");
  return what;
}

void node_register::begin(std::int64_t origin) {
  list_.origin = origin;
  changed();
}

} // namespace troupe
