#include "settings/presets.hpp"

namespace troupe {

void apply_preset(run_settings& s, const problems& document) {
  const auto preset = [&](const char* path, auto& member, const auto& value) {
    if (!document.document_has(path))
      member = value;
  };
  preset("sync.plan", s.sync.plan, s.architecture == "statesync" ? "full" : "partitioned");
}

} // namespace troupe
