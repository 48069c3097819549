#pragma once

#include "settings/document.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace troupe {

/// Collects what is wrong with a document and reports the problem that stands first in it.
class problems {
public:
  explicit problems(const document& from) : from_(&from) {}

  /// Says that `path`, as written, has the value `value` where `expected` would be right.
  void wrong(const std::string& path, const std::string& value, const std::string& expected);

  /// Says that what `path` names cannot be used; `why` is a sentence about it.
  void refuse(const std::string& path, const std::string& why);

  /// Says that `key` of `prefix` (empty, or "groups.N.") has `value` where `expected` would be
  /// right. The key may have been set in `prefix`, taken from the top level, or have its default;
  /// for the latter the message points at the first of `others` that was set.
  void conflict(const std::string& prefix, const std::string& key, const std::string& value,
                const std::string& expected, std::initializer_list<std::string> others = {});

  /// Says that `path` is no setting, with the nearest of `known` as a hint.
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
