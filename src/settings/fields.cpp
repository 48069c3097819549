#include "settings/fields.hpp"

#include "policies/registry.hpp"

#include <vector>

namespace troupe::choices {

std::span<const std::string_view> policies() {
  static const auto names = [] {
    std::vector<std::string_view> all;
    for (const auto& policy : builtin_policies())
      all.push_back(policy.name);
    return all;
  }();
  return names;
}

} // namespace troupe::choices
