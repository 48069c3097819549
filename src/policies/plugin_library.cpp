#include "policies/plugin_library.hpp"

#include "policies/plugin_call.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <exception>

namespace troupe {

namespace {

namespace fs = std::filesystem;

using text_function = const char* (*)();
using plugin_function = const void* (*)();

std::vector<plugin_loader>& loaders() {
  static std::vector<plugin_loader> all{
    {placement_policy_kind, abi_text(placement_policy_kind, TROUPE_COMPILER_ABI, policy_layout),
     [](const void* descriptor, const std::string& path) {
       register_policy(*static_cast<const policy_descriptor*>(descriptor), path);
     }}};
  return all;
}

std::vector<std::string>& loaded() {
  static std::vector<std::string> paths;
  return paths;
}

/// The names of the symbols, as TROUPE_POLICY_PLUGIN and its like define them.
constexpr const char* abi_symbol = "troupe_plugin_abi";
constexpr const char* kind_symbol = "troupe_plugin_kind";
constexpr const char* plugin_symbol = "troupe_plugin";

/// One library while it is looked at.
class library {
public:
  explicit library(const fs::path& path) : path_(path.string()) {
    std::error_code error;
    if (!fs::exists(path, error))
      refuse("there is no such file; expected a plugin, a shared library");
    if (fs::is_directory(path, error))
      refuse("is a directory; expected a plugin, a shared library");
    handle_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle_ == nullptr)
      refuse("cannot be loaded as a shared library: " + reason());
  }

  [[noreturn]] void refuse(const std::string& why) const { throw plugin_error(path_ + ": " + why); }

  template <class Function>
  Function find(const char* symbol) const {
    void* address = dlsym(handle_, symbol);
    if (address == nullptr)
      refuse("is not a Troupe plugin: it does not define the symbol " + std::string(symbol) +
             "; see TROUPE_POLICY_PLUGIN in policies/plugin.hpp");
    return reinterpret_cast<Function>(address);
  }

  std::string text(const char* symbol) const {
    const char* answer = find<text_function>(symbol)();
    return answer == nullptr ? "" : answer;
  }

  /// Returns how to take the plugin in, once it is clear that it fits.
  const plugin_loader& handshake() const {
    const auto abi = text(abi_symbol);
    const auto fits = std::ranges::find(loaders(), abi, &plugin_loader::abi);
    if (fits == loaders().end())
      refuse("was built for " + (abi.empty() ? "nothing that it names" : "\"" + abi + "\"") +
             "; this program expects \"" + nearest(abi).abi + "\": build the plugin against the " +
             "headers of this Troupe, with the same compiler");
    const auto kind = text(kind_symbol);
    if (kind != fits->kind)
      refuse("says it is a \"" + kind + "\", but was built for the contract of a \"" + fits->kind +
             "\"; the kinds are " + kinds());
    return *fits;
  }

  const void* descriptor() const {
    const void* plugin = nullptr;
    try {
      plugin = find<plugin_function>(plugin_symbol)();
    } catch (const plugin_error&) {
      throw;
    } catch (const std::exception& e) {
      refuse(std::string(plugin_symbol) + "() threw: " + e.what());
    }
    if (plugin == nullptr)
      refuse(std::string(plugin_symbol) + "() describes nothing");
    return plugin;
  }

private:
  /// The message of dlopen, which begins with the path.
  std::string reason() const {
    const char* error = dlerror();
    std::string text = error == nullptr ? "unknown error" : error;
    if (text.starts_with(path_ + ": "))
      text.erase(0, path_.size() + 2);
    return text;
  }

  static const plugin_loader& nearest(const std::string& abi) {
    for (const auto& l : loaders())
      if (abi.starts_with(l.kind + " "))
        return l;
    return loaders().front();
  }

  static std::string kinds() {
    std::string all;
    for (const auto& l : loaders())
      all += (all.empty() ? "" : ", ") + l.kind;
    return all;
  }

  std::string path_;
  void* handle_ = nullptr;
};

} // namespace

void add_plugin_loader(plugin_loader loader) {
  if (std::ranges::find(loaders(), loader.kind, &plugin_loader::kind) == loaders().end())
    loaders().push_back(std::move(loader));
}

void load_plugin(const fs::path& path) {
  std::error_code error;
  const auto real = fs::canonical(path, error);
  const auto name = error ? path.string() : real.string();
  if (std::ranges::find(loaded(), name) != loaded().end())
    return;
  watch_for_plugin_ends();
  const plugin_call inside{name, "load"};
  const library from(name);
  const auto& loader = from.handshake();
  loader.add(from.descriptor(), name);
  loaded().push_back(name);
}

const std::vector<std::string>& loaded_plugins() {
  return loaded();
}

} // namespace troupe
