#include "settings/checks/check.hpp"
#include "settings/schema/allowed.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

void check_own_share(const run_settings& s, sharing own_share, const std::string& prefix,
                     problems& found) {
  if (own_share == sharing::hard && s.cluster.partitions < s.schedulers)
    found.conflict(prefix, "scheduler.own_share", to_toml_value(own_share),
                   "none or soft, as " + std::to_string(s.cluster.partitions) +
                     " partitions are too few for " + std::to_string(s.schedulers) +
                     " schedulers to have one each",
                   {"cluster.partitions", "architecture"});
  if (s.sync.plan == sync_plan_kind::exclusive && s.schedulers > 1 && own_share != sharing::hard)
    found.conflict(prefix, "scheduler.own_share", to_toml_value(own_share),
                   "hard, as sync.plan = \"exclusive\" lets no two schedulers place tasks on the "
                   "same machines",
                   {"sync.plan", "architecture"});
}

void check_preemption(const run_settings& s, const scheduler_settings& of,
                      const std::string& prefix, problems& found) {
  if (of.preemption &&
      (s.sync.plan == sync_plan_kind::offers || s.sync.plan == sync_plan_kind::none))
    found.conflict(prefix, "scheduler.preemption", "true",
                   "false, as sync.plan = \"" + to_string(s.sync.plan) +
                     "\" does not tell schedulers which tasks run on the machines",
                   {"sync.plan", "architecture"});
}

/// A discipline needs a scheduler that places tasks on a view of the machines.
void check_kills(const run_settings& s, const group_settings& group, const std::string& prefix,
                 problems& found) {
  const auto& of = s.pool > 0 ? s.scheduler : group.scheduler;
  if (!group.workload.kill_at_estimate)
    return;
  if (builtin_scheduler_of(of.actor) != builtin_scheduler::placing || s.runs_commands())
    found.conflict(prefix, "workload.kill_at_estimate", "true",
                   "false, or schedulers of the actor placing and emulated tasks: others do not "
                   "heed estimates",
                   {"architecture", prefix + "scheduler.actor"});
}

/// Schedulers that wait for each other's offers would do so for ever.
void check_hoarding(const run_settings& s, problems& found) {
  if (s.offers.hoard > 0 && s.offers.timeout == duration::zero())
    found.conflict("", "offers.hoard", to_text(s.offers.hoard),
                   "0, or an offers.timeout, without which schedulers that keep offers could wait "
                   "for each other for ever",
                   {"offers.timeout"});
}

void check_array(const run_settings& s, const group_settings& group, const std::string& prefix,
                 problems& found) {
  const auto& of = s.pool > 0 ? s.scheduler : group.scheduler;
  if (group.workload.array_limit > 0 && !builtin_scheduler_of(of.actor))
    found.conflict(prefix, "workload.array_limit", std::to_string(group.workload.array_limit),
                   "0, as schedulers from plugins do not heed it", {prefix + "scheduler.actor"});
}

/// Widths are chosen by a discipline.
void check_width(const run_settings& s, const group_settings& group, const std::string& prefix,
                 problems& found) {
  const auto& of = s.pool > 0 ? s.scheduler : group.scheduler;
  if (of.width == width_rule::requested)
    return;
  const auto at = s.pool > 0 ? "" : prefix;
  if (of.discipline == start_discipline::fit)
    found.conflict(at, "scheduler.width", to_toml_value(of.width),
                   "requested, or a scheduler.discipline other than fit, which chooses widths by "
                   "what it expects to be free",
                   {at + "scheduler.discipline", "architecture"});
  else if (group.workload.trace.think_times && group.workload.moldable.share > 0)
    found.conflict(at, "scheduler.width", to_toml_value(of.width),
                   "requested, as jobs with workload.trace.think_times wait for all tasks that "
                   "others have in the log",
                   {prefix + "workload.trace.think_times"});
  else if (s.runs_commands())
    found.conflict(at, "scheduler.width", to_toml_value(of.width),
                   "requested, as jobs of real commands have the width of their specification",
                   {"workload.kind"});
}

void check_discipline(const run_settings& s, const scheduler_settings& of,
                      const std::string& prefix, problems& found) {
  if (of.discipline == start_discipline::fit) {
    if (of.order != start_order::fcfs)
      found.conflict(
        prefix, "scheduler.order", to_toml_value(of.order),
        "fcfs, or a scheduler.discipline other than fit, which has no order of its own",
        {prefix + "scheduler.discipline"});
    return;
  }
  const auto has_views = [&] {
    return s.sync.plan != sync_plan_kind::offers && s.sync.plan != sync_plan_kind::none &&
           builtin_scheduler_of(of.actor) == builtin_scheduler::placing;
  };
  if (!has_views())
    found.conflict(prefix, "scheduler.discipline", to_toml_value(of.discipline),
                   "fit, or one of the architectures monolithic, static, parsync and statesync: "
                   "reservations need schedulers of the actor placing, with views of all machines "
                   "that they use",
                   {"architecture", "sync.plan", prefix + "scheduler.actor"});
  else if (of.preemption)
    found.conflict(prefix, "scheduler.preemption", "true",
                   "false, as scheduler.discipline = " + to_toml_value(of.discipline) +
                     " gives room by reservations",
                   {prefix + "scheduler.discipline"});
  else if (of.look_past > 0)
    found.conflict(prefix, "scheduler.look_past", std::to_string(of.look_past),
                   "0, as scheduler.discipline = " + to_toml_value(of.discipline) +
                     " says which tasks others may overtake",
                   {prefix + "scheduler.discipline"});
}

} // namespace

void check_sharing(const run_settings& s, problems& found) {
  if (s.pool > 0) {
    check_own_share(s, s.scheduler.own_share, "", found);
    check_preemption(s, s.scheduler, "", found);
    check_discipline(s, s.scheduler, "", found);
  } else {
    const bool given = found.document_has("groups.0");
    for (std::size_t i = 0; i < s.groups.size(); ++i) {
      const auto prefix = given ? "groups." + std::to_string(i) + "." : "";
      check_own_share(s, s.groups[i].scheduler.own_share, prefix, found);
      check_preemption(s, s.groups[i].scheduler, prefix, found);
      check_discipline(s, s.groups[i].scheduler, prefix, found);
    }
  }
  const bool given_groups = found.document_has("groups.0");
  for (std::size_t i = 0; i < s.groups.size(); ++i)
    for (const auto check : {check_kills, check_array, check_width})
      check(s, s.groups[i], given_groups ? "groups." + std::to_string(i) + "." : "", found);
  check_hoarding(s, found);
  const bool alone =
    s.sync.plan == sync_plan_kind::exclusive || s.sync.plan == sync_plan_kind::offers;
  if (alone && s.owner.detection == conflict_detection::coarse)
    found.conflict("", "owner.detection", to_toml_value(s.owner.detection),
                   "fine, as sync.plan = \"" + to_string(s.sync.plan) +
                     "\" leaves no conflicts to detect",
                   {"sync.plan", "architecture"});
}

} // namespace troupe
