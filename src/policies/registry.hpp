#pragma once

#include "policies/plugin.hpp"

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// An unusable plugin. The text is one line for the user that begins with the plugin's path.
class plugin_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class plugin_kind : std::uint8_t { placement_policy, scheduler_actor };

/// A registered policy or scheduler.
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

/// Returns the name of a plugin in messages: "plugin 'x' (/path/x.so)".
std::string label_of(const registered_plugin& plugin);

/// All registered plugins of one kind, by name. Built-in ones are always registered; built-in
/// scheduler actors have no descriptor. Entries are never removed.
std::vector<const registered_plugin*> registered(plugin_kind kind);

/// Their names. Valid until the next registration.
std::span<const std::string_view> registered_names(plugin_kind kind);

/// Returns the entry with a name, or null. May be called from any thread.
const registered_plugin* find_registered(plugin_kind kind, std::string_view name);

/// Adds an entry. Objects to which the entry refers must never be destroyed. Throws `plugin_error`
/// if the name is empty, invalid or taken, if there is no factory function, or if the declared
/// settings are inconsistent.
void register_plugin(registered_plugin entry);

/// The same for a policy; `origin` is the path of its library, or empty.
void register_policy(const policy_descriptor& policy, std::string origin = {});

/// The built-in policies, by name.
std::span<const policy_descriptor> builtin_policies();

/// Returns a new policy, with defaults for settings that `given` lacks, or null if no policy has
/// that name. Passes on exceptions of the policy's factory. May be called from any thread.
std::unique_ptr<placement_policy> make_policy(std::string_view name, const setting_values& given);

} // namespace troupe
