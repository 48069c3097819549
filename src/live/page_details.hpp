#pragma once

#include "model/live/live_state.hpp"

#include <cstddef>
#include <string>

namespace troupe {

/// Limits of the live page, which hold for clusters of any size. The page says which parts it
/// leaves out.
struct page_limits {
  std::size_t schedulers = 50; ///< those with the longest queues
  std::size_t owners = 50;     ///< those that are not up first
  std::size_t nodes = 100;
  std::size_t cells = 1000; ///< of the heat map: neighbouring partitions share one
};

/// Renders the members and the partitions as of the last sample, in JSON: docs/openapi.json
/// describes it under `Details`.
std::string page_details(const live_state& state, const page_limits& limits = {});

/// Renders the age of each cell of the heat map in the view of one scheduler, in s:
/// "[0.1,null,..]". Empty if there is no such scheduler.
std::string ages_of(const live_state& state, std::size_t scheduler, const page_limits& limits = {});

} // namespace troupe
