#pragma once

#include <string_view>

namespace troupe {

/// Marks, during its lifetime, that its thread is inside a call of a plugin. The arguments must
/// outlive it. Costs a few instructions.
class plugin_call {
public:
  /// `label` names the plugin, as in "plugin 'x' (/path/x.so)"; `call` is the name of the call, as
  /// in "pick".
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

/// From now on, if a plugin ends the program, a message on standard error names the plugin and the
/// call. This covers exit(), after which the exit code is 1 unless another thread crashes
/// meanwhile, and signals such as SIGSEGV, which are passed on. Without a marked call, the code on
/// the stack determines the plugin. A plugin that calls _exit() is not detected. May be called
/// again.
void watch_for_plugin_ends();

/// Makes such messages name the library at `path` as `label`, once it is loaded.
void name_plugin_library(std::string_view path, std::string_view label);

} // namespace troupe
