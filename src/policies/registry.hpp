#pragma once

#include "policies/policy.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace troupe {

/// The parameters of all built-in policies; each reads those that concern it.
struct policy_parameters {
  duration tau = std::chrono::milliseconds{1500}; ///< adaptive: delay above which it changes over
  double ema_weight = 0.1; ///< adaptive: weight of the newest delay in the moving average
  std::uint32_t scan = 0;  ///< best-fit, worst-fit: machines looked at for a task; 0: all
};

/// A built-in policy, as far as a user wants to know.
struct policy_info {
  std::string_view name;
  std::string_view summary;
};

/// The built-in policies, by name.
std::span<const policy_info> builtin_policies();

/// Returns a new policy, or nothing if there is none of that name.
std::unique_ptr<placement_policy> make_policy(std::string_view name,
                                              const policy_parameters& parameters);

} // namespace troupe
