#include "policies/policy_choice.hpp"

namespace troupe {

policy_choice choose(std::string_view policy, const setting_values& values) {
  policy_choice choice{std::string(policy), {}};
  for (const auto& [name, value] : values.all())
    choice.settings.push_back(name + "=" + to_text(value));
  return choice;
}

setting_values values_of(const policy_choice& choice) {
  setting_values values;
  const auto* entry = find_registered(plugin_kind::placement_policy, choice.policy);
  if (entry == nullptr)
    return values;
  for (const auto& s : entry->settings) {
    auto& value = values.at(s.name, s.standard);
    const auto prefix = std::string(s.name) + "=";
    for (const auto& text : choice.settings)
      if (text.starts_with(prefix))
        value = parse_setting(std::string_view(text).substr(prefix.size()), s.standard)
                  .value_or(s.standard);
  }
  return values;
}

} // namespace troupe
