#include "settings/document.hpp"

#include "settings/allowed.hpp"
#include "settings/key_path.hpp"
#include "settings/read.hpp"
#include "settings/toml_text.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace troupe {

namespace {

constexpr std::uint64_t after_the_file = std::uint64_t{1} << 62;

place place_in(const std::string& file, const toml::source_position& at) {
  return {file + ":" + std::to_string(at.line), std::uint64_t{at.line} << 24 | at.column};
}

/// Returns the table {"value": `text` as TOML}, or nothing if that is not one value.
std::optional<toml::table> parse_value(std::string_view text) {
  try {
    auto parsed = toml::parse("value = " + std::string(text));
    if (parsed.size() == 1)
      return parsed;
  } catch (const toml::parse_error&) {
  }
  return std::nullopt;
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto dot = path.find('.');
    parts.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos)
      return parts;
    path.remove_prefix(dot + 1);
  }
}

std::optional<std::size_t> as_index(std::string_view text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return index;
}

/// Walks down from a table to where an override puts its value, making what is missing.
class descent {
public:
  descent(toml::table& root, std::string where) : at_(&root), where_(std::move(where)) {}

  toml::node& step(std::string_view part, bool next_is_index) {
    path_ = key_path(path_, part);
    auto* found = child(part);
    if (found == nullptr) {
      if (next_is_index)
        put(part, toml::array{});
      else
        put(part, toml::table{});
      found = child(part);
    }
    if (!found->is_table() && !found->is_array())
      throw settings_error(where_ + ": key '" + path_ + "' is " + to_text(*found) +
                           "; expected a table or an array");
    return *(at_ = found);
  }

  toml::node* child(std::string_view part) {
    if (auto* table = at_->as_table())
      return table->get(part);
    auto& array = *at_->as_array();
    return array.get(index_in(array, part));
  }

  template <class Node>
  void put(std::string_view part, Node&& node) {
    if (auto* table = at_->as_table()) {
      table->insert_or_assign(part, std::forward<Node>(node));
      return;
    }
    auto& array = *at_->as_array();
    const auto index = index_in(array, part);
    if (index == array.size())
      array.push_back(std::forward<Node>(node));
    else
      array.replace(array.cbegin() + static_cast<std::ptrdiff_t>(index), std::forward<Node>(node));
  }

private:
  std::size_t index_in(const toml::array& array, std::string_view part) const {
    const auto index = as_index(part);
    if (!index || *index > array.size())
      throw settings_error(where_ + ": '" + std::string(part) + "' is no index of the array; " +
                           "expected 0 .. " + std::to_string(array.size()));
    return *index;
  }

  toml::node* at_;
  std::string where_;
  std::string path_;
};

} // namespace

document document::load(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw settings_error(file.string() + ": is a directory; expected a settings file");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in && in.peek() != std::ifstream::traits_type::eof())
    text << in.rdbuf();
  if (!in.is_open() || in.bad() || text.bad())
    throw settings_error(file.string() + ": cannot be read; expected a settings file");
  return {text.str(), file.string()};
}

document::document(std::string_view toml, std::string_view name) : name_(name) {
  try {
    root_ = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    throw settings_error(place_in(name_, error.source().begin).text +
                         ": not valid TOML: " + std::string(error.description()));
  }
  mark("", root_, nullptr);
}

void document::set(std::string_view assignment) {
  const auto equals = assignment.find('=');
  const place where{"--set " + std::string(assignment), after_the_file + overrides_++};
  const auto path = assignment.substr(0, equals);
  const auto parts = split(path);
  if (equals == std::string_view::npos || std::ranges::find(parts, "") != parts.end())
    throw settings_error(where.text + ": not an assignment; expected x.y=value");
  const auto text = assignment.substr(equals + 1);
  auto parsed = parse_value(text);
  if (!parsed)
    parsed = parse_value(to_toml_value(text));
  if (!parsed)
    throw settings_error(where.text + ": the value is not UTF-8 text");

  descent down(root_, where.text);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    down.step(parts[i], as_index(parts[i + 1]).has_value());
  parsed->get("value")->visit([&](auto& node) { down.put(parts.back(), std::move(node)); });

  const std::string full(path);
  std::erase_if(places_, [&](const auto& entry) { return entry.first.starts_with(full + "."); });
  for (auto dot = full.find('.'); dot != std::string::npos; dot = full.find('.', dot + 1))
    places_.try_emplace(full.substr(0, dot), where);
  mark(full, *down.child(parts.back()), &where);
}

place document::find(std::string_view path) const {
  for (;;) {
    if (const auto found = places_.find(path); found != places_.end())
      return found->second;
    const auto dot = path.rfind('.');
    if (dot == std::string_view::npos)
      return {name_, 0};
    path = path.substr(0, dot);
  }
}

void document::mark(const std::string& path, const toml::node& node, const place* all) {
  if (!path.empty())
    places_[path] = all != nullptr ? *all : place_in(name_, node.source().begin);
  if (const auto* table = node.as_table())
    for (const auto& [key, value] : *table)
      mark(key_path(path, key.str()), value, all);
  if (const auto* array = node.as_array())
    for (std::size_t i = 0; i < array->size(); ++i)
      mark(key_path(path, std::to_string(i)), (*array)[i], all);
}

std::string to_text(const toml::node& node) {
  if (node.is_table())
    return "a table";
  if (node.is_array_of_tables())
    return "an array of tables";
  if (const auto* number = node.as_floating_point()) {
    auto text = to_text(number->get());
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
  }
  std::ostringstream out;
  node.visit([&](const auto& value) {
    out << toml::toml_formatter{value, toml::format_flags::none};
  });
  auto text = out.str();
  std::ranges::replace(text, '\n', ' ');
  constexpr std::size_t longest = 60;
  if (text.size() > longest)
    text = text.substr(0, longest - 3) + "...";
  return text;
}

} // namespace troupe
