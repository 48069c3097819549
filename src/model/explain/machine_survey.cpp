#include "model/explain/machine_survey.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace troupe {

namespace {

constexpr std::size_t examples_kept = 3;
constexpr std::size_t best_kept = 3;

struct shortage {
  resource of = resource::cpu;
  std::int32_t missing = 0;
  double share = 0; ///< of the demand
};

/// The resource of which the greatest share of the demand is missing, or nothing.
std::optional<shortage> shortage_of(const resources& has, const resources& demand) {
  std::optional<shortage> worst;
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    const auto missing = demand.amount[k] - std::max(has.amount[k], 0);
    if (demand.amount[k] <= 0 || missing <= 0)
      continue;
    const auto share = static_cast<double>(missing) / demand.amount[k];
    if (!worst || share > worst->share)
      worst = shortage{static_cast<resource>(k), missing, share};
  }
  return worst;
}

machine_finding found(machine_finding base, machine_check check,
                      const std::optional<shortage>& lack = {}) {
  base.check = check;
  if (lack) {
    base.lacks = lack->of;
    base.missing = lack->missing;
  }
  return base;
}

} // namespace

machine_finding examine(const catalog& machines, const machine_wish& wish, machine_id machine,
                        const machine_facts& facts) {
  machine_finding base;
  base.free = facts.free;
  base.score = machines.score(machine, wish.task_class);
  if (const auto lack = shortage_of(machines.machine(machine).capacity, wish.demand))
    return found(base, machine_check::too_small, lack);
  const auto attributes = machines.attributes_of(machine);
  for (std::size_t i = 0; i < wish.constraints.size(); ++i)
    if (!meets(attributes, wish.constraints[i])) {
      base.unmet = i;
      return found(base, machine_check::no_match);
    }
  if (!facts.shared)
    return found(base, machine_check::other_share);
  if (!facts.present)
    return found(base, machine_check::absent);
  if (facts.closed)
    return found(base, machine_check::closed);
  if (wish.spread && facts.job_there)
    return found(base, machine_check::job_there);
  if (const auto lack = shortage_of(facts.free, wish.demand))
    return found(base, machine_check::no_room, lack);
  return found(base, facts.kept_away ? machine_check::kept_away : machine_check::fits);
}

std::uint32_t machine_survey::count(machine_check check) const {
  std::uint32_t n = 0;
  for (const auto& l : lines)
    if (l.check == check)
      n += l.machines;
  return n;
}

machine_survey survey(const catalog& machines, const machine_wish& wish,
                      const std::function<machine_facts(machine_id)>& facts) {
  machine_survey all;
  all.machines = machines.machines();
  std::map<std::tuple<machine_check, std::size_t>, machine_survey::line> lines;
  double nearest = 2;
  for (machine_id m = 0; m < machines.machines(); ++m) {
    const auto f = examine(machines, wish, m, facts(m));
    std::size_t detail = 0;
    if (f.check == machine_check::no_match)
      detail = f.unmet;
    else if (f.check == machine_check::too_small || f.check == machine_check::no_room)
      detail = static_cast<std::size_t>(f.lacks);
    auto& line = lines[{f.check, detail}];
    line.check = f.check;
    line.lacks = f.lacks;
    line.unmet = f.unmet;
    ++line.machines;
    if (line.examples.size() < examples_kept)
      line.examples.push_back(m);
    if (f.check == machine_check::no_room) {
      const auto share =
        static_cast<double>(f.missing) / wish.demand.amount[static_cast<std::size_t>(f.lacks)];
      if (share < nearest) {
        nearest = share;
        all.nearest = machine_survey::near_miss{m, f.lacks, f.missing};
      }
    }
    if (f.check == machine_check::fits &&
        (all.best.size() < best_kept || f.score > all.best.back().score)) {
      const auto at = std::ranges::find_if(
        all.best, [&](const machine_survey::ranked& r) { return f.score > r.score; });
      all.best.insert(at, {m, f.score});
      if (all.best.size() > best_kept)
        all.best.pop_back();
    }
  }
  for (auto& [_, line] : lines)
    all.lines.push_back(std::move(line));
  return all;
}

std::uint32_t count_better(const catalog& machines, const machine_wish& wish, double score,
                           const std::function<machine_facts(machine_id)>& facts) {
  std::uint32_t n = 0;
  for (machine_id m = 0; m < machines.machines(); ++m) {
    if (machines.score(m, wish.task_class) <= score)
      continue;
    n += examine(machines, wish, m, facts(m)).check == machine_check::fits;
  }
  return n;
}

} // namespace troupe
