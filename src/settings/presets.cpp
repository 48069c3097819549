#include "settings/presets.hpp"

#include <string>

namespace troupe {

void apply_preset(run_settings& s, const problems& document) {
  const auto preset = [&](const char* path, auto& member, const auto& value) {
    if (!document.document_has(path))
      member = value;
  };
  const bool sparrow = s.architecture == "sparrow";
  preset("sync.plan", s.sync.plan,
         s.architecture == "statesync" ? "full"
         : sparrow                     ? "none"
                                       : "partitioned");
  // Groups have been given what the top level says, before this.
  const std::string actor = sparrow || s.architecture == "hybrid" ? s.architecture : "placing";
  if (document.document_has("scheduler.actor"))
    return;
  s.scheduler.actor = actor;
  for (std::size_t g = 0; g < s.groups.size(); ++g)
    preset(("groups." + std::to_string(g) + ".scheduler.actor").c_str(),
           s.groups[g].scheduler.actor, actor);
}

} // namespace troupe
