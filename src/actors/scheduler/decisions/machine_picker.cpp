#include "actors/scheduler/decisions/machine_picker.hpp"

#include "actors/scheduler/explain/note_pick.hpp"
#include "model/base/planted_faults.hpp"
#include "policies/adaptive.hpp"
#include "policies/scan_fit.hpp"

namespace troupe {

void machine_picker::heed_windows(const waiting_task& task, instant now, task_request& request) {
  const auto* windows = tables_.setup.machines.windows();
  if (windows == nullptr || planted(planted_fault::ignored_windows))
    return;
  if (!open_)
    open_.emplace(*windows);
  if (const auto* line = tables_.waiting.line()) {
    line->open(*open_);
  } else {
    const auto until = task.of->estimate > duration::zero() ? now + task.of->estimate : far_future;
    for (std::uint32_t c = 0; c < windows->classes(); ++c)
      open_->put(c, windows->admits(c, now, until, task.tenant()));
  }
  request.filter.open = &*open_;
}

std::optional<machine_id> machine_picker::pick(const waiting_task& task, decision_context& context,
                                               bool alone) {
  const auto& seen = tables_.charged.seen();
  auto request = tables_.rules.request(task);
  heed_windows(task, context.now, request);
  const bool remembers = alone && request.filter.avoided == nullptr &&
                         request.filter.open == nullptr &&
                         (!request.filter.empty() || tables_.setup.limits.look_past > 0 ||
                          policy_->is_exhaustive() || seen.fits_below_unit(task.demand));
  if (remembers && tables_.rules.blocked(request, seen.gains()))
    return std::nullopt;
  const auto choose = [&] {
    return tables_.charged.pick([&] { return policy_->pick(seen, request, context); });
  };
  std::optional<machine_id> machine;
  if (!avoided_.empty()) {
    request.filter.avoided = &avoided_;
    machine = choose();
    request.filter.avoided = nullptr;
  }
  if (!machine)
    machine = choose();
  if (remembers && !machine)
    tables_.rules.block(request, seen.gains());
  note(task, machine, false, context.now);
  return machine;
}

void machine_picker::note(const waiting_task& task, std::optional<machine_id> picked, bool preempts,
                          instant now) {
  auto* watch = tables_.watching(task.task.job);
  if (watch == nullptr || !watch->wants_pick(task.task))
    return;
  auto goal = pick_goal::none;
  if (const auto* of = dynamic_cast<const adaptive*>(policy_.get()))
    goal = of->prefers_latency() ? pick_goal::latency : pick_goal::quality;
  std::optional<std::uint32_t> looked_at;
  if (const auto* of = dynamic_cast<const scan_fit*>(policy_.get()); of != nullptr && !preempts)
    looked_at = of->looked_at();
  note_pick(*watch, tables_, avoided_, {task, picked, preempts, now, goal, looked_at});
}

std::optional<machine_id> machine_picker::preempt(const waiting_task& task, instant now) {
  const auto* lower = tables_.charged.preemption();
  if (lower == nullptr)
    return std::nullopt;
  auto request = tables_.rules.request(task);
  heed_windows(task, now, request);
  const auto& filter = request.filter;
  // Nobody has to give way on a machine that its owner has taken something from.
  preemption_view::machine_test admits;
  if (!filter.empty() || tables_.capacities.any_reduced())
    admits = [&](machine_id m) {
      return filter.admits(tables_.setup.machines, m) && !tables_.capacities.reduced(m);
    };
  const auto machine =
    lower->pick(tables_.charged.seen(), task.priority(), task.demand, tables_.random, admits);
  if (machine)
    note(task, machine, true, now);
  return machine;
}

void machine_picker::add_alternatives(decided_placement& to, decision_context& context) {
  const auto& seen = tables_.charged.seen();
  auto request = tables_.rules.request(to.task);
  tried_.clear();
  if (request.filter.away != nullptr)
    tried_ = *request.filter.away;
  tried_.insert(to.machine);
  request.filter.away = &tried_;
  if (!avoided_.empty())
    request.filter.avoided = &avoided_;
  if (const auto* windows = tables_.setup.machines.windows()) {
    if (!open_)
      open_.emplace(*windows);
    open_->put_all(false);
    open_->put(windows->class_of(to.machine), true);
    request.filter.open = &*open_;
  }
  const auto home = tables_.setup.partition_of(to.machine);
  const auto wanted = tables_.setup.limits.candidates - std::size_t{1};
  const auto offer = [&](machine_id m) {
    tried_.insert(m);
    if (tables_.setup.owner_of_machine(m) == tables_.setup.owner_of[home]) {
      to.others.push_back({0, m, seen.version(m)});
      tables_.rules.enter(*to.task.of, m);
    }
  };
  // The policy may well look at other owners' machines; the partition at hand is always near.
  for (auto tries = 4 * wanted; tries > 0 && to.others.size() < wanted; --tries) {
    const auto m = tables_.charged.pick([&] { return policy_->pick(seen, request, context); });
    if (!m)
      break;
    offer(*m);
  }
  while (to.others.size() < wanted) {
    const auto m = seen.sample_by_score(home, request, context.random);
    if (!m)
      break;
    offer(*m);
  }
}

void machine_picker::withdraw_alternatives(decided_placement& from) {
  for (const auto& other : from.others)
    tables_.rules.leave(*from.task.of, other.machine);
  from.others.clear();
}

} // namespace troupe
