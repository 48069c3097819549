#pragma once

#include <optional>
#include <string>
#include <utility>

namespace troupe {

/// The first violation that the parts of an audit find.
class first_violation {
public:
  void fail(const std::string& what) {
    if (!what_)
      what_ = what;
  }

  const std::optional<std::string>& found() const { return what_; }

  /// Returns it, and forgets it.
  std::optional<std::string> take() { return std::exchange(what_, std::nullopt); }

private:
  std::optional<std::string> what_;
};

} // namespace troupe
