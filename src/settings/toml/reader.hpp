#pragma once

#include "settings/checks/problems.hpp"
#include "settings/schema/fields.hpp"
#include "settings/toml/duration_text.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/toml_text.hpp"

#include <concepts>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The visitor that reads one table of a document into a struct. Values in the table replace those
/// in the struct; each value is checked by itself.
class reader {
public:
  /// Reads from `table`, which is at `path` in its document (empty for the root).
  reader(const toml::table& table, const std::string& path, problems& found)
    : table_(&table), path_(path), problems_(&found) {}

  template <class T>
  void field(const field_info& info, T& member) {
    if (const auto* node = get(info.name))
      read(*node, key_path(path_, info.name), info.values, member);
  }

  template <class T>
  void table(const field_info& info, T&& members) {
    if (const auto* node = get(info.name)) {
      const auto path = key_path(path_, info.name);
      if (const auto* inner = node->as_table())
        read_table(*inner, path, members);
      else
        problems_->wrong(path, to_text(*node), "a table, as in [" + path + "]");
    }
  }

  template <class T>
  void overlay(const field_info& info, T& members) {
    table(info, members);
  }

  template <class T>
  void list(const field_info& info, std::vector<T>& members, const T& element) {
    const auto* node = get(info.name);
    if (node == nullptr)
      return;
    const auto path = key_path(path_, info.name);
    const auto* array = node->as_array();
    if (array == nullptr || !(array->empty() || array->is_array_of_tables())) {
      problems_->wrong(path, to_text(*node), "an array of tables, as in [[" + path + "]]");
      return;
    }
    members.assign(array->size(), element);
    for (std::size_t i = 0; i < members.size(); ++i)
      read_table(*(*array)[i].as_table(), key_path(path, std::to_string(i)), members[i]);
  }

  /// Adds a key that other code has read, so that misspellings of it are also found.
  void know(std::string_view name) { known_.push_back(name); }

  /// Reports the keys that no call has read. Call it once, last.
  void refuse_unknown() const;

private:
  template <class T>
  void read_table(const toml::table& table, const std::string& path, T& members) {
    reader inner(table, path, *problems_);
    describe(inner, members);
    inner.refuse_unknown();
  }

  static std::string kind_and_range(std::string_view kind, const allowed& values);

  const toml::node* get(std::string_view name) {
    known_.push_back(name);
    return table_->get(name);
  }

  void read(const toml::node& node, const std::string& path, const allowed& values, bool& member);
  void read(const toml::node& node, const std::string& path, const allowed& values, double& member);
  void read(const toml::node& node, const std::string& path, const allowed& values,
            duration& member);
  void read(const toml::node& node, const std::string& path, const allowed& values,
            std::string& member);
  void read(const toml::node& node, const std::string& path, const allowed& values,
            std::vector<double>& member);
  void read(const toml::node& node, const std::string& path, const allowed& values,
            std::map<std::string, std::string>& member);
  void read(const toml::node& node, const std::string& path, const allowed& values,
            std::vector<std::string>& member);
  void read(const toml::node& node, const std::string& path, const allowed& values,
            std::map<std::string, double>& member);

  template <std::integral T>
  void read(const toml::node& node, const std::string& path, const allowed& values, T& member) {
    const auto* number = node.as_integer();
    if (number == nullptr || !values.contains(static_cast<double>(number->get())))
      problems_->wrong(path, to_text(node), kind_and_range("a whole number", values));
    else
      member = static_cast<T>(number->get());
  }

  template <choice Enum>
  void read(const toml::node& node, const std::string& path, const allowed& values, Enum& member) {
    std::string name;
    read(node, path, values, name);
    member = choice_named<Enum>(name).value_or(member);
  }

  template <choice Enum>
  void read(const toml::node& node, const std::string& path, const allowed& values,
            std::vector<Enum>& member) {
    std::vector<std::string> names;
    read(node, path, values, names);
    if (!node.is_array())
      return;
    member.clear();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto value = choice_named<Enum>(names[i]))
        member.push_back(*value);
      else
        problems_->wrong(key_path(path, std::to_string(i)),
                         to_toml_value(std::string_view(names[i])), one_of<Enum>().to_text());
  }

  const toml::table* table_;
  std::string path_;
  problems* problems_;
  std::vector<std::string_view> known_;
};

} // namespace troupe
