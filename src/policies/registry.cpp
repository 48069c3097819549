#include "policies/registry.hpp"

#include "policies/builtin_scheduler.hpp"
#include "policies/plugin_call.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>

namespace troupe {

namespace {

struct shelf {
  std::map<std::string_view, registered_plugin> entries;
  std::vector<std::string_view> names;
  std::mutex mutex;
};

std::array<shelf, 2>& shelves() {
  static std::array<shelf, 2> all;
  return all;
}

/// By name.
constexpr std::pair<builtin_scheduler, std::string_view> builtin_schedulers[] = {
  {builtin_scheduler::hybrid,
   "groups with schedulers of both kinds: long jobs are placed, short ones probe (Hawk)"},
  {builtin_scheduler::placing,
   "places tasks on a view by its policy, and commits to the partitions' owners"},
  {builtin_scheduler::sparrow, "probes machines, or reserves places in their queues (Sparrow)"},
};

bool is_name(std::string_view text, char joint) {
  const auto fits = [joint](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == joint;
  };
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         std::ranges::all_of(text, fits);
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// Returns the fault in the description of a setting; empty if there is none.
std::string fault_of(const setting_info& s) {
  if (!is_name(s.name, '_'))
    return "has a setting named " + quoted(s.name) +
           "; expected lower case letters, digits and _, a letter first";
  if (s.meaning.empty())
    return "does not give the meaning of its setting " + quoted(s.name) + " is for";
  if (!s.choices.empty() && !std::holds_alternative<std::string>(s.standard))
    return "lists choices for its setting " + quoted(s.name) + ", which is not a text but a " +
           std::string(type_name(s.standard));
  if (!s.admits(s.standard))
    return "has a setting " + quoted(s.name) + " whose default " + to_text(s.standard) +
           " is not in its own range";
  return {};
}

std::string fault_of(const registered_plugin& p) {
  if (p.name.empty())
    return "has no name";
  if (!is_name(p.name, '-'))
    return "is named " + quoted(p.name) +
           "; expected lower case letters, digits and -, a letter first";
  if (p.summary.empty())
    return quoted(p.name) + " has no summary";
  std::set<std::string_view> names;
  for (const auto& s : p.settings) {
    if (auto fault = fault_of(s); !fault.empty())
      return quoted(p.name) + " " + fault;
    if (!names.insert(s.name).second)
      return quoted(p.name) + " has two settings named " + quoted(s.name);
  }
  return {};
}

[[noreturn]] void refuse(const registered_plugin& p, const std::string& why) {
  throw plugin_error((p.built_in() ? "a built-in plugin" : p.origin) + ": the plugin " + why);
}

shelf& shelf_of(plugin_kind kind) {
  static const bool has_builtins = [] {
    auto& policies = shelves()[static_cast<std::size_t>(plugin_kind::placement_policy)];
    auto& actors = shelves()[static_cast<std::size_t>(plugin_kind::scheduler_actor)];
    for (const auto& [actor, summary] : builtin_schedulers) {
      const auto name = name_of(actor);
      actors.entries[name] = {plugin_kind::scheduler_actor,       name, summary, {}, {}, nullptr,
                              actor != builtin_scheduler::placing};
      actors.names.push_back(name);
    }
    for (const auto& p : builtin_policies()) {
      policies.entries[p.name] = {
        plugin_kind::placement_policy, p.name, p.summary, p.settings, std::string{}, &p, false};
      policies.names.push_back(p.name);
    }
    return true;
  }();
  static_cast<void>(has_builtins);
  return shelves()[static_cast<std::size_t>(kind)];
}

} // namespace

std::vector<const registered_plugin*> registered(plugin_kind kind) {
  std::vector<const registered_plugin*> all;
  for (const auto& [name, entry] : shelf_of(kind).entries)
    all.push_back(&entry);
  return all;
}

std::span<const std::string_view> registered_names(plugin_kind kind) {
  return shelf_of(kind).names;
}

const registered_plugin* find_registered(plugin_kind kind, std::string_view name) {
  auto& shelf = shelf_of(kind);
  const std::lock_guard lock{shelf.mutex};
  const auto it = shelf.entries.find(name);
  return it == shelf.entries.end() ? nullptr : &it->second;
}

std::string label_of(const registered_plugin& plugin) {
  return "plugin '" + std::string(plugin.name) + "' (" + plugin.origin + ")";
}

void register_plugin(registered_plugin entry) {
  auto& shelf = shelf_of(entry.kind);
  if (const auto fault = fault_of(entry); !fault.empty())
    refuse(entry, fault);
  if (const auto* other = find_registered(entry.kind, entry.name))
    refuse(entry, "is named " + quoted(entry.name) + ", as is " +
                    (other->built_in() ? "a built-in one" : "the one in " + other->origin) +
                    "; expected a name of its own");
  if (!entry.built_in())
    name_plugin_library(entry.origin, label_of(entry));
  const std::lock_guard lock{shelf.mutex};
  shelf.names.insert(std::ranges::lower_bound(shelf.names, entry.name), entry.name);
  shelf.entries.emplace(entry.name, std::move(entry));
}

void register_policy(const policy_descriptor& policy, std::string origin) {
  registered_plugin entry{plugin_kind::placement_policy,
                          policy.name,
                          policy.summary,
                          policy.settings,
                          std::move(origin),
                          &policy};
  if (policy.make == nullptr)
    refuse(entry, quoted(policy.name) + " has no function that makes its policy");
  register_plugin(std::move(entry));
}

std::unique_ptr<placement_policy> make_policy(std::string_view name, const setting_values& given) {
  const auto* entry = find_registered(plugin_kind::placement_policy, name);
  if (entry == nullptr)
    return nullptr;
  const auto& policy = *static_cast<const policy_descriptor*>(entry->descriptor);
  if (entry->built_in())
    return policy.make(completed(policy.settings, given));
  const auto label = label_of(*entry);
  const plugin_call inside{label, "make"};
  return policy.make(completed(policy.settings, given));
}

} // namespace troupe
