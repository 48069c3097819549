#include "settings/toml/read.hpp"

#include "settings/checks/check.hpp"
#include "settings/schema/presets.hpp"
#include "settings/schema/read_plugins.hpp"
#include "settings/schema/sweep_settings.hpp"
#include "settings/toml/document.hpp"
#include "settings/toml/reader.hpp"

namespace troupe {

namespace {

/// Gives `s` the groups that it is to have and makes the numbers of schedulers agree.
void resolve_groups(run_settings& s, problems& found) {
  if (s.groups.empty())
    s.groups.push_back(default_group(s));
  if (s.groups.size() == 1 && s.groups.front().schedulers == 0)
    s.groups.front().schedulers = s.schedulers;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < s.groups.size(); ++i) {
    sum += s.groups[i].schedulers;
    if (s.groups[i].schedulers == 0)
      found.wrong("groups." + std::to_string(i) + ".schedulers", "0",
                  "at least 1, as there are several groups");
  }
  found.throw_first();
  const bool is_set = found.document_has("schedulers");
  // A monolithic architecture sets pool = 1 itself.
  const bool pool_is_set =
    found.document_has("pool") && s.architecture != architecture_kind::monolithic;
  if (is_set && pool_is_set && s.pool > 0 && s.schedulers != s.pool)
    found.wrong("schedulers", std::to_string(s.schedulers),
                std::to_string(s.pool) + ", as pool = " + std::to_string(s.pool) +
                  " is how many serve all groups; set that instead");
  else if (is_set && s.pool == 0 && s.schedulers != sum)
    found.wrong("schedulers", std::to_string(s.schedulers),
                std::to_string(sum) + ", the sum over the groups");
  else if (sum > static_cast<std::uint64_t>(max_schedulers))
    found.wrong("groups", std::to_string(sum) + " schedulers in all",
                "at most " + to_text(max_schedulers));
  found.throw_first();
  s.schedulers = s.pool > 0 ? s.pool : static_cast<std::uint32_t>(sum);
}

/// The visitor that gives every setting which a policy or plugin declares its default.
class completer {
public:
  template <class T>
  void field(const field_info&, T&) {}

  template <class T>
  void table(const field_info&, T&& members) {
    describe(*this, members);
  }

  template <class T>
  void overlay(const field_info&, T& members) {
    describe(*this, members);
  }

  template <class T>
  void list(const field_info&, std::vector<T>&, const T&) {}
};

run_settings resolve(document from, std::span<const std::string> overrides) {
  for (const auto& assignment : overrides)
    from.set(assignment);
  problems found(from);
  load_plugins(from, found);
  found.throw_first();
  run_settings s;
  completer defaults;
  describe(defaults, s);
  reader root(from.root(), "", found);
  describe(root, s);
  root.know("extends");
  root.know("sweep");
  root.refuse_unknown();
  read_sweep_settings(from, found);
  found.throw_first();
  for (auto& path : s.plugins.paths)
    path = absolute_path(path);
  apply_preset(s, found);
  resolve_groups(s, found);
  check_settings(s, found);
  found.throw_first();
  return s;
}

} // namespace

run_settings read_settings(const std::filesystem::path& file,
                           std::span<const std::string> overrides) {
  return resolve(document::load(file), overrides);
}

run_settings parse_settings(std::string_view toml, std::string_view name,
                            std::span<const std::string> overrides) {
  return resolve(document(toml, name), overrides);
}

} // namespace troupe
