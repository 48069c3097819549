#include "nodes/registry/node_registry.hpp"

#include "nodes/registry/policy_orders.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace troupe {

namespace {

std::string registered_address(const node_identity& who) {
  return who.host + ":" + std::to_string(who.port);
}

/// Whether nothing is lost to others when such a node is forgotten.
bool is_only_machine(const node_roles& roles) {
  return names_of(roles) == std::set<std::string>{"machine"};
}

} // namespace

node_entry* node_registry::find_entry(const std::string& name) {
  const auto it =
    std::ranges::find_if(list_.nodes, [&](const node_entry& e) { return e.who.name == name; });
  return it == list_.nodes.end() ? nullptr : &*it;
}

const node_entry* node_registry::find(const std::string& name) const {
  return const_cast<node_registry*>(this)->find_entry(name);
}

const node_entry* node_registry::find(std::uint32_t index) const {
  const auto it = std::ranges::find(list_.nodes, index, &node_entry::index);
  return it == list_.nodes.end() ? nullptr : &*it;
}

bool node_registry::is_free(const machine_numbers& wanted, const node_entry* but) const {
  return wanted.first + wanted.count <= machines_ &&
         std::ranges::none_of(list_.nodes,
                              [&](const node_entry& e) {
                                return &e != but && e.machines.count > 0 &&
                                       wanted.first < e.machines.first + e.machines.count &&
                                       e.machines.first < wanted.first + wanted.count;
                              }) &&
         std::ranges::none_of(awaited_, [&](const auto& a) {
           const auto& kept = a.second.machines;
           return (but == nullptr || a.first != but->who.name) && kept.count > 0 &&
                  wanted.first < kept.first + kept.count &&
                  kept.first < wanted.first + wanted.count;
         });
}

const described_machine* node_registry::description_of(machine_id number) const {
  const auto it = std::ranges::find(list_.described, number, &described_machine::number);
  return it == list_.described.end() ? nullptr : &*it;
}

std::string node_registry::misfit(machine_id number, const node_identity& who) const {
  const auto* known = description_of(number);
  if (list_.origin == 0 || (known == nullptr && !who.is_machine()))
    return "";
  const auto place = "machine " + std::to_string(number) + ", whose place it would take, ";
  if (known == nullptr || !who.is_machine())
    return place + (known == nullptr ? "is emulated" : "is not emulated");
  if (!who.machine.capacity.fits(known->is.capacity))
    return place + "has " + to_string(known->is.capacity) + ", and the node has " +
           to_string(who.machine.capacity);
  for (const auto& [key, value] : known->is.attributes)
    if (const auto it = who.machine.attributes.find(key);
        it == who.machine.attributes.end() || it->second != value)
      return place + "has " + key + " = " + value + ", and the node has " +
             (it == who.machine.attributes.end() ? "none" : it->second);
  return "";
}

std::optional<node_refusal> node_registry::number_machines(node_entry& entry,
                                                           const machine_numbers& known) {
  const auto count = entry.who.roles.machines;
  std::vector<machine_id> firsts;
  if (entry.machines.count == count)
    firsts.push_back(entry.machines.first);
  else if (known.count == count)
    firsts.push_back(known.first);
  if (count == 1 && list_.origin != 0) {
    for (machine_id m = 0; m < machines_; ++m)
      firsts.push_back(m);
  } else {
    const auto preferred = std::ssize(firsts);
    firsts.push_back(0);
    for (const auto& e : list_.nodes)
      firsts.push_back(e.machines.first + e.machines.count);
    for (const auto& [_, a] : awaited_)
      firsts.push_back(a.machines.first + a.machines.count);
    std::sort(firsts.begin() + preferred, firsts.end());
  }
  const auto missing = machines_missing();
  std::string why;
  for (const auto first : firsts) {
    const machine_numbers wanted{first, count};
    if (!is_free(wanted, &entry))
      continue;
    std::string here;
    for (auto m = first; m < first + count && here.empty(); ++m)
      here = misfit(m, entry.who);
    if (here.empty()) {
      entry.machines = wanted;
      return std::nullopt;
    }
    why = why.empty() ? here : why;
  }
  if (!why.empty())
    return node_refusal{"the cluster has begun with other machines: " + why};
  if (const auto names = awaited_names(entry.who.name); !names.empty() && count <= missing)
    return node_refusal{
      "the machines that it could be are kept for nodes that may come back: " + names, true};
  return node_refusal{
    "it has " + std::to_string(count) + " machines, but the cluster has room for " +
    std::to_string(missing) + " more of its " + std::to_string(machines_) + " (cluster.machines)" +
    (count <= missing
       ? ", " + std::to_string(longest_free(entry)) + " of them in a row: start several nodes"
       : "")};
}

