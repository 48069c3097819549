#include "settings/schema/varied_setting.hpp"

#include "settings/schema/value_range.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

varied_value bare_value(const std::string& key, const std::string& text) {
  return {text, key + "=" + text};
}

void add_range(const std::string& key, const value_range& range,
               std::vector<varied_value>& values) {
  for (const auto& text : values_of(range))
    values.push_back(bare_value(key, text));
}

/// Returns a value that occurs twice, or null.
const varied_value* twice(const std::vector<varied_value>& values) {
  std::set<std::string_view> seen;
  for (const auto& value : values)
    if (!seen.insert(value.text).second)
      return &value;
  return nullptr;
}

/// Reads the table of varied settings, in the order of the file.
class table_reader {
public:
  explicit table_reader(problems& found) : problems_(&found) {}

  std::vector<varied_setting> read(const toml::node& node, const std::string& path) {
    const auto* table = node.as_table();
    if (table == nullptr)
      problems_->wrong(path, to_text(node), "a table, as in { \"sync.gap\" = [\"1s\", \"2s\"] }");
    else
      walk(*table, path, "");
    std::ranges::stable_sort(found_, {}, &entry::at);
    std::vector<varied_setting> all;
    for (auto& e : found_)
      all.push_back(std::move(e.setting));
    return all;
  }

private:
  struct entry {
    std::pair<std::uint32_t, std::uint32_t> at; ///< line and column
    varied_setting setting;
  };

  void walk(const toml::table& table, const std::string& path, const std::string& key) {
    for (const auto& [name, value] : table) {
      const auto inner = key_path(key, name.str());
      const auto where = key_path(path, name.str());
      const auto& begin = value.source().begin;
      entry e{{begin.line, begin.column}, {inner, {}}};
      if (const auto* more = value.as_table()) {
        walk(*more, where, inner);
        continue;
      }
      if (const auto* array = value.as_array(); array != nullptr && !array->empty())
        for (std::size_t i = 0; i < array->size(); ++i)
          add((*array)[i], key_path(where, std::to_string(i)), e.setting);
      else if (const auto* text = value.as_string(); text != nullptr && is_range(text->get()))
        add(value, where, e.setting);
      else
        problems_->wrong(where, to_text(value), "a list of values, as in [5, 10, 20]");
      if (const auto* value_again = twice(e.setting.values))
        problems_->wrong(where, value_again->text, "each value once");
      found_.push_back(std::move(e));
    }
  }

  static bool is_range(const std::string& text) try {
    return parse_range(text).has_value();
  } catch (const std::invalid_argument&) {
    return true;
  }

  void add(const toml::node& value, const std::string& path, varied_setting& setting) {
    const auto* text = value.as_string();
    if (value.is_table() || value.is_array()) {
      problems_->wrong(path, to_text(value), "a number or a text");
    } else if (text == nullptr) {
      setting.values.push_back(bare_value(setting.key, to_text(value)));
    } else {
      try {
        if (const auto range = parse_range(text->get()))
          add_range(setting.key, *range, setting.values);
        else
          setting.values.push_back(
            {text->get(), setting.key + "=" + to_toml_value(std::string_view(text->get()))});
      } catch (const std::invalid_argument& right) {
        problems_->wrong(path, to_text(value), std::string("a range, but ") + right.what());
      }
    }
  }

  problems* problems_;
  std::vector<entry> found_;
};

} // namespace

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

varied_setting parse_varied_setting(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    throw std::invalid_argument("'" + std::string(text) +
                                "': expected a setting with its values, as in "
                                "sync.gap=500ms,1s or schedulers=1..10");
  varied_setting setting{std::string(text.substr(0, equals)), {}};
  for (const auto& part : split_at_commas(text.substr(equals + 1))) {
    if (part.empty())
      throw std::invalid_argument("'" + std::string(text) +
                                  "': expected a value between any two commas");
    if (const auto range = parse_range(part))
      add_range(setting.key, *range, setting.values);
    else
      setting.values.push_back(bare_value(setting.key, part));
  }
  if (const auto* again = twice(setting.values))
    throw std::invalid_argument("'" + std::string(text) + "': " + again->text +
                                " is there twice; expected each value once");
  return setting;
}

std::vector<varied_setting> read_varied_settings(const toml::node& node, const std::string& path,
                                                 problems& found) {
  return table_reader(found).read(node, path);
}

} // namespace troupe
