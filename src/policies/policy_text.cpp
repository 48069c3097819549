#include "policies/policy_text.hpp"

namespace troupe {

std::string policy_text(const policy_choice& choice) {
  std::string settings;
  for (const auto& text : choice.settings) {
    const auto equals = text.find('=');
    settings += (settings.empty() ? "" : ", ") + text.substr(0, equals);
    if (equals != std::string::npos)
      settings += " = " + text.substr(equals + 1);
  }
  return settings.empty() ? choice.policy : choice.policy + " (" + settings + ")";
}

} // namespace troupe
