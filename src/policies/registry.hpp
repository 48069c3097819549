#pragma once

#include "policies/plugin.hpp"

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A plugin that cannot be used. The text is one line for the user that begins with its path.
class plugin_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class plugin_kind : std::uint8_t { placement_policy, scheduler_actor };

/// A policy or scheduler that can be chosen by name.
struct registered_plugin {
  plugin_kind kind = plugin_kind::placement_policy;
  std::string_view name;
  std::string_view summary;
  std::span<const setting_info> settings;
  std::string origin;               ///< the path of its library; empty: built in
  const void* descriptor = nullptr; ///< a `policy_descriptor` or `scheduler_descriptor`
  bool probes = false; ///< a scheduler actor that uses the queues of machines, not the owners

  bool built_in() const { return origin.empty(); }
};

/// How messages name a plugin: "plugin 'x' (/path/x.so)".
std::string label_of(const registered_plugin& plugin);

/// Everything of one kind that can be chosen, by name. What is built in is always there; built-in
/// scheduler actors are registered without a descriptor. What is registered stays.
std::vector<const registered_plugin*> registered(plugin_kind kind);

/// The names of these. Valid until something is registered.
std::span<const std::string_view> registered_names(plugin_kind kind);

/// Returns what is registered under a name, or null. May be called from any thread.
const registered_plugin* find_registered(plugin_kind kind, std::string_view name);

/// Adds to what can be chosen. What the entry refers to must stay for ever. Throws `plugin_error`
/// if the name is empty, unfit or taken, if there is nothing to make it with, or if what it says of
/// its settings contradicts itself.
void register_plugin(registered_plugin entry);

/// The same for a policy; `origin` is the path of its library, or empty.
void register_policy(const policy_descriptor& policy, std::string origin = {});

/// The built-in policies, by name.
std::span<const policy_descriptor> builtin_policies();

/// Returns a new policy, with defaults for what `given` does not set, or nothing if there is none
/// of that name. Throws what the policy's factory throws. May be called from any thread.
std::unique_ptr<placement_policy> make_policy(std::string_view name, const setting_values& given);

} // namespace troupe
