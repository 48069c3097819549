#pragma once

#include "support/model_builders.hpp"

#include <utility>
#include <vector>

/// Clusters and jobs for tests of constraints and preferences.
namespace troupe::testing {

inline constexpr std::uint32_t hdd = 0;
inline constexpr std::uint32_t ssd = 1;

/// A slot machine for each entry of `kinds_of`, of kind hdd (generation 2016) or ssd (generation
/// 2020), with scores that fall from 1.
inline catalog disk_catalog(const std::vector<std::uint32_t>& kinds_of, std::uint32_t partitions,
                            std::int32_t slots, const std::vector<task_class>& classes = {}) {
  std::vector<machine_info> machines;
  for (auto kind : kinds_of)
    machines.push_back(
      {resources::of_slots(slots), 1.0 / static_cast<double>(1 + machines.size()), kind});
  return {std::move(machines),
          {{"old", {{"disk", "hdd"}, {"generation", "2016"}}},
           {"new", {{"disk", "ssd"}, {"generation", "2020"}}}},
          partitions,
          one_slot,
          classes};
}

/// A job of equal one-slot tasks that must run on machines which meet `text`.
inline job constrained_job(job_id id, std::uint32_t tasks, const char* text) {
  auto j = slot_job(id, tasks);
  j.groups[0].constraints.push_back(parse_constraint(text));
  return j;
}

/// A job of equal one-slot tasks that must be on separate machines.
inline job spread_job(job_id id, std::uint32_t tasks) {
  auto j = slot_job(id, tasks);
  j.spread = true;
  return j;
}

} // namespace troupe::testing
