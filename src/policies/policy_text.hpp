#pragma once

#include "policies/policy_choice.hpp"

#include <string>

namespace troupe {

/// Returns a policy with its settings, for the user: "adaptive (ema_weight = 0.1, tau = 1500ms)".
std::string policy_text(const policy_choice& choice);

} // namespace troupe
