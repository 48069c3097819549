#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

namespace troupe {

/// Names for the folders of plans, each used once.
class folder_names {
public:
  /// A plan whose name cannot be that of a folder gets `otherwise` and its number.
  explicit folder_names(std::string otherwise) : otherwise_(std::move(otherwise)) {}

  /// Keeps `name` for a folder that is named so elsewhere.
  void reserve(const std::string& name) { used_.insert(name); }

  /// Returns the name of the next plan's folder: `name`, without characters that do not suit a
  /// folder's name, or "OTHERWISE-NUMBER" if the result is too long, taken, or leads to another
  /// folder.
  std::string next(const std::string& name);

private:
  std::string otherwise_;
  std::size_t number_ = 0;
  std::set<std::string> used_;
};

} // namespace troupe