std::uint32_t node_registry::longest_free(const node_entry& entry) const {
  std::uint32_t longest = 0;
  std::uint32_t length = 0;
  for (machine_id m = 0; m < machines_; ++m) {
    length = is_free({m, 1}, &entry) ? length + 1 : 0;
    longest = std::max(longest, length);
  }
  return longest;
}

// -- clusters that grow --------------------------------------------------------------------------

void node_registry::let_grow(machine_places places, const resources& greatest,
                             clock::duration patience) {
  places_.emplace(std::move(places));
  greatest_ = greatest;
  patience_ = patience;
}

void node_registry::changed() {
  ++list_.version;
  if (places_)
    list_.described = places_->table();
}

machine_numbers node_registry::known_machines(const node_identity& who) const {
  const bool here = who.machines_origin == 0 || who.machines_origin == list_.origin;
  return here ? who.machines : machine_numbers{};
}

std::optional<node_refusal> node_registry::place_machine(node_entry& entry,
                                                         const machine_numbers& known,
                                                         clock::time_point now) {
  const auto& who = entry.who;
  if (who.roles.machines == 0)
    return std::nullopt;
  if (!who.is_machine())
    return node_refusal{"this cluster runs commands, and the node emulates machines; expected none "
                        "of --machines"};
  if (!greatest_.fits(who.machine.capacity))
    return node_refusal{"it has " + to_string(who.machine.capacity) +
                        ", and a machine of this cluster may have at most " + to_string(greatest_)};
  std::optional<machine_id> had;
  if (entry.machines.count == 1) {
    if (places_->keep(entry.machines.first, who.machine))
      return std::nullopt;
    places_->leave(entry.machines.first, now);
  } else if (known.count == 1) {
    had = known.first;
  }
  const auto place = places_->take(who.machine, had, now);
  entry.machines = place ? machine_numbers{*place, 1} : machine_numbers{};
  if (place)
    return std::nullopt;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(places_->rest()).count();
  return node_refusal{"the cluster has places for " + std::to_string(places_->size()) +
                        " machines (cluster.machines), all of which are taken or were left less "
                        "than " +
                        std::to_string(seconds) + " s ago",
                      true};
}

bool node_registry::settle(clock::time_point now) {
  if (!places_)
    return false;
  bool any = places_->settle(now);
  std::vector<std::string> left_for_good;
  for (const auto& [name, since] : gone_since_)
    if (const auto* e = find(name);
        e != nullptr && is_only_machine(e->who.roles) && now - since >= patience_)
      left_for_good.push_back(name);
  for (const auto& name : left_for_good)
    left(name, now);
  if (any)
    changed();
  return any || !left_for_good.empty();
}

bool node_registry::level_machines(const std::function<bool(const node_entry&)>& may_move,
                                   clock::time_point now) {
  if (!places_ || std::ranges::any_of(list_.nodes, &node_entry::moves))
    return false;
  const auto on = [&](machine_id m) {
    return std::ranges::find_if(list_.nodes,
                                [&](const node_entry& e) { return e.machines.has(m); });
  };
  const auto moving = places_->to_move(
    [&](machine_id m) {
      const auto e = on(m);
      return e != list_.nodes.end() && e->present && !e->draining && may_move(*e);
    },
    now);
  if (!moving)
    return false;
  on(*moving)->moves = true;
  changed();
  return true;
}

void node_registry::moved(const std::string& name, clock::time_point now) {
  auto* e = find_entry(name);
  if (e == nullptr || !places_ || !std::exchange(e->moves, false))
    return;
  if (const auto place = places_->take(e->who.machine, std::nullopt, now)) {
    places_->leave(e->machines.first, now);
    e->machines.first = *place;
  }
  changed();
}

// ------------------------------------------------------------------------------------------------

