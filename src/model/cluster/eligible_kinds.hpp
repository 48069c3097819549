#pragma once

#include "model/view/machine_filter.hpp"

#include <map>
#include <span>
#include <vector>

namespace troupe {

/// Finds the kinds of machines that meet a list of constraints, once for each list, and whether
/// they have room for a demand. In a cluster that grows, `catch_up` brings all sets up to date.
class eligible_kinds {
public:
  /// `machines` must outlive this. If `within` names partitions, only their machines count.
  explicit eligible_kinds(const catalog& machines, std::span<const partition_id> within = {});

  /// Takes note of machines that have joined. Returns the version of the known machines, which
  /// rises with each change; 0 in a cluster that does not grow.
  std::uint64_t catch_up() {
    const auto& growth = machines_->growth();
    if (growth && growth->version() != version_)
      evaluate_changes();
    return version_;
  }

  /// Returns the kinds whose attributes meet all constraints. The set stays valid as long as this.
  const kind_set& of(const std::vector<constraint>& all);

  /// Returns whether an idle machine of one of these kinds has room for `demand`.
  bool any_holds(const kind_set& kinds, const resources& demand) const;

  /// The same for machines of all kinds.
  bool any_holds(const resources& demand) const;

private:
  void evaluate_changes();
  bool holds(std::uint32_t kind, const resources& demand) const;

  const catalog* machines_;
  std::vector<std::vector<resources>> capacities_; ///< by kind; empty: those of the catalog
  std::map<std::vector<constraint>, kind_set> known_;
  std::uint64_t version_ = 0;
};

} // namespace troupe
