#include "report/page/tables/settings_rows.hpp"

#include "report/json/toml_json.hpp"
#include "settings/toml/print.hpp"
#include "settings/toml/read.hpp"

#include <fmt/core.h>

#include <map>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;

/// The least that settings need: some work. It does not count as a default.
constexpr const char* some_work = "[[workload.phases]]\nlength = \"1s\"\nrate = 1\n";

std::string setting_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void flatten_settings(const json& value, const std::string& path,
                      std::map<std::string, std::string>& to) {
  if (value.is_object() && !value.empty())
    for (const auto& [key, part] : value.items())
      flatten_settings(part, path.empty() ? key : path + "." + key, to);
  else
    to[path] = setting_text(value);
}

std::map<std::string, std::string> defaults_for(const json& config) {
  std::map<std::string, std::string> out;
  const auto architecture = config.value("architecture", std::string{"parsync"});
  try {
    flatten_settings(
      json_of_toml(to_toml(parse_settings(
        fmt::format("architecture = \"{}\"\n{}", architecture, some_work), "defaults"))),
      "", out);
  } catch (const settings_error&) {
    flatten_settings(json_of_toml(to_toml(run_settings{})), "", out);
  }
  out.erase("workload.phases");
  return out;
}

} // namespace

html_table settings_table_of(std::span<const run_folder> runs) {
  html_table table{"", {"setting"}, {}, true};
  std::map<std::string, std::vector<std::string>> rows;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    table.header.push_back(runs[r].label);
    const auto defaults = defaults_for(runs[r].config);
    std::map<std::string, std::string> values;
    flatten_settings(runs[r].config, "", values);
    for (const auto& [key, value] : values) {
      const auto at = defaults.find(key);
      if (at != defaults.end() && at->second == value)
        continue;
      auto& row = rows[key];
      row.resize(runs.size() + 1, "default");
      row[0] = key;
      row[r + 1] = value;
    }
  }
  for (auto& [key, row] : rows)
    table.rows.push_back(std::move(row));
  return table;
}

} // namespace troupe
