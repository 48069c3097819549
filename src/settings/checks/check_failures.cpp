#include "settings/checks/check.hpp"
#include "settings/checks/member_pattern.hpp"
#include "settings/schema/think_times.hpp"
#include "settings/toml/toml_text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

namespace troupe {

namespace {

/// Returns whether `name` is "role.N" with N < count.
bool is_one_of(std::string_view name, role what, std::uint32_t count) {
  const auto prefix = name_of(what);
  if (!name.starts_with(prefix) || name.size() < prefix.size() + 2 || name[prefix.size()] != '.')
    return false;
  std::uint32_t number = 0;
  const auto* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + prefix.size() + 1, end, number);
  return error == std::errc{} && stop == end && number < count;
}

/// Where all schedulers probe machines there are no owners.
bool has_owners(const run_settings& s) {
  const auto probes = [](const scheduler_settings& of) {
    return builtin_scheduler_of(of.actor) == builtin_scheduler::sparrow;
  };
  return s.pool > 0 ? !probes(s.scheduler)
                    : !std::ranges::all_of(s.groups, probes, &group_settings::scheduler);
}

/// The number of machines that settings may name: all where a trace has them, which is read later.
std::uint32_t machines_of(const run_settings& s) {
  return s.cluster.trace.file.empty() ? s.cluster.machines
                                      : std::numeric_limits<std::uint32_t>::max();
}

std::string machines_text(const run_settings& s) {
  return s.cluster.trace.file.empty()
           ? "machine.N with N from 0 to " + std::to_string(s.cluster.machines - 1)
           : "machine.N";
}

bool names_member(std::string_view name, const run_settings& s) {
  return name == name_of(role::master) ||
         (name == name_of(role::allocator) && s.sync.plan == sync_plan_kind::offers) ||
         is_one_of(name, role::machine, machines_of(s)) ||
         is_one_of(name, role::owner, has_owners(s) ? s.cluster.owners : 0) ||
         is_one_of(name, role::scheduler, s.schedulers);
}

std::string members_text(const run_settings& s) {
  return "master, " + machines_text(s) +
         (has_owners(s) ? ", owner.N with N from 0 to " + std::to_string(s.cluster.owners - 1)
                        : std::string{}) +
         ", scheduler.N with N from 0 to " + std::to_string(s.schedulers - 1);
}

/// Returns whether a pattern for the sides of a link matches some member.
bool matches_some_member(std::string_view pattern, const run_settings& s) {
  const auto any_of = [&](role what, std::uint32_t count) {
    const bool replaced = what == role::owner || what == role::scheduler;
    return may_match_member(pattern, name_of(what), count, replaced);
  };
  return matches_name(pattern, name_of(role::master)) ||
         (s.sync.plan == sync_plan_kind::offers &&
          matches_name(pattern, name_of(role::allocator))) ||
         any_of(role::machine, machines_of(s)) ||
         any_of(role::owner, has_owners(s) ? s.cluster.owners : 0) ||
         any_of(role::scheduler, s.schedulers) ||
         any_of(role::workload, static_cast<std::uint32_t>(s.groups.size()));
}

void check_timed(const run_settings& s, problems& found) {
  for (std::size_t i = 0; i < s.faults.at.size(); ++i) {
    const auto& f = s.faults.at[i];
    const auto path = "faults.at." + std::to_string(i) + ".";
    const auto check_side = [&](const std::string& side, const char* key) {
      const bool pattern = side.find('*') != std::string::npos;
      const bool known =
        pattern ? matches_some_member(side, s)
                : names_member(side, s) ||
                    is_one_of(side, role::workload, static_cast<std::uint32_t>(s.groups.size()));
      if (!known)
        found.conflict("", path + key, to_toml_value(side),
                       members_text(s) + ", workload.N, or a pattern with * that matches one");
    };
    if (of_network(f.kind)) {
      check_side(f.target, "target");
      check_side(f.other, "other");
    } else if (f.kind == fault_kind::drain && !is_one_of(f.target, role::machine, machines_of(s))) {
      found.conflict("", path + "target", to_toml_value(f.target),
                     machines_text(s) + ", which alone can be drained");
    } else if (!names_member(f.target, s)) {
      found.conflict("", path + "target", to_toml_value(f.target), members_text(s));
    }
  }
}

/// Machines that join and leave neither fail otherwise nor come from a trace.
void check_growth(const run_settings& s, problems& found) {
  const auto refuse = [&](const std::string& because, const std::string& why) {
    found.conflict("", "chaos.growth", "true", "false, as " + why, {because});
  };
  if (!s.cluster.trace.file.empty())
    refuse("cluster.trace.file", "the machines of a trace are known from the beginning");
  if (!s.task_classes.empty())
    refuse("task_classes", "classes of tasks need machines that are known from the beginning");
  const auto is_machine = [](const auto& f) {
    return !of_network(f.kind) && std::string_view{f.target}.starts_with(name_of(role::machine));
  };
  if (std::ranges::any_of(s.faults.at, is_machine))
    refuse("faults.at", "[faults] has failures of machines");
  if (std::ranges::any_of(s.faults.random, [](const auto& f) { return f.role == role::machine; }))
    refuse("faults.random", "[faults] has failures of machines");
  if (!s.faults.trace.empty())
    refuse("faults.trace", "a trace of failures may have some of machines");
}

} // namespace

