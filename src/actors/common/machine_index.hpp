#pragma once

#include "model/base/ids.hpp"

#include <caf/actor_addr.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// Finds the number of a machine by the id of its actor.
class machine_index {
public:
  void reserve(std::size_t machines) { all_.reserve(machines); }
  void add(caf::actor_id actor, machine_id machine) {
    sorted_ = sorted_ && (all_.empty() || all_.back().first < actor);
    all_.emplace_back(actor, machine);
  }

  /// Returns nothing for an actor that was not added.
  std::optional<machine_id> find(caf::actor_id actor) {
    if (!std::exchange(sorted_, true)) // machines usually are spawned in order
      std::ranges::sort(all_);
    const auto it = std::ranges::lower_bound(all_, actor, {}, &entry::first);
    return it != all_.end() && it->first == actor ? std::optional{it->second} : std::nullopt;
  }

private:
  using entry = std::pair<caf::actor_id, machine_id>;

  std::vector<entry> all_;
  bool sorted_ = true;
};

} // namespace troupe
