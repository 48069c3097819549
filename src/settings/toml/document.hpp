#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The place of a setting in the input.
struct place {
  std::string text;        ///< "FILE:LINE" or "--set x.y=value"
  std::uint64_t order = 0; ///< position in the file, then among the overrides
};

/// A settings file with overrides applied, as TOML, which records the origin of each key. A path
/// names a key as in "groups.0.schedulers": keys and array indices, joined by dots.
///
/// A file with `extends = "base.toml"`, a path relative to its own folder, extends that file:
/// tables are merged key by key, other values replace those of the base. The key itself is not part
/// of the document.
class document {
public:
  /// Reads `file` and the files that it extends. Throws `settings_error` if a file cannot be read,
  /// is not TOML or extends itself.
  static document load(const std::filesystem::path& file);

  /// Parses `toml` as the text of a file called `name`. Throws `settings_error` like `load`.
  document(std::string_view toml, std::string_view name);

  /// Applies `assignment`: "x.y=value" replaces a value, "x.y+=value" adds to an array. Throws
  /// `settings_error` if it has no key or its path does not fit.
  void set(std::string_view assignment);

  const toml::table& root() const { return root_; }

  /// Returns whether the file or an override sets `path`.
  bool has(std::string_view path) const { return places_.contains(path); }

  /// Returns where `path` was set, or else the nearest enclosing key.
  place find(std::string_view path) const;

  /// A text of a top-level key that a later file or override has replaced.
  struct former {
    std::string key;
    std::string text;
    std::uint64_t layer = 0;
  };

  /// The replaced texts, in the order in which they were set.
  const std::vector<former>& formers() const { return formers_; }

  /// Returns the number of a layer: each of the files that extend each other is one layer, the base
  /// first, then each override is one.
  static std::uint64_t layer_of(const place& where);

  /// Returns whether an override set the key at this place.
  static bool is_override(const place& where);

private:
  document(std::string_view toml, std::string_view name, std::vector<std::string> files);

  /// Returns the document of `file`, the value of `extends`.
  document base(const toml::node& file, const std::vector<std::string>& files) const;
  void put_over(document&& base);
  void merge(toml::table& into, toml::table&& from, const std::string& path);
  /// Returns the number of elements of the array at `path`.
  std::size_t length_of(const std::string& path) const;
  void forget(const std::string& path);
  void keep_former(const std::string& key);
  void mark(const std::string& path, const toml::node& node, const place* all);

  std::string name_;
  std::uint64_t depth_ = 0; ///< length of the chain of files that this one extends
  toml::table root_;
  std::map<std::string, place, std::less<>> places_;
  std::vector<former> formers_;
  std::uint64_t overrides_ = 0;
};

/// Renders a value as TOML on one line, cut to a length suitable for a message.
std::string to_text(const toml::node& node);

} // namespace troupe
