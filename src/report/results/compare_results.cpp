#include "report/results/compare_results.hpp"

#include "report/json/parse_json.hpp"
#include "report/results/host_part.hpp"
#include "report/results/results_directory.hpp"
#include "report/results/results_format.hpp"
#include "report/text/text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace troupe {

namespace {

namespace fs = std::filesystem;

using json = nlohmann::ordered_json;

constexpr std::size_t shown_width = 60;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in)
    throw std::runtime_error("cannot read " + path.string());
  return text;
}

std::set<std::string> files_in(const fs::path& directory) {
  std::set<std::string> names;
  std::error_code failure;
  fs::directory_iterator it(directory, failure);
  for (; !failure && it != fs::directory_iterator(); it.increment(failure))
    names.insert(it->path().filename().string());
  if (failure || !names.contains(std::string(results_directory::summary_name)))
    throw std::runtime_error("there are no results of a run in " + directory.string() + ": " +
                             (failure ? failure.message() : "it has no summary.json"));
  return names;
}

std::string shown(std::string_view text) {
  return fmt::format("\"{}\"", fit(text, shown_width));
}

std::string shown(const json& value) {
  return fit(value.dump(-1, ' ', false, json::error_handler_t::replace), shown_width);
}

std::string pointer_to(const std::string& where, std::string key) {
  for (std::size_t i = 0; i < key.size(); ++i)
    if (key[i] == '~' || key[i] == '/')
      key.replace(i, 1, key[i] == '~' ? "~0" : "~1");
  return where + "/" + key;
}

std::optional<results_difference> compare(const json& a, const json& b, const std::string& where) {
  constexpr auto summary = results_directory::summary_name;
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, value] : a.items()) {
      const auto place = pointer_to(where, key);
      if (!b.contains(key))
        return results_difference{std::string(summary), place, shown(value), "nothing"};
      if (auto found = compare(value, b[key], place))
        return found;
    }
    for (const auto& [key, value] : b.items())
      if (!a.contains(key))
        return results_difference{std::string(summary), pointer_to(where, key), "nothing",
                                  shown(value)};
    return {};
  }
  if (a.is_array() && b.is_array()) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const auto place = where + "/" + std::to_string(i);
      if (i >= a.size() || i >= b.size())
        return results_difference{std::string(summary), place,
                                  i < a.size() ? shown(a[i]) : "nothing",
                                  i < b.size() ? shown(b[i]) : "nothing"};
      if (auto found = compare(a[i], b[i], place))
        return found;
    }
    return {};
  }
  if (a.dump() == b.dump())
    return {};
  return results_difference{std::string(summary), where, shown(a), shown(b)};
}

/// Takes the next line off `text`, its end included.
std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end == std::string_view::npos ? end : end + 1);
  text.remove_prefix(line.size());
  return line;
}

std::optional<results_difference> compare_text(const std::string& file, std::string_view a,
                                               std::string_view b) {
  for (std::size_t number = 1; !a.empty() || !b.empty(); ++number) {
    const auto no_a = a.empty();
    const auto no_b = b.empty();
    const auto line_a = next_line(a);
    const auto line_b = next_line(b);
    if (line_a != line_b)
      return results_difference{file, "line " + std::to_string(number),
                                no_a ? "nothing" : shown(line_a), no_b ? "nothing" : shown(line_b)};
  }
  return {};
}

std::optional<results_difference> compare_summary(const fs::path& first, const fs::path& second) {
  const auto parse = [](const fs::path& path) {
    auto value = parse_json(read(path));
    if (!value.is_object())
      throw std::runtime_error(path.string() + " is not the summary of a run");
    check_results_format(path, value);
    value.erase("host");
    return value;
  };
  const auto a = parse(first);
  const auto b = parse(second);
  if (auto found = compare(a, b, ""))
    return found;
  return compare_text(first.filename().string(), a.dump(2), b.dump(2));
}

} // namespace

std::string to_string(const results_difference& d) {
  return d.file + (d.place.empty() ? "" : ", " + d.place) + ": " + d.first + " in the first, " +
         d.second + " in the second";
}

std::vector<results_difference> compare_results(const fs::path& first, const fs::path& second) {
  const auto in_first = files_in(first);
  const auto in_second = files_in(second);
  auto names = in_first;
  names.insert(in_second.begin(), in_second.end());
  std::vector<results_difference> differences;
  for (const auto& name : names) {
    std::optional<results_difference> found;
    const bool is_page = name == results_directory::report_name;
    if (is_page && in_first.contains(name) != in_second.contains(name))
      continue; // it shows only what the other files hold
    if (!in_first.contains(name) || !in_second.contains(name))
      found = results_difference{name, "", in_first.contains(name) ? "there" : "missing",
                                 in_second.contains(name) ? "there" : "missing"};
    else if (name == results_directory::summary_name)
      found = compare_summary(first / name, second / name);
    else if (is_page)
      found = compare_text(name, without_host_part(read(first / name)),
                           without_host_part(read(second / name)));
    else
      found = compare_text(name, read(first / name), read(second / name));
    if (found)
      differences.push_back(*found);
  }
  return differences;
}

} // namespace troupe
