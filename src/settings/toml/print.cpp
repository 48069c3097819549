#include "settings/toml/print.hpp"

#include "settings/schema/sweep_settings.hpp"
#include "settings/toml/toml_text.hpp"
#include "settings/toml/toml_writer.hpp"

namespace troupe {

namespace {

/// Returns whether reading would make the groups of `s` from its top level.
bool has_default_groups(const run_settings& s) {
  auto expected = default_group(s);
  expected.schedulers = s.schedulers;
  return s.groups.size() == 1 && s.groups.front() == expected;
}

constexpr std::string_view introduction =
  "# Every setting of `troupe run` with its default. A settings file contains only the values\n"
  "# that differ. On the command line: --set KEY=VALUE, for example --set sync.gap=2s or, for\n"
  "# elements of lists, --set workload.phases.0.load=0.8; KEY+=VALUE adds to a list. Durations\n"
  "# are texts with a unit: ns, us, ms, s, m, h. In brackets: the allowed values, and the unit.\n"
  "#\n"
  "# A file may start with  extends = \"base.toml\"  (a path relative to that file): it then\n"
  "# contains only the differences from base.toml. Tables are merged key by key, lists are\n"
  "# replaced.\n\n";

} // namespace

std::string to_toml(const run_settings& s) {
  auto all = s;
  const bool without_groups = has_default_groups(s);
  if (without_groups)
    all.groups.clear();
  toml_writer out(toml_style::plain);
  describe(out, all);
  return out.text();
}

std::string settings_reference() {
  run_settings s;
  s.workload.phases = {{.load = 0.5}};
  toml_writer out(toml_style::documented);
  describe(out, s);
  return std::string(introduction) + out.text() + sweep_reference();
}

} // namespace troupe
