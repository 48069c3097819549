#pragma once

#include "policies/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A policy and its settings, in a form that can be sent.
struct policy_choice {
  std::string policy;
  std::vector<std::string> settings; ///< "name=value" each, with the value as `to_text` renders it
};

policy_choice choose(std::string_view policy, const setting_values& values);

/// Returns the values for the policy of `choice`: defaults for settings that it does not give or
/// that cannot be read. Empty if there is no such policy.
setting_values values_of(const policy_choice& choice);

} // namespace troupe
