#pragma once

#include "settings/schema/fields.hpp"
#include "settings/toml/key_path.hpp"
#include "settings/toml/toml_text.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

enum class toml_style {
  plain,      ///< keys and values only
  documented, ///< with comments; an empty list shows one element, commented out
};

/// The visitor that renders settings as TOML.
class toml_writer {
public:
  explicit toml_writer(toml_style style) : style_(style) {}

  template <class T>
  void field(const field_info& info, T& member) {
    own_.push_back({std::string(info.name) + " = " + to_toml_value(member), comment_on(info)});
  }

  template <class T>
  void table(const field_info& info, T&& members) {
    section(info, "[", "]", [&] { describe(*this, members); });
  }

  template <class T>
  void overlay(const field_info& info, T& members) {
    if (style_ == toml_style::plain)
      table(info, members);
    else
      section(info, "[", "]", [] {});
  }

  template <class T>
  void list(const field_info& info, std::vector<T>& members, const T& element) {
    for (auto& member : members)
      section(info, "[[", "]]", [&] { describe(*this, member); });
    if (!members.empty())
      return;
    if (style_ == toml_style::documented) {
      auto example = element;
      const bool outer = std::exchange(commented_out_, true);
      section(info, "[[", "]]", [&] { describe(*this, example); });
      commented_out_ = outer;
    } else if (!path_.empty()) {
      own_.push_back({std::string(info.name) + " = []", ""});
    }
  }

  /// Returns the complete text.
  std::string text() const { return own_text() + nested_; }

private:
  struct line {
    std::string code;
    std::string comment;
  };

  /// Writes a table whose keys and inner tables `body` shows to this visitor.
  template <class Body>
  void section(const field_info& info, std::string_view open, std::string_view close,
               const Body& body) {
    const auto outer_path = std::exchange(path_, key_path(path_, info.name));
    const auto outer_own = std::exchange(own_, {});
    const auto outer_nested = std::exchange(nested_, {});
    body();
    std::string header(open);
    header += path_;
    header += close;
    nested_ = outer_nested + '\n' + header_text(header, info) + text();
    own_ = outer_own;
    path_ = outer_path;
  }

  std::string comment_on(const field_info& info) const;
  std::string header_text(const std::string& header, const field_info& info) const;
  std::string own_text() const;

  toml_style style_;
  bool commented_out_ = false;
  std::string path_;
  std::vector<line> own_; ///< the keys of the table at `path_`
  std::string nested_;    ///< the tables in it, which TOML requires after its keys
};

} // namespace troupe
