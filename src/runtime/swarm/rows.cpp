#include "runtime/swarm/rows.hpp"

#include "runtime/swarm/conditions.hpp"
#include "runtime/swarm/row_parts.hpp"

namespace troupe {

std::span<const swarm_row> swarm_rows() {
  static const std::vector<swarm_row> rows = [] {
    std::vector<swarm_row> all;
    for (const auto part : {cluster_rows, scheduling_rows, workload_rows, failure_rows})
      for (auto& row : part())
        all.push_back(std::move(row));
    // what is recorded; the last row, so that it does not change what others draw
    all.push_back({"records", {"jobs", "tasks"}});
    all.push_back({"workload.job_metrics", {"true"}}); // likewise
    for (auto& row : parallel_rows())                  // likewise
      all.push_back(std::move(row));
    for (auto& row : moldable_rows()) // likewise
      all.push_back(std::move(row));
    all.push_back(
      {"chaos.growth", {"true"}, swarm_row::how::feature, swarm_conditions::may_grow}); // likewise
    return all;
  }();
  return rows;
}

} // namespace troupe
