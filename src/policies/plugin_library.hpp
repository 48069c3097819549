#pragma once

#include "policies/registry.hpp"

#include <filesystem>
#include <string>

namespace troupe {

/// A kind of plugin that libraries may hold.
struct plugin_loader {
  std::string kind; ///< as the library names it
  std::string abi;  ///< the ABI that the library must have
  /// Registers the plugin that the library's descriptor describes. Throws `plugin_error` if it is
  /// invalid.
  void (*add)(const void* descriptor, const std::string& path) = nullptr;
};

/// Adds a kind of plugin beside placement policies. Call it only while no run is in progress;
/// adding the same kind again has no effect.
void add_plugin_loader(plugin_loader loader);

/// Loads the shared library at `path`, which is never unloaded, and registers its plugin. Does
/// nothing if it was loaded before. Throws `plugin_error` if the file is missing, is not a shared
/// library or not a plugin, was built for another ABI, or is of an unknown kind, or if
/// `register_plugin` refuses its descriptor.
///
/// Reads the library's ABI string first, and calls no other function of the library unless it
/// equals that of this program.
void load_plugin(const std::filesystem::path& path);

/// The successfully loaded libraries, in the order of loading.
const std::vector<std::string>& loaded_plugins();

} // namespace troupe
