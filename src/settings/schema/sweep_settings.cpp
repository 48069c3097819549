#include "settings/schema/sweep_settings.hpp"

#include "settings/toml/reader.hpp"
#include "settings/toml/toml_writer.hpp"

namespace troupe {

namespace {

constexpr std::string_view table_name = "sweep";
constexpr std::string_view vary_path = "sweep.vary";

constexpr std::string_view vary_example =
  "# vary = { \"sync.gap\" = [\"500ms\", \"1s\"], schedulers = \"5..20/5\" } # every "
  "combination of these\n";

/// The file that contains the table.
struct file_of_sweep {
  sweep_settings sweep;
};

template <class Visitor>
void describe(Visitor& v, file_of_sweep& s) {
  v.table({table_name, "the runs of `troupe sweep`; `troupe run` ignores it"}, s.sweep);
}

} // namespace

sweep_settings read_sweep_settings(const document& from, problems& found) {
  sweep_settings s;
  const auto* node = from.root().get(table_name);
  if (node == nullptr)
    return s;
  const auto* table = node->as_table();
  const std::string path(table_name);
  if (table == nullptr) {
    found.wrong(path, to_text(*node), "a table, as in [sweep]");
    return s;
  }
  reader in(*table, path, found);
  describe(in, s);
  in.know("vary");
  in.refuse_unknown();
  if (const auto* vary = table->get("vary"))
    s.vary = read_varied_settings(*vary, std::string(vary_path), found);
  return s;
}

sweep_settings read_sweep_settings(const std::filesystem::path& file,
                                   std::span<const std::string> overrides) {
  auto from = document::load(file);
  for (const auto& assignment : overrides)
    from.set(assignment);
  problems found(from);
  auto s = read_sweep_settings(from, found);
  found.throw_first();
  return s;
}

std::string sweep_reference() {
  file_of_sweep file;
  toml_writer out(toml_style::documented);
  describe(out, file);
  return out.text() + std::string(vary_example);
}

} // namespace troupe
