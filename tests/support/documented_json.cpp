#include "support/documented_json.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace troupe::test {

namespace {

using path_of = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') + 1 - from);
}

path_of parts_of(std::string path) {
  path_of parts;
  if (path == ".")
    return parts;
  std::string part;
  const auto end = [&] {
    if (!part.empty())
      parts.push_back(part);
    part.clear();
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '.') {
      end();
    } else if (path[i] == '[') {
      end();
      parts.emplace_back("[]");
      ++i;
    } else {
      part += path[i];
    }
  }
  end();
  return parts;
}

std::string text_of(const path_of& path) {
  std::string text;
  for (const auto& part : path)
    text += (text.empty() || part == "[]" ? "" : ".") + part;
  return text;
}

std::string type_of(const nlohmann::json& value) {
  return value.is_string()           ? "text"
         : value.is_boolean()        ? "truth"
         : value.is_null()           ? "null"
         : value.is_number_integer() ? "whole"
         : value.is_number()         ? "number"
         : value.is_array()          ? "list"
                                     : "object";
}

/// Calls `visit` for all values that are no lists and no objects.
void for_each_leaf(const nlohmann::json& value, path_of& path,
                   const std::function<void(const path_of&, const nlohmann::json&)>& visit) {
  if (!value.is_structured()) {
    visit(path, value);
    return;
  }
  for (const auto& [name, inner] : value.items()) {
    path.push_back(value.is_array() ? "[]" : name);
    for_each_leaf(inner, path, visit);
    path.pop_back();
  }
}

/// Returns the objects in which a member is expected whose path is `path` without its last part,
/// and whether each of the parts before is there.
void collect(const nlohmann::json& value, const path_of& path, std::size_t from,
             std::vector<const nlohmann::json*>& found) {
  if (from == path.size()) {
    found.push_back(&value);
    return;
  }
  if (path[from] == "[]" || path[from] == "*") {
    if (value.is_structured())
      for (const auto& inner : value)
        collect(inner, path, from + 1, found);
  } else if (value.is_object() && value.contains(path[from])) {
    collect(value[path[from]], path, from + 1, found);
  }
}

} // namespace

documented_json::documented_json() {
  std::ifstream file{TROUPE_SOURCE_DIR "/docs/json.md"};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## "))
      sections_.push_back({line.substr(3), {}});
    else if (line.starts_with("| `") && !sections_.empty())
      sections_.back().rows.push_back(read_row(line));
  }
  if (sections_.empty())
    throw std::runtime_error{"docs/json.md has no sections"};
}

documented_json::row documented_json::read_row(const std::string& line) {
  std::istringstream cells{line.substr(1)};
  std::string member;
  std::string type;
  std::getline(cells, member, '|');
  std::getline(cells, type, '|');
  member = trimmed(member);
  row r;
  r.path = parts_of(member.substr(1, member.size() - 2)); // without the quotes
  r.optional = type.find(", optional") != std::string::npos;
  type = trimmed(type.substr(0, type.find(", optional")));
  for (std::size_t from = 0; from < type.size();) {
    const auto to = std::min(type.find(" or ", from), type.size());
    const auto one = type.substr(from, to - from);
    if (one.starts_with('['))
      r.section = one.substr(1, one.find(']') - 1);
    else
      r.types.push_back(one);
    from = to + 4;
  }
  return r;
}

const documented_json::section* documented_json::find(const std::string& name) const {
  const auto it = std::ranges::find(sections_, name, &section::name);
  return it == sections_.end() ? nullptr : &*it;
}

bool documented_json::admits(const section& as, const path_of& path, std::size_t from,
                             const nlohmann::json& value) const {
  for (const auto& r : as.rows) {
    if (r.path.size() > path.size() - from)
      continue;
    const bool fits =
      std::equal(r.path.begin(), r.path.end(), path.begin() + static_cast<std::ptrdiff_t>(from),
                 [](const std::string& documented, const std::string& there) {
                   return documented == "*" ? there != "[]" : documented == there;
                 });
    if (!fits)
      continue;
    const auto type = type_of(value);
    const bool whole_path = r.path.size() == path.size() - from;
    if (whole_path && std::ranges::any_of(r.types, [&](const std::string& t) {
          return t == type || (t == "number" && type == "whole");
        }))
      return true;
    if (!r.section.empty() && !whole_path)
      if (const auto* inner = find(r.section))
        if (admits(*inner, path, from + r.path.size(), value))
          return true;
  }
  return false;
}

void documented_json::check(const section& as, const nlohmann::json& value,
                            const std::string& where, std::vector<std::string>& faults) const {
  path_of path;
  for_each_leaf(value, path, [&](const path_of& at, const nlohmann::json& leaf) {
    if (!admits(as, at, 0, leaf))
      faults.push_back(where + text_of(at) + " is " + type_of(leaf) + ", which is not documented");
  });
  check_missing(as, value, where, faults);
}

void documented_json::check_missing(const section& as, const nlohmann::json& value,
                                    const std::string& where,
                                    std::vector<std::string>& faults) const {
  for (const auto& r : as.rows) {
    std::vector<const nlohmann::json*> found;
    if (!r.section.empty()) {
      const auto* inner = find(r.section);
      if (inner == nullptr) {
        faults.push_back(as.name + ": there is no section " + r.section);
        continue;
      }
      collect(value, r.path, 0, found);
      for (const auto* object : found)
        if (object->is_object())
          check_missing(*inner, *object, where + text_of(r.path) + '.', faults);
    }
    if (r.optional || r.path.empty() || r.path.back() == "[]" || r.path.back() == "*")
      continue;
    const path_of above(r.path.begin(), r.path.end() - 1);
    found.clear();
    collect(value, above, 0, found);
    const bool lists =
      std::ranges::find(above, "[]") != above.end() || std::ranges::find(above, "*") != above.end();
    if (found.empty() && !lists)
      faults.push_back(where + text_of(r.path) + " is missing");
    for (const auto* object : found)
      if (object->is_object() && !object->contains(r.path.back()))
        faults.push_back(where + text_of(r.path) + " is missing");
  }
}

std::vector<std::string> documented_json::faults(const std::string& name,
                                                 const nlohmann::json& output) const {
  const auto* as = find(name);
  if (as == nullptr || as->rows.empty())
    return {"docs/json.md has no section '" + name + "'"};
  std::vector<std::string> all;
  if (!output.is_object() || output.value("format", 0) != 1)
    return {"the output is no object with format 1"};
  auto members = output;
  members.erase("format");
  check(*as, members, "", all);
  std::ranges::sort(all);
  const auto doubles = std::ranges::unique(all);
  all.erase(doubles.begin(), doubles.end());
  return all;
}

} // namespace troupe::test
