#include "policies/registry.hpp"
#include "settings/checks/check.hpp"
#include "settings/schema/allowed.hpp"
#include "settings/toml/toml_text.hpp"

#include <cmath>

namespace troupe {

namespace {

void check_group(const run_settings& s, const workload_settings& workload, const std::string& actor,
                 const std::string& prefix, problems& found) {
  const auto* kind = find_registered(plugin_kind::scheduler_actor, actor);
  if (kind == nullptr)
    return;
  if (!kind->probes) {
    if (s.sync.plan == sync_plan_kind::none)
      found.conflict("", "sync.plan", to_toml_value(s.sync.plan),
                     "partitioned, full or same, as scheduler.actor = \"" + actor +
                       "\" places tasks on a view",
                     {prefix + "scheduler.actor", "scheduler.actor", "architecture"});
    return;
  }
  if (s.sync.plan == sync_plan_kind::exclusive || s.sync.plan == sync_plan_kind::offers)
    found.conflict("", "sync.plan", to_toml_value(s.sync.plan),
                   "partitioned, full, same or none, as scheduler.actor = \"" + actor +
                     "\" leaves no machine to one scheduler alone",
                   {"scheduler.actor", "architecture"});
  if (workload.gang)
    found.conflict(prefix, "workload.gang", "true",
                   "false, as a scheduler that probes machines cannot start tasks together",
                   {"scheduler.actor", "architecture"});
  if (workload.array_limit > 0)
    found.conflict(prefix, "workload.array_limit", std::to_string(workload.array_limit),
                   "0, as a scheduler that probes machines sends probes for all tasks at once",
                   {"scheduler.actor", "architecture"});
  if (workload.kind == workload_kind::lublin)
    found.conflict(
      prefix, "workload.kind", "\"lublin\"",
      "another one, as its parallel jobs start together, which a scheduler that probes "
      "machines cannot do",
      {"scheduler.actor", "architecture"});
  if (workload.spread && s.sparrow.probing != probing::late_binding)
    found.conflict(prefix, "workload.spread", "true",
                   "false, or sparrow.probing = \"late-binding\", as no scheduler knows which "
                   "tasks in queues will run together",
                   {"sparrow.probing"});
}

/// Reports `n` schedulers, at `path`, that leave none for the short jobs.
void check_split(const run_settings& s, std::uint32_t n, const std::string& path, problems& found) {
  if (n <= s.hybrid.long_schedulers)
    found.conflict("", path, std::to_string(n),
                   "more than hybrid.long_schedulers, " + std::to_string(s.hybrid.long_schedulers) +
                     ": the rest of them is for the short jobs",
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
    const auto prefix = given ? "groups." + std::to_string(i) + "." : "";
    const auto& alike = s.pool > 0 ? s.scheduler : s.groups[i].scheduler;
    check_group(s, s.groups[i].workload, alike.actor, prefix, found);
    if (builtin_scheduler_of(alike.actor) != builtin_scheduler::hybrid)
      continue;
    hybrid = true;
    if (alike.own_share != sharing::none)
      found.conflict(s.pool > 0 ? "" : prefix, "scheduler.own_share",
                     to_toml_value(alike.own_share),
                     "none, as hybrid.reserved determines the partitions for long jobs",
                     {"scheduler.actor", "architecture"});
    if (s.pool > 0)
      check_split(s, s.pool, "pool", found);
    else
      check_split(s, s.groups[i].schedulers, prefix + "schedulers", found);
  }
  const auto partitions = static_cast<double>(s.cluster.partitions);
  if (hybrid && std::lround(partitions * s.hybrid.reserved) >= std::lround(partitions))
    found.conflict("", "hybrid.reserved", to_text(s.hybrid.reserved),
                   "a share that leaves one of the " + std::to_string(s.cluster.partitions) +
                     " partitions to the long jobs",
                   {"cluster.partitions"});
}

} // namespace troupe