void check_failures(const run_settings& s, problems& found) {
  const auto& f = s.failures;
  if (f.timeout <= 2 * f.heartbeat)
    found.conflict("", "failures.timeout", to_toml_value(f.timeout),
                   "more than twice failures.heartbeat, " + to_toml_value(f.heartbeat),
                   {"failures.heartbeat"});
  if (f.machine_timeout < f.timeout)
    found.conflict("", "failures.machine_timeout", to_toml_value(f.machine_timeout),
                   "at least failures.timeout, " + to_toml_value(f.timeout), {"failures.timeout"});
  check_timed(s, found);
  for (std::size_t i = 0; i < s.faults.random.size(); ++i)
    if (s.faults.random[i].role == role::owner && !has_owners(s))
      found.conflict("", "faults.random." + std::to_string(i) + ".role", "\"owner\"",
                     "machine, scheduler or master, as there are no owners", {"architecture"});
  if (!s.faults.random.empty() && s.length == duration::zero() &&
      s.faults.until == duration::zero())
    found.conflict("", "faults.until", to_toml_value(s.faults.until),
                   "a time after which nothing fails any more, as the run has no duration",
                   {"faults.random"});
  if (s.chaos.growth)
    check_growth(s, found);
  if (s.chaos.kinds.empty())
    found.conflict("", "chaos.kinds", "[]", "at least one kind of failure");
  for (const auto kind : s.chaos.kinds)
    if ((kind == chaos_kind::allocator && s.sync.plan != sync_plan_kind::offers) ||
        (kind == chaos_kind::owner && !has_owners(s) && s.chaos.kinds != chaos_settings{}.kinds))
      found.conflict("", "chaos.kinds", to_toml_value(kind),
                     has_owners(s) ? "machine, owner, scheduler, master, cut, loss, delay, drain, "
                                     "and allocator where there is one"
                                   : "machine, scheduler, master, cut, loss, delay or drain, as "
                                     "there are no owners");
  const bool watched =
    f.watch == watch_kind::on || (f.watch == watch_kind::automatic && s.faults.any());
  if (watched && s.clock != clock_kind::virtual_time)
    found.conflict("", "clock", to_toml_value(s.clock), "virtual, as there are failures");
  if (s.faults.any() && f.watch == watch_kind::off)
    found.conflict("", "failures.watch", to_toml_value(f.watch),
                   "on or auto, as nothing fails in a run whose failures are not watched",
                   {"faults.at", "faults.random", "faults.trace"});
  if (any_think_times(s) && f.watch == watch_kind::off)
    found.conflict("", "failures.watch", to_toml_value(f.watch),
                   "on or auto, as workload.trace.think_times needs job stores that hear of ends",
                   {"workload.trace.think_times"});
}

} // namespace troupe
