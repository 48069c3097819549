#include "settings/allowed.hpp"
#include "settings/check.hpp"

#include <cmath>

namespace troupe {

namespace {

void check_group(const run_settings& s, const group_settings& group, const std::string& prefix,
                 problems& found) {
  const auto& kind = group.scheduler.actor;
  if (kind == "placing")
    return;
  if (group.workload.gang)
    found.conflict(prefix, "workload.gang", "true",
                   "false: a scheduler that probes machines cannot start tasks together",
                   {"scheduler.actor", "architecture"});
  if (group.workload.spread && s.sparrow.probing != "late-binding")
    found.conflict(prefix, "workload.spread", "true",
                   "false, or sparrow.probing = \"late-binding\": where tasks are sent to queues "
                   "nobody knows which of them will run together",
                   {"sparrow.probing"});
  if (kind == "hybrid" && group.schedulers <= s.hybrid.long_schedulers)
    found.conflict("", prefix.empty() ? "schedulers" : prefix + "schedulers",
                   std::to_string(group.schedulers),
                   "more than hybrid.long_schedulers, " + std::to_string(s.hybrid.long_schedulers) +
                     ": the rest of the group is for the short jobs",
                   {"hybrid.long_schedulers", "architecture", "groups"});
}

} // namespace

void check_sparrow(const run_settings& s, problems& found) {
  if (s.sparrow.ratio_min > s.sparrow.ratio_max)
    found.conflict("", "sparrow.ratio_min", to_text(s.sparrow.ratio_min),
                   "at most sparrow.ratio_max, " + to_text(s.sparrow.ratio_max),
                   {"sparrow.ratio_max"});
  const bool given = found.document_has("groups.0");
  bool hybrid = false;
  for (std::size_t i = 0; i < s.groups.size(); ++i) {
    check_group(s, s.groups[i], given ? "groups." + std::to_string(i) + "." : "", found);
    hybrid = hybrid || s.groups[i].scheduler.actor == "hybrid";
  }
  const auto partitions = static_cast<double>(s.cluster.partitions);
  if (hybrid && std::lround(partitions * s.hybrid.reserved) >= std::lround(partitions))
    found.conflict("", "hybrid.reserved", to_text(s.hybrid.reserved),
                   "a share that leaves one of the " + std::to_string(s.cluster.partitions) +
                     " partitions to the long jobs",
                   {"cluster.partitions"});
}

} // namespace troupe
