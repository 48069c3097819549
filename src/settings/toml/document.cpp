#include "settings/toml/document.hpp"

#include "settings/schema/allowed.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/read.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace troupe {

namespace {

constexpr std::uint64_t after_the_file = std::uint64_t{1} << 62;

constexpr std::uint64_t one_file = std::uint64_t{1} << 52;
constexpr std::size_t deepest = 100; ///< files that extend each other
constexpr std::string_view extends = "extends";
constexpr std::size_t most_parts = 100;            ///< of a key, joined by dots
constexpr std::uintmax_t largest_file = 64U << 20; ///< bytes

/// Returns where something stands in a file that extends `depth` others, which come before it.
place place_in(const std::string& file, const toml::source_position& at, std::uint64_t depth = 0) {
  return {file + ":" + std::to_string(at.line),
          depth * one_file + (std::uint64_t{at.line} << 20 | at.column)};
}

std::string real_path(const std::filesystem::path& file) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(file, error);
  return error ? file.string() : path.string();
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

/// Walks down from a table to the place of an override's value, creating missing tables.
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

/// Refuses a key with more parts than any setting has, for which the parser would nest tables until
/// the stack overflows. Counts the dots of one key.
void refuse_endless_keys(std::string_view toml, const std::string& name) {
  std::size_t line = 1;
  std::size_t dots = 0;
  bool in_comment = false;
  for (const char c : toml) {
    if (c == '\n') {
      ++line;
      in_comment = false;
    }
    in_comment = in_comment || c == '#';
    const bool in_key = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                        c == '.' || c == '"' || c == '\'' || c == ' ' || c == '\t';
    dots = in_key && !in_comment ? dots + (c == '.' ? 1 : 0) : 0;
    if (dots >= most_parts)
      throw settings_error(name + ":" + std::to_string(line) + ": a key of more than " +
                           std::to_string(most_parts) + " parts; expected a setting");
  }
}

/// Refuses files that have no end or would not fit into memory.
void refuse_what_is_no_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw settings_error(file.string() + ": is a directory; expected a settings file");
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    throw settings_error(file.string() +
                         ": is a pipe, a socket or a device; expected a settings file");
  const auto size = std::filesystem::file_size(file, error);
  if (!error && size > largest_file)
    throw settings_error(file.string() + ": has " + std::to_string(size) +
                         " bytes; expected a settings file, of at most " +
                         std::to_string(largest_file) + " bytes");
}

std::string text_of(const std::filesystem::path& file) {
  refuse_what_is_no_file(file);
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in && in.peek() != std::ifstream::traits_type::eof())
    text << in.rdbuf();
  if (!in.is_open() || in.bad() || text.bad())
    throw settings_error(file.string() + ": cannot be read; expected a settings file");
  return text.str();
}

/// An assignment as messages quote it. Of an address they show the scheme only: it may have a
/// password.
std::string shown(std::string_view assignment) {
  constexpr std::string_view address = "://";
  const auto at = assignment.find(address);
  return at == std::string_view::npos
           ? std::string{assignment}
           : std::string{assignment.substr(0, at + address.size())} + "...";
}

} // namespace

document document::load(const std::filesystem::path& file) {
  return {text_of(file), file.string()};
}

document::document(std::string_view toml, std::string_view name) : document(toml, name, {}) {}

document::document(std::string_view toml, std::string_view name, std::vector<std::string> files)
  : name_(name) {
  refuse_endless_keys(toml, name_);
  try {
    root_ = toml::parse(toml);
  } catch (const toml::parse_error& error) {
    throw settings_error(place_in(name_, error.source().begin).text +
                         ": not valid TOML: " + std::string(error.description()));
  }
  const auto* file = root_.get(extends);
  if (file == nullptr) {
    mark("", root_, nullptr);
    return;
  }
  files.push_back(real_path(name_));
  auto below = base(*file, files);
  root_.erase(extends);
  depth_ = below.depth_ + 1;
  mark("", root_, nullptr);
  put_over(std::move(below));
}

