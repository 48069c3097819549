#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Where a setting was written.
struct place {
  std::string text;        ///< "FILE:LINE" or "--set x.y=value"
  std::uint64_t order = 0; ///< in the order of the file, then of the overrides
};

/// A settings file with overrides put over it, as TOML, that knows where each key came from. A path
/// names a key as in "groups.0.schedulers": keys and array indices, joined by dots.
///
/// A file that says `extends = "base.toml"`, a path relative to its own folder, is put over that
/// file: tables are merged key by key, anything else replaces what the base has. The key itself is
/// not part of the document.
class document {
public:
  /// Reads `file` and what it extends. Throws `settings_error` if a file cannot be read, is no TOML
  /// or extends itself.
  static document load(const std::filesystem::path& file);

  /// Takes `toml` for the text of a file called `name`. Throws `settings_error` as `load` does.
  document(std::string_view toml, std::string_view name);

  /// Puts `assignment`, "x.y=value", over what is there; "x.y+=value" adds to an array. Throws
  /// `settings_error` if it has no key or its path does not fit.
  void set(std::string_view assignment);

  const toml::table& root() const { return root_; }

  /// Returns whether the file or an override sets `path`.
  bool has(std::string_view path) const { return places_.contains(path); }

  /// Returns where `path` was set, or what is nearest around it.
  place find(std::string_view path) const;

  /// A text that a key of the top level had before something put over it replaced it.
  struct former {
    std::string key;
    std::string text;
    std::uint64_t layer = 0;
  };

  /// The texts that were replaced, in the order in which they were set.
  const std::vector<former>& formers() const { return formers_; }

  /// Numbers what is put over each other: each file of those that extend each other, the deepest
  /// first, then each override. What stands in one file is of one layer.
  static std::uint64_t layer_of(const place& where);

  /// Returns whether something was set by an override.
  static bool is_override(const place& where);

private:
  document(std::string_view toml, std::string_view name, std::vector<std::string> files);

  /// Returns the document that `file`, the value of `extends`, names.
  document base(const toml::node& file, const std::vector<std::string>& files) const;
  void put_over(document&& base);
  void merge(toml::table& into, toml::table&& from, const std::string& path);
  /// Returns how many elements the array at `path` has.
  std::size_t length_of(const std::string& path) const;
  void forget(const std::string& path);
  void keep_former(const std::string& key);
  void mark(const std::string& path, const toml::node& node, const place* all);

  std::string name_;
  std::uint64_t depth_ = 0; ///< number of files that this one extends, one by one
  toml::table root_;
  std::map<std::string, place, std::less<>> places_;
  std::vector<former> formers_;
  std::uint64_t overrides_ = 0;
};

/// Renders a value as TOML on one line, cut to a length that suits a message.
std::string to_text(const toml::node& node);

} // namespace troupe
