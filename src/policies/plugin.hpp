#pragma once

#include "policies/plugin_abi.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The contract of a placement policy, built in or in a shared library.
namespace troupe {

/// Creates a policy from values for each setting that it declares. May throw to refuse them.
using policy_factory = std::unique_ptr<placement_policy> (*)(const setting_values& settings);

/// The description of a placement policy.
struct policy_descriptor {
  std::string_view name;    ///< as in scheduler.policy; lower case letters, digits and -
  std::string_view summary; ///< for the user, one line
  std::vector<setting_info> settings{};
  policy_factory make = nullptr;
};

/// A hash of the types that a placement policy and the program exchange.
inline constexpr std::uint64_t policy_layout =
  layout_of<resources, machine_info, machine_kind, catalog, view, view_partition, kind_set,
            machine_filter, task_request, decision_context, placement_outcome, random_stream,
            placement_policy, setting_value, setting_info, setting_values, policy_descriptor>();

inline constexpr const char* placement_policy_kind = "placement-policy";

} // namespace troupe

#define TROUPE_PLUGIN_EXPORT extern "C" [[gnu::visibility("default")]]

/// Makes a shared library a plugin. The argument, in braces, initialises a `policy_descriptor`:
///
///     TROUPE_POLICY_PLUGIN({.name = "mine",
///                           .summary = "..",
///                           .settings = {{.name = "k", .meaning = "..", .standard = 2, .min = 1}},
///                           .make = [](const troupe::setting_values& s) { .. }})
#define TROUPE_POLICY_PLUGIN(...)                                                                  \
  TROUPE_PLUGIN_EXPORT const char* troupe_plugin_abi() {                                           \
    static const std::string text = ::troupe::abi_text(                                            \
      ::troupe::placement_policy_kind, TROUPE_COMPILER_ABI, ::troupe::policy_layout);              \
    return text.c_str();                                                                           \
  }                                                                                                \
  TROUPE_PLUGIN_EXPORT const char* troupe_plugin_kind() {                                          \
    return ::troupe::placement_policy_kind;                                                        \
  }                                                                                                \
  TROUPE_PLUGIN_EXPORT const void* troupe_plugin() {                                               \
    static const ::troupe::policy_descriptor plugin __VA_ARGS__;                                   \
    return &plugin;                                                                                \
  }                                                                                                \
  static_assert(true)