document document::base(const toml::node& file, const std::vector<std::string>& files) const {
  const auto refuse = [&](const std::string& expected) {
    throw settings_error(place_in(name_, file.source().begin).text + ": key 'extends': value " +
                         to_text(file) + "; expected " + expected);
  };
  const auto* text = file.as_string();
  if (text == nullptr || text->get().empty())
    refuse("the path of a settings file, as in \"base.toml\"");
  const auto path = std::filesystem::path(name_).parent_path() / text->get();
  if (std::ranges::find(files, real_path(path)) != files.end())
    refuse("a file that does not extend this one");
  if (files.size() > deepest)
    refuse("at most " + std::to_string(deepest) + " files, each extending the next");
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    refuse("a file, but there is no " + path.string());
  return {text_of(path), path.string(), files};
}

void document::put_over(document&& base) {
  auto own = std::move(root_);
  auto own_places = std::move(places_);
  root_ = std::move(base.root_);
  places_ = std::move(base.places_);
  formers_ = std::move(base.formers_);
  for (const auto& [key, value] : own)
    keep_former(std::string(key.str()));
  merge(root_, std::move(own), "");
  for (auto& [path, where] : own_places)
    places_[path] = std::move(where);
}

void document::merge(toml::table& into, toml::table&& from, const std::string& path) {
  for (auto&& [key, value] : from) {
    const auto inner = key_path(path, key.str());
    auto* there = into.get(key.str());
    if (there != nullptr && there->is_table() && value.is_table()) {
      merge(*there->as_table(), std::move(*value.as_table()), inner);
      continue;
    }
    forget(inner);
    value.visit([&](auto& node) { into.insert_or_assign(key, std::move(node)); });
  }
}

void document::forget(const std::string& path) {
  std::erase_if(places_, [&](const auto& entry) { return entry.first.starts_with(path + "."); });
}

void document::set(std::string_view assignment) {
  const auto equals = assignment.find('=');
  const place where{"--set " + shown(assignment), after_the_file + overrides_++};
  const bool appends =
    equals != std::string_view::npos && assignment.substr(0, equals).ends_with('+');
  const auto key = std::string(assignment.substr(0, appends ? equals - 1 : equals));
  const auto path = appends ? key_path(key, std::to_string(length_of(key))) : key;
  const auto parts = split(path);
  if (equals == std::string_view::npos || std::ranges::find(parts, "") != parts.end())
    throw settings_error(where.text + ": not an assignment; expected x.y=value");
  if (parts.size() > most_parts)
    throw settings_error("--set: a key of " + std::to_string(parts.size()) +
                         " parts; expected a setting, of at most " + std::to_string(most_parts));
  if (parts.front() == extends)
    throw settings_error(where.text + ": only a file can extend another one; " +
                         "expected a setting");
  const auto text = assignment.substr(equals + 1);
  auto parsed = parse_value(text);
  if (!parsed)
    parsed = parse_value(to_toml_value(text));
  if (!parsed)
    throw settings_error(where.text + ": the value is not UTF-8 text");

  if (parts.size() == 1)
    keep_former(path);
  descent down(root_, where.text);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    down.step(parts[i], as_index(parts[i + 1]).has_value());
  parsed->get("value")->visit([&](auto& node) { down.put(parts.back(), std::move(node)); });

  const auto& full = path;
  forget(full);
  for (auto dot = full.find('.'); dot != std::string::npos; dot = full.find('.', dot + 1))
    places_.try_emplace(full.substr(0, dot), where);
  mark(full, *down.child(parts.back()), &where);
}

void document::keep_former(const std::string& key) {
  if (const auto* text = root_.get_as<std::string>(key))
    formers_.push_back({key, text->get(), layer_of(find(key))});
}

std::uint64_t document::layer_of(const place& where) {
  return is_override(where) ? where.order : where.order / one_file;
}

bool document::is_override(const place& where) {
  return where.order >= after_the_file;
}

std::size_t document::length_of(const std::string& path) const {
  std::size_t n = 0;
  while (has(key_path(path, std::to_string(n))))
    ++n;
  return n;
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
    places_[path] = all != nullptr ? *all : place_in(name_, node.source().begin, depth_);
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
