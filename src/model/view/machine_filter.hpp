#pragma once

#include "model/cluster/catalog.hpp"
#include "model/view/avoided_machines.hpp"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace troupe {

/// Some of the kinds of a catalog's machines.
class kind_set {
public:
  explicit kind_set(std::size_t kinds = 0) : has_(kinds) {}

  std::size_t kinds() const { return has_.size(); }
  bool contains(std::uint32_t kind) const { return has_[kind] != 0; }
  void add(std::uint32_t kind) { has_[kind] = 1; }
  void put(std::uint32_t kind, bool in) { has_[kind] = in; }

private:
  std::vector<std::uint8_t> has_;
};

/// Machines that are looked up one at a time.
using machine_set = std::unordered_set<machine_id>;

/// The conditions, apart from room, that a machine must meet: four sets, which the filter does not
/// own. If all are absent, every machine passes, at no cost.
struct machine_filter {
  /// Its kind must be one of these: they meet the task's constraints.
  const kind_set* kinds = nullptr;
  const machine_set* away = nullptr; ///< it must be none of these, which hold tasks of its job
  const avoided_machines* avoided = nullptr; ///< it must be none of these
  const open_classes* open = nullptr;        ///< it must be of one of these

  bool empty() const {
    return kinds == nullptr && away == nullptr && avoided == nullptr && open == nullptr;
  }

  bool admits(const catalog& machines, machine_id m) const {
    return (kinds == nullptr || kinds->contains(machines.machine(m).kind)) &&
           (away == nullptr || !away->contains(m)) &&
           (avoided == nullptr || !avoided->contains(m)) && (open == nullptr || open->contains(m));
  }
};

} // namespace troupe
