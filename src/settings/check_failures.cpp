#include "settings/check.hpp"
#include "settings/toml_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace troupe {

namespace {

constexpr std::array<std::string_view, 8> chaos_kinds = {
  "machine", "owner", "scheduler", "master", "allocator", "cut", "loss", "delay"};

bool of_network(const std::string& kind) {
  return kind == "cut" || kind == "loss" || kind == "delay";
}

/// Returns whether `name` is "role.N" with N < count.
bool is_one_of(std::string_view name, std::string_view role, std::uint32_t count) {
  if (!name.starts_with(role) || name.size() < role.size() + 2 || name[role.size()] != '.')
    return false;
  std::uint32_t number = 0;
  const auto* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + role.size() + 1, end, number);
  return error == std::errc{} && stop == end && number < count;
}

/// Where all schedulers probe machines there are no owners.
bool has_owners(const run_settings& s) {
  const auto probes = [](const scheduler_settings& of) { return of.actor == "sparrow"; };
  return s.pool > 0 ? !probes(s.scheduler)
                    : !std::ranges::all_of(s.groups, probes, &group_settings::scheduler);
}

bool names_member(std::string_view name, const run_settings& s) {
  return name == "master" || (name == "allocator" && s.sync.plan == "offers") ||
         is_one_of(name, "machine", s.cluster.machines) ||
         is_one_of(name, "owner", has_owners(s) ? s.cluster.owners : 0) ||
         is_one_of(name, "scheduler", s.schedulers);
}

std::string members_text(const run_settings& s) {
  return "master, machine.N with N from 0 to " + std::to_string(s.cluster.machines - 1) +
         (has_owners(s) ? ", owner.N with N from 0 to " + std::to_string(s.cluster.owners - 1)
                        : std::string{}) +
         ", scheduler.N with N from 0 to " + std::to_string(s.schedulers - 1);
}

void check_timed(const run_settings& s, problems& found) {
  for (std::size_t i = 0; i < s.faults.at.size(); ++i) {
    const auto& f = s.faults.at[i];
    const auto path = "faults.at." + std::to_string(i) + ".";
    const auto check_side = [&](const std::string& side, const char* key) {
      const bool pattern = side.find('*') != std::string::npos;
      if (!pattern && !names_member(side, s) &&
          !is_one_of(side, "workload", static_cast<std::uint32_t>(s.groups.size())))
        found.conflict("", path + key, to_toml_value(side),
                       members_text(s) + ", workload.N, or a pattern with *");
    };
    if (of_network(f.kind)) {
      check_side(f.target, "target");
      check_side(f.other, "other");
    } else if (!names_member(f.target, s)) {
      found.conflict("", path + "target", to_toml_value(f.target), members_text(s));
    }
  }
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
    if (s.faults.random[i].role == "owner" && !has_owners(s))
      found.conflict("", "faults.random." + std::to_string(i) + ".role", "\"owner\"",
                     "machine, scheduler or master, as there are no owners", {"architecture"});
  if (!s.faults.random.empty() && s.length == duration::zero() &&
      s.faults.until == duration::zero())
    found.conflict("", "faults.until", to_toml_value(s.faults.until),
                   "a time after which nothing fails any more, as the run has no duration",
                   {"faults.random"});
  if (s.chaos.kinds.empty())
    found.conflict("", "chaos.kinds", "[]", "at least one kind of failure");
  for (const auto& kind : s.chaos.kinds)
    if (std::ranges::find(chaos_kinds, kind) == chaos_kinds.end() ||
        (kind == "allocator" && s.sync.plan != "offers") ||
        (kind == "owner" && !has_owners(s) && s.chaos.kinds != chaos_settings{}.kinds))
      found.conflict("", "chaos.kinds", to_toml_value(kind),
                     has_owners(s) ? "machine, owner, scheduler, master, cut, loss, delay, and "
                                     "allocator where there is one"
                                   : "machine, scheduler, master, cut, loss or delay, as there are "
                                     "no owners");
  const bool watched = f.watch == "on" || (f.watch == "auto" && s.faults.any());
  if (watched && s.clock != "virtual")
    found.conflict("", "clock", to_toml_value(s.clock), "virtual, as there are failures");
}

} // namespace troupe
