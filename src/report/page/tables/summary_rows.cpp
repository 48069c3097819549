#include "report/page/tables/summary_rows.hpp"

#include "report/results/host_part.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace troupe {

namespace {

using json = nlohmann::ordered_json;
using flat_rows = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const json& value) {
  if (value.is_string())
    return value.get<std::string>();
  if (value.is_null())
    return "-";
  if (value.is_number_unsigned())
    return count_text(value.get<std::uint64_t>());
  if (value.is_boolean())
    return value.get<bool>() ? "yes" : "no";
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Adds the values below `value`, each with its path. Elements of lists are named by their name,
/// else by their position from 1.
void flatten(const json& value, const std::string& path, flat_rows& to) {
  const auto below = [&path](const std::string& key) {
    return path.empty() ? key : path + "." + key;
  };
  if (value.is_object()) {
    for (const auto& [key, part] : value.items())
      flatten(part, below(key), to);
  } else if (value.is_array() && !value.empty() && value.front().is_object()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      flatten(value[i], below(value[i].value("name", std::to_string(i + 1))), to);
  } else {
    to.emplace_back(path, text_of(value));
  }
}

/// Returns a table with a column for each of some lists of values, joined by their paths.
html_table joined(const std::vector<std::string>& names, const std::vector<flat_rows>& columns) {
  html_table table{"", {""}, {}, false};
  table.header.insert(table.header.end(), names.begin(), names.end());
  std::map<std::string, std::size_t> places;
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (const auto& [path, value] : columns[c]) {
      const auto [at, is_new] = places.emplace(path, table.rows.size());
      if (is_new) {
        table.rows.push_back({path});
        table.rows.back().resize(names.size() + 1, "");
      }
      table.rows[at->second][c + 1] = value;
    }
  return table;
}

} // namespace

html_table summary_table_of(std::span<const run_folder> runs) {
  std::vector<std::string> names;
  std::vector<flat_rows> columns;
  for (const auto& run : runs) {
    auto rest = run.summary;
    for (const char* key : {"host", "checks", "phases", "groups"})
      rest.erase(key);
    names.push_back(run.label);
    flatten(rest, "", columns.emplace_back());
  }
  return joined(names, columns);
}

html_table parts_table_of(const run_folder& run, const char* parts) {
  std::vector<std::string> names;
  std::vector<flat_rows> columns;
  const bool phases = std::string_view(parts) == "phases";
  for (const auto& part : run.summary[parts]) {
    auto name = part.value(phases ? "group" : "name", std::string{});
    if (phases)
      name = fmt::format("{:.6g} to {:.6g} s, {}", part.value("from_s", 0.0),
                         part.value("to_s", 0.0), name);
    names.push_back(std::move(name));
    flatten(part, "", columns.emplace_back());
  }
  return joined(names, columns);
}

html_table checks_table_of(std::span<const run_folder> runs) {
  html_table table{"", {"self-check", "result", "figures"}, {}, true};
  if (runs.size() > 1)
    table.header.insert(table.header.begin(), "run");
  for (const auto& run : runs)
    for (const auto& check : run.summary["checks"]) {
      std::vector<std::string> row{check.value("name", std::string{}),
                                   check.value("passed", false) ? "PASS" : "FAIL",
                                   check.value("detail", std::string{})};
      if (runs.size() > 1)
        row.insert(row.begin(), run.label);
      table.rows.push_back(std::move(row));
    }
  return table;
}

namespace {

/// Returns what a run took of its host, as people read it.
flat_rows host_rows_of(const json& host) {
  flat_rows rows;
  const auto add = [&](const char* key, const char* name, auto text) {
    if (host.contains(key) && host[key].is_number())
      rows.emplace_back(name, text(host[key].get<double>()));
  };
  add("wall_seconds", "time, by the wall clock", seconds_text);
  add("cpu_seconds", "processor time", seconds_text);
  add("peak_memory_bytes", "memory at the most",
      [](double bytes) { return number_text(bytes / (1 << 20)) + " MiB"; });
  add("speed", "speed", [](double x) { return number_text(x) + " times real time"; });
  for (const auto& [key, name] :
       {std::pair{"tasks_per_second", "tasks placed"}, {"messages_per_second", "messages"}})
    add(key, name, [](double x) {
      return count_text(static_cast<std::uint64_t>(std::llround(std::max(x, 0.0)))) + " /s";
    });
  if (host.contains("version"))
    rows.emplace_back("troupe", text_of(host["version"]));
  return rows;
}

} // namespace

std::string host_html(std::span<const run_folder> runs, const html_table& more) {
  std::vector<std::string> names;
  std::vector<flat_rows> columns;
  for (const auto& run : runs) {
    names.push_back(run.label);
    columns.push_back(run.summary.contains("host") ? host_rows_of(run.summary["host"])
                                                   : flat_rows{});
  }
  return std::string(host_part_begin) + "<h2>Host</h2>\n" + to_html(joined(names, columns)) +
         (more.rows.empty() ? "" : to_html(more)) + std::string(host_part_end) + "\n";
}

} // namespace troupe
