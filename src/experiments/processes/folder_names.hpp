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

  /// Returns the name of the next plan's folder: `name`, without what a folder's name had better
  /// not have, or "OTHERWISE-NUMBER" if that is too long, taken, or leads elsewhere.
  std::string next(const std::string& name);

private:
  std::string otherwise_;
  std::size_t number_ = 0;
  std::set<std::string> used_;
};

} // namespace troupe
