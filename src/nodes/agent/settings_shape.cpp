#include "nodes/agent/settings_shape.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

namespace troupe {

namespace {

using flat_settings = std::map<std::string, std::string>;

constexpr const char* shaping_lists[] = {"cluster.classes", "groups", "task_classes", "tenants"};
constexpr std::string_view shaping_tables[] = {"cluster.", "hybrid.", "task_classes.", "tenants."};
constexpr std::string_view shaping_keys[] = {
  "architecture", "seed",        "schedulers",      "pool",
  "sync.plan",    "sync.groups", "scheduler.actor", "workload.kind"};
/// In each group.
constexpr std::string_view shaping_in_groups[] = {".name", ".schedulers", ".scheduler.actor",
                                                  ".workload.kind"};

bool is_of_the_shape(const std::string& key) {
  return std::ranges::find(shaping_keys, key) != std::end(shaping_keys) ||
         std::ranges::find(shaping_lists, key) != std::end(shaping_lists) ||
         std::ranges::any_of(shaping_tables, [&](auto t) { return key.starts_with(t); }) ||
         (key.starts_with("groups.") &&
          std::ranges::any_of(shaping_in_groups, [&](auto end) { return key.ends_with(end); }));
}

/// The values by key, "groups.0.name"; of lists of tables the number of elements.
flat_settings flatten(const std::string& toml) {
  flat_settings all;
  std::map<std::string, int> lengths;
  for (const auto* list : shaping_lists)
    lengths[list] = 0;
  std::string table;
  std::istringstream in{toml};
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("[[")) {
      const auto list = line.substr(2, line.find(']') - 2);
      table = list + '.' + std::to_string(lengths[list]++) + '.';
    } else if (line.starts_with('[')) {
      auto name = line.substr(1, line.find(']') - 1);
      const auto list = name.substr(0, name.find('.'));
      if (const auto n = lengths.find(list); n != lengths.end() && n->second > 0)
        name.insert(list.size(), '.' + std::to_string(n->second - 1));
      table = name + '.';
    } else if (const auto is = line.find(" = "); is != std::string::npos) {
      all[table + line.substr(0, is)] = line.substr(is + 3);
    }
  }
  for (const auto& [list, length] : lengths)
    all[list] = std::to_string(length) + (length == 1 ? " element" : " elements");
  return all;
}

} // namespace

std::string shape_difference(const std::string& here, const std::string& there) {
  constexpr std::size_t most_told = 5;
  const auto other = flatten(there);
  std::string text;
  std::size_t differences = 0;
  for (const auto& [key, value] : flatten(here)) {
    const auto it = other.find(key);
    if (it == other.end() || it->second == value || !is_of_the_shape(key) ||
        ++differences > most_told)
      continue;
    text +=
      (text.empty() ? "" : ", ") + key + " is " + value + " here and " + it->second + " there";
  }
  if (differences > most_told)
    text += ", and " + std::to_string(differences - most_told) + " more";
  return text;
}

} // namespace troupe
