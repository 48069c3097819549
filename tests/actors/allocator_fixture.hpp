#pragma once

#include "actors/offers/allocator_core.hpp"
#include "support/model_builders.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace troupe::testing {

using namespace std::chrono_literals;

inline const auto two_slots = resources::of_slots(2);

/// Four machines of two slots, in two partitions of owners 0 and 1; two frameworks, each a group.
struct allocator_core_fixture {
  catalog machines = even_catalog(4, 2, 2);
  offer_rules rules{.filter = 5s, .timeout = 0s, .whole = false};

  allocator_core make() const { return {machines, {1, 1}, {0, 1}, rules}; }

  static offer_answer answer(scheduler_id f, offer_id first, offer_id last,
                             std::vector<machine_amount> used = {}) {
    return {f, first, last, std::move(used), {}};
  }
};

inline std::vector<machine_id> machines_of(const resource_offer& offer) {
  std::vector<machine_id> out;
  for (const auto& m : offer.machines)
    out.push_back(m.machine);
  return out;
}

} // namespace troupe::testing
