#pragma once

#include "model/catalog.hpp"
#include "model/shunned_machines.hpp"

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

private:
  std::vector<std::uint8_t> has_;
};

/// Machines to be asked about one at a time.
using machine_set = std::unordered_set<machine_id>;

/// What a machine must pass beside having room: three sets, none of which it keeps. Where all are
/// absent every machine passes, at no cost.
struct machine_filter {
  const kind_set* kinds = nullptr;   ///< it is of one of these: they meet the task's constraints
  const machine_set* away = nullptr; ///< it is none of these: they hold tasks of the same job
  const shunned_machines* shunned = nullptr; ///< it is none of these: they are kept away from

  bool empty() const { return kinds == nullptr && away == nullptr && shunned == nullptr; }

  bool admits(const catalog& machines, machine_id m) const {
    return (kinds == nullptr || kinds->contains(machines.machine(m).kind)) &&
           (away == nullptr || !away->contains(m)) && (shunned == nullptr || !shunned->contains(m));
  }
};

} // namespace troupe
