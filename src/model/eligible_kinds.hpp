#pragma once

#include "model/machine_filter.hpp"

#include <map>
#include <span>
#include <vector>

namespace troupe {

/// Which kinds of machines meet a list of constraints, worked out once for each list.
class eligible_kinds {
public:
  /// `machines` must outlive this.
  explicit eligible_kinds(const catalog& machines) : machines_(&machines) {}

  /// Returns the kinds whose attributes meet all of the constraints. The set lives as long as this.
  const kind_set& of(const std::vector<constraint>& all);

  /// Returns whether an idle machine of one of these kinds has room for `demand`.
  bool any_holds(const kind_set& kinds, const resources& demand) const;

private:
  const catalog* machines_;
  std::map<std::vector<constraint>, kind_set> known_;
};

} // namespace troupe
