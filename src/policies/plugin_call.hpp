#pragma once

#include <string_view>

namespace troupe {

/// Marks, for as long as it lives, that its thread is inside a call of a plugin. What it is given
/// must outlive it. Costs a few instructions.
class plugin_call {
public:
  /// `label` names the plugin, as in "plugin 'x' (/path/x.so)"; `call` what is called of it, as in
  /// "pick".
  plugin_call(std::string_view label, std::string_view call);
  ~plugin_call();
  plugin_call(const plugin_call&) = delete;
  plugin_call& operator=(const plugin_call&) = delete;

private:
  plugin_call* outer_;
  std::string_view label_;
  std::string_view call_;

  friend class plugin_witness;
};

/// From now on the program says so on standard error when a plugin ends it, with the plugin's name
/// and the call: by exit(), which then gives exit code 1 in any case, or by a
/// signal such as SIGSEGV, which is passed on. What has no call marked is told by the code on the
/// stack. A plugin that calls _exit() goes unseen. May be called again.
void watch_for_plugin_ends();

/// Names the library at `path` in such messages, as `label`, once it is loaded.
void name_plugin_library(std::string_view path, std::string_view label);

} // namespace troupe
