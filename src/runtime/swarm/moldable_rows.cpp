#include "model/discipline/start_discipline.hpp"
#include "model/jobs/speedup.hpp"
#include "runtime/swarm/conditions.hpp"
#include "runtime/swarm/row_parts.hpp"

namespace troupe {

namespace {

/// Returns whether schedulers may choose widths.
bool may_choose(const swarm_picks& d) {
  return swarm_conditions::disciplined(d) && !d.has("workload.trace.think_times") &&
         !d.has("workload.stages") && !d.has("workload.array_limit");
}

bool chooses(const swarm_picks& d) {
  return d.has("scheduler.width");
}

bool scales_by(const swarm_picks& d, speedup_kind kind) {
  return d.is("workload.moldable.speedup", kind);
}

} // namespace

std::vector<swarm_row> moldable_rows() {
  using namespace swarm_conditions;
  return {
    {"scheduler.width", {"available", "earliest-finish"}, feature, may_choose},
    {"workload.moldable.share", {"0.5", "1"}, always, chooses},
    {"workload.moldable.speedup", {"linear", "amdahl", "downey"}, always, chooses},
    {"workload.moldable.min_width", {"0.1", "1"}, feature, chooses},
    {"workload.moldable.max_width", {"1", "2", "10"}, feature, chooses},
    {"workload.moldable.serial_fraction",
     {"0", "0.2", "1"},
     always,
     [](p d) { return scales_by(d, speedup_kind::amdahl); }},
    {"workload.moldable.parallelism",
     {"0.5", "1", "8"},
     always,
     [](p d) { return scales_by(d, speedup_kind::downey); }},
    {"workload.moldable.sigma",
     {"0", "0.5", "3"},
     always,
     [](p d) { return scales_by(d, speedup_kind::downey); }},
    // Gangs of tasks that last equally long.
    {"workload.gang", {"true"}, always, chooses},
    {"workload.duration_per_job", {"true"}, always, chooses},
  };
}

} // namespace troupe