std::variant<const node_entry*, node_refusal> node_registry::join(const node_identity& who,
                                                                  clock::time_point now) {
  auto* entry = find_entry(who.name);
  if (entry != nullptr && entry->present && entry->who.boot != who.boot)
    return node_refusal{"a node named " + who.name + " has joined already, at " +
                          registered_address(entry->who),
                        true};
  for (const auto& e : list_.nodes)
    if (e.who.name != who.name && e.present) {
      if (who.roles.master && e.who.roles.master)
        return node_refusal{"there is a master already: " + e.who.name};
      if (who.roles.workload && e.who.roles.workload)
        return node_refusal{"there is a node with the workload already: " + e.who.name, true};
    }
  if (list_.origin == 0 && who.origin != 0) {
    list_.origin = who.origin;
    list_.described = who.described;
    remember_nodes(who, now);
    entry = find_entry(who.name);
  }
  await_no_longer(now);
  const bool is_new = entry == nullptr;
  if (is_new) {
    list_.nodes.push_back({who, index_for(who), {}, false, false});
    entry = &list_.nodes.back();
  }
  if (places_ && who.origin != 0)
    places_->believe(who.described, now);
  auto before = std::exchange(entry->who, who);
  std::optional<node_refusal> refusal;
  auto known = known_machines(who);
  if (const auto had = awaited_.find(who.name); known.count == 0 && had != awaited_.end())
    known = had->second.machines;
  if (places_)
    refusal = place_machine(*entry, known, now);
  else
    refusal = number_machines(*entry, known);
  if (refusal) {
    if (is_new)
      list_.nodes.pop_back();
    else
      entry->who = std::move(before);
    changed();
    return *refusal;
  }
  awaited_.erase(who.name);
  entry->present = true;
  entry->moves = entry->moves && before.boot == who.boot;
  gone_since_.erase(who.name);
  entry->draining = who.draining || (entry->draining && before.boot == who.boot);
  entry->who.described.clear();
  if (who.origin == list_.origin) // else it speaks of another cluster
    merge_orders(list_.policies, who.policies);
  entry->who.policies.clear();
  entry->who.known.clear();
  add_remembered();
  changed();
  return entry;
}

void node_registry::lost(const std::string& name, std::uint64_t boot, clock::time_point now) {
  if (auto* e = find_entry(name); e != nullptr && e->who.boot == boot && e->present) {
    e->present = false;
    gone_since_[name] = now;
    changed();
  }
}

void node_registry::left(const std::string& name, clock::time_point now) {
  gone_since_.erase(name);
  awaited_.erase(name);
  if (const auto* e = find(name); e != nullptr && places_ && e->machines.count == 1)
    places_->leave(e->machines.first, now);
  if (std::erase_if(list_.nodes, [&](const node_entry& e) { return e.who.name == name; }) > 0)
    changed();
}

std::string node_registry::drain(const std::string& name, bool by_itself) {
  auto* e = find_entry(name);
  if (e == nullptr) {
    std::string names;
    for (const auto& other : list_.nodes)
      names += (names.empty() ? "" : ", ") + other.who.name;
    return "there is no node named " + name + "; there are: " + names;
  }
  const auto& roles = e->who.roles;
  if (!by_itself && (roles.master || roles.workload))
    return "node " + name + " has the " +
           (roles.master && roles.workload ? "master and the workload"
            : roles.master                 ? "master"
                                           : "workload") +
           ", which cannot move to another node; expected one without, or to end the cluster";
  e->draining = true;
  if (places_ && !e->present && is_only_machine(roles))
    left(name);
  changed();
  return "";
}

bool node_registry::order_policies(std::span<const policy_order> orders) {
  if (!merge_orders(list_.policies, orders))
    return false;
  changed();
  return true;
}

void node_registry::remember_orders(std::vector<policy_order> by_utc) {
  remembered_ = std::move(by_utc);
  add_remembered();
}

void node_registry::add_remembered() {
  if (list_.origin != 0)
    order_policies(since_origin(std::exchange(remembered_, {}), list_.origin));
}

bool node_registry::note_missing(const std::string& what) {
  if (list_.missing == what)
    return false;
  list_.missing = what;
  changed();
  return true;
}

std::uint32_t node_registry::machines_missing() const {
  if (places_)
    return 0;
  std::uint32_t there = 0;
  for (const auto& e : list_.nodes)
    there += e.machines.count;
  return machines_ - there;
}

std::string node_registry::missing() const {
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
    add("no node has the role owner");
  if (!schedulers)
    add("no node has the role scheduler");
  return what;
}

void node_registry::begin(std::int64_t origin) {
  list_.origin = origin;
  list_.missing.clear();
  list_.described.clear();
  for (const auto& e : list_.nodes)
    if (!places_ && e.who.is_machine() && e.machines.count > 0)
      list_.described.push_back({e.machines.first, e.who.machine});
  add_remembered();
  changed();
}

} // namespace troupe
