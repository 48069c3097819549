#pragma once

#include "policies/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// A policy and how it is tuned, in a form that can be sent.
struct policy_choice {
  std::string policy;
  std::vector<std::string> settings; ///< "name=value" each, the value as `to_text` writes it
};

policy_choice choose(std::string_view policy, const setting_values& values);

/// Returns the values that `choice` makes its policy with: defaults where it says nothing, or what
/// cannot be read. Empty if there is no such policy.
setting_values values_of(const policy_choice& choice);

} // namespace troupe
