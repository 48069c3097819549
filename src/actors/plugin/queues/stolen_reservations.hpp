#pragma once

#include "actors/plugin/queues/reservation_names.hpp"
#include "model/protocol/sparrow_protocol.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace troupe {

/// A reservation on another machine than that on which the plugin has placed it.
struct stolen_reservation {
  reserved_group of; ///< as machines know it
  machine_id placed_on = 0;
  std::int32_t length_met = 0; ///< as in `queue_entry`
};

/// The reservations that machines have taken over from others, by the machine that has them.
class stolen_reservations {
public:
  /// Adds one. `is_over` says of a group of tasks whether its job is over; such reservations on the
  /// machine are forgotten.
  template <class IsOver>
  void add(machine_id machine, const stolen_reservation& what, IsOver is_over) {
    auto& there = on_[machine];
    std::erase_if(there, [&](const stolen_reservation& s) { return is_over(s.of); });
    there.push_back(what);
  }

  /// Forgets one whose machine asks for a task for it. Returns whether there was one.
  bool take(const get_task_request& request) {
    const auto here = on_.find(request.machine);
    if (here == on_.end())
      return false;
    auto& all = here->second;
    const auto it = std::ranges::find_if(all, [&](const stolen_reservation& s) {
      return s.of == reserved_group{request.job, request.group} && s.placed_on == request.placed_on;
    });
    if (it == all.end())
      return false;
    all.erase(it);
    if (all.empty())
      on_.erase(here);
    return true;
  }

  /// Takes out all that a machine has, in the order of their addition.
  std::vector<stolen_reservation> take_all(machine_id machine) {
    auto there = on_.extract(machine);
    return there ? std::move(there.mapped()) : std::vector<stolen_reservation>{};
  }

private:
  std::map<machine_id, std::vector<stolen_reservation>> on_;
};

} // namespace troupe
