#pragma once

#include "policies/registry.hpp"

#include <filesystem>
#include <string>

namespace troupe {

/// A kind of plugin that libraries may hold.
struct plugin_loader {
  std::string kind; ///< as the library says it
  std::string abi;  ///< what the library must have been built for
  /// Registers what the library's descriptor describes; throws `plugin_error` if it is no good.
  void (*add)(const void* descriptor, const std::string& path) = nullptr;
};

/// Lets libraries hold another kind of plugin than placement policies. To be called while no run
/// goes on; the same kind again changes nothing.
void add_plugin_loader(plugin_loader loader);

/// Loads the shared library at `path`, which stays for ever, and registers the plugin that it
/// holds. Does nothing if it was loaded before. Throws `plugin_error`: there is no such file, it is
/// no shared library or no plugin, it was built for another ABI, is of an unknown kind, or what it
/// says of itself is refused by `register_plugin`.
///
/// The library is asked for its ABI string first. Nothing else of it is called unless that is the
/// one of this program.
void load_plugin(const std::filesystem::path& path);

/// The libraries that have been loaded with success, in that order.
const std::vector<std::string>& loaded_plugins();

} // namespace troupe
