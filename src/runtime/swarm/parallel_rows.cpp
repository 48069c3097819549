#include "runtime/swarm/conditions.hpp"
#include "runtime/swarm/row_parts.hpp"
#include "runtime/swarm/swarm_files.hpp"
#include "settings/schema/settings.hpp"

namespace troupe {

namespace {

bool may_be_parallel(const swarm_picks& d) {
  return swarm_conditions::only_places(d) && !d.has("workload.stages");
}

bool has_lublin(const swarm_picks& d) {
  return d.is("workload.kind", workload_kind::lublin);
}

bool has_log(const swarm_picks& d) {
  return d.is("workload.kind", workload_kind::trace);
}

bool hoards(const swarm_picks& d) {
  return swarm_conditions::offers(d) && d.has("offers.timeout");
}

bool may_be_arrays(const swarm_picks& d) {
  return may_be_parallel(d) && !d.has("workload.gang");
}

} // namespace

std::vector<swarm_row> parallel_rows() {
  using namespace swarm_conditions;
  return {
    // The model of Lublin and Feitelson, whose hours become seconds.
    {"workload.kind", {"lublin", "trace"}, feature, may_be_parallel},
    {"workload.jobs", {"10", "40", "90"}, always, has_lublin},
    {"workload.lublin.processors", {"2", "8", "24"}, always, has_lublin},
    {"workload.lublin.duration_factor",
     {"0.00002", "0.0001"},
     always,
     [](p d) { return has_lublin(d) && virtual_time(d); }},
    {"workload.lublin.duration_factor",
     {"0.000001"},
     always,
     [](p d) { return has_lublin(d) && real(d); }},
    {"workload.lublin.interarrival_factor", {"0.0001", "0.0005"}, always, has_lublin},
    {"workload.lublin.jobs", {"interactive", "all"}, feature, has_lublin},
    {"workload.lublin.time_of_day", {"3h", "10h"}, feature, has_lublin},

    // A log of sessions, in which jobs follow others.
    {"workload.file", {swarm_log()}, always, has_log},
    {"workload.trace.duration_speedup",
     {"1", "3"},
     always,
     [](p d) { return has_log(d) && virtual_time(d); }},
    {"workload.trace.speedup",
     {"1", "3"},
     always,
     [](p d) { return has_log(d) && virtual_time(d); }},
    {"workload.trace.duration_speedup", {"20"}, always, [](p d) { return has_log(d) && real(d); }},
    {"workload.trace.speedup", {"20"}, always, [](p d) { return has_log(d) && real(d); }},
    {"workload.trace.think_times", {"true"}, feature, has_log},
    {"workload.trace.processors", {"used"}, feature, has_log},
    {"workload.trace.gangs", {"false"}, feature, has_log},

    {"workload.array_limit", {"1", "2", "5"}, feature, may_be_arrays},
    {"cluster.windows",
     {swarm_windows("maintenance"), swarm_windows("one-machine"), swarm_windows("many")},
     feature,
     nullptr},
    {"cluster.windows", {swarm_windows("reserved")}, feature, tenants},
    {"offers.hoard", {"0.3", "1"}, feature, hoards},
  };
}

} // namespace troupe
