#pragma once

#include "settings/toml/document.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace troupe {

/// Collects the problems of a document and reports the first in the order of the document.
class problems {
public:
  explicit problems(const document& from) : from_(&from) {}

  /// Reports that `path`, as written, has the value `value` instead of `expected`.
  void wrong(const std::string& path, const std::string& value, const std::string& expected);

  /// Reports that the object that `path` names is unusable; `why` is a sentence with the reason.
  void refuse(const std::string& path, const std::string& why);

  /// Reports that `key` of `prefix` (empty, or "groups.N.") has `value` instead of `expected`. The
  /// key may have been set in `prefix`, taken from the top level, or have its default; in the last
  /// case the message refers to the first of `others` that was set.
  void conflict(const std::string& prefix, const std::string& key, const std::string& value,
                const std::string& expected, std::initializer_list<std::string> others = {});

  /// Reports that `path` is not a setting, with the nearest of `known` as a hint.
  void unknown(const std::string& path, std::span<const std::string_view> known);

  /// Returns whether the document sets `path`.
  bool document_has(std::string_view path) const { return from_->has(path); }

  const document& from() const { return *from_; }

  /// Throws `settings_error` for the first problem, if there is one.
  void throw_first() const;

private:
  void add(const place& where, const std::string& text);

  const document* from_;
  std::optional<place> first_;
  std::string message_;
};

} // namespace troupe
