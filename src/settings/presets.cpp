#include "settings/presets.hpp"

namespace troupe {

namespace {

using namespace std::chrono_literals;

const char* plan_of(const std::string& architecture) {
  if (architecture == "statesync")
    return "full";
  if (architecture == "static" || architecture == "monolithic")
    return "exclusive";
  if (architecture == "two-level")
    return "offers";
  if (architecture == "sparrow")
    return "none";
  return "partitioned";
}

/// Sets a member of every group's scheduler that neither the group nor the top level sets.
template <class Member, class Value>
void preset_schedulers(run_settings& s, const problems& document, const std::string& key,
                       Member member, const Value& value) {
  if (document.document_has("scheduler." + key))
    return;
  s.scheduler.*member = value;
  for (std::size_t i = 0; i < s.groups.size(); ++i)
    if (!document.document_has("groups." + std::to_string(i) + ".scheduler." + key))
      s.groups[i].scheduler.*member = value;
}

} // namespace

void apply_preset(run_settings& s, const problems& document) {
  const auto preset = [&](const char* path, auto& member, const auto& value) {
    if (!document.document_has(path))
      member = value;
  };
  preset("sync.plan", s.sync.plan, plan_of(s.architecture));
  if (s.sync.plan == "exclusive")
    preset("owner.report_interval", s.owner.report_interval, 0s);
  if (s.architecture == "static")
    preset_schedulers(s, document, "own_share", &scheduler_settings::own_share, "hard");
  if (s.architecture == "monolithic")
    preset("pool", s.pool, 1u);
  const bool probes = s.architecture == "sparrow" || s.architecture == "hybrid";
  preset_schedulers(s, document, "actor", &scheduler_settings::actor,
                    probes ? s.architecture : "placing");
}

} // namespace troupe
