#include "actors/scheduler_core.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

// How a scheduler decides: that part of scheduler_core.
namespace troupe {

namespace {

/// A gang that should fit and found no place is tried again after this at the latest: a policy that
/// samples may find places for all of it where it did not before.
constexpr duration gang_patience = std::chrono::seconds{1};

} // namespace

waiting_task scheduler_core::take_head() {
  auto task = jobs_.take_head();
  auto& counts = book_of(task).counts;
  --counts.queued;
  ++counts.in_commit;
  return task;
}

void scheduler_core::wake(instant now) {
  if (!retries_.empty()) {
    auto ready = retries_.take(now, view_);
    queue_again(ready);
  }
  const bool gained = std::exchange(view_gained_, false);
  if (gangs_.any() && (gained || (gangs_.any_restless() && now >= rest_until_)))
    wake_gangs(now);
  shunned_.expire(now);
}

void scheduler_core::wake_gangs(instant now) {
  room_.look(view_, sees_hidden());
  // If attempts are limited, passing over a gang counts as an attempt.
  const bool all = limits_.max_empty_attempts > 0;
  const auto ready =
    gangs_.take(all ? gangs_aside::unlimited() : room_.free(), cut_short_,
                [&](const gang_need& need) { return all || room_.may_hold(view_, need); });
  for (auto gang = ready.rbegin(); gang != ready.rend(); ++gang)
    jobs_.put_back(*gang);
  view_gained_ = gangs_.left_behind();
  if (gangs_.any_restless() && now >= rest_until_)
    rest_until_ = now + gang_patience;
}

void scheduler_core::put_aside(waiting_task whole, instant now) {
  whole.opens_job = false;
  room_.forget();
  room_.look(view_, sees_hidden());
  auto need = rules_.need_of(*whole.of);
  const bool restless = limits_.max_empty_attempts > 0 || room_.may_hold(view_, need);
  gangs_.put(whole, std::move(need), restless);
  rest_until_ = now + gang_patience;
  empty_attempt(whole.task.job, now);
}

void scheduler_core::add_alternatives(decided& to, decision_context& context) {
  auto request = rules_.request(to.task);
  tried_.clear();
  if (request.filter.away != nullptr)
    tried_ = *request.filter.away;
  tried_.insert(to.machine);
  request.filter.away = &tried_;
  if (!shunned_.empty())
    request.filter.shunned = &shunned_;
  const auto home = machines_->place_of(to.machine).partition;
  const auto wanted = limits_.candidates - std::size_t{1};
  const auto offer = [&](machine_id m) {
    tried_.insert(m);
    if (owner_of_[machines_->place_of(m).partition] == owner_of_[home]) {
      to.others.push_back({0, m, view_.version(m)});
      rules_.enter(*to.task.of, m);
    }
  };
  // The policy may well look at other owners' machines; the partition at hand is always near.
  for (auto tries = 4 * wanted; tries > 0 && to.others.size() < wanted; --tries) {
    const auto m =
      limits_.share.pick(view_, [&] { return policy_->pick(view_, request, context); });
    if (!m)
      break;
    offer(*m);
  }
  while (to.others.size() < wanted) {
    const auto m = view_.sample_by_score(home, request, context.random);
    if (!m)
      break;
    offer(*m);
  }
}

void scheduler_core::withdraw_alternatives(decided& from) {
  for (const auto& other : from.others)
    rules_.leave(*from.task.of, other.machine);
  from.others.clear();
}

std::uint64_t scheduler_core::open_transaction(const waiting_task& task) {
  const auto latest = first_transaction_ + transactions_.size() - 1;
  if (!batch_.empty() && transactions_.back().job == task.task.job && !task.whole)
    return latest;
  transactions_.emplace_back();
  auto& next = transactions_.back();
  next.job = task.task.job;
  next.group = task.group();
  next.gang = task.whole;
  next.mode = task.whole || limits_.all_or_nothing ? commit_mode::together : commit_mode::each;
  return latest + 1;
}

void scheduler_core::charge(const waiting_task& task, machine_id machine, std::uint64_t number,
                            decision_context& context, bool preempts) {
  const auto p = machines_->place_of(machine).partition;
  batch_.push_back(
    {task, machine, view_.version(machine), view_.age(p, context.now), preempts, number});
  if (limits_.candidates > 1 && limits_.source != view_source::offers &&
      !find_transaction(number).gang)
    add_alternatives(batch_.back(), context);
  charge_view(batch_.back());
  if (tenants_)
    charge_tenant(owner_of_[p], batch_.back());
  rules_.enter(*task.of, machine);
  ++find_transaction(number).tasks;
}

std::optional<machine_id> scheduler_core::pick(const waiting_task& task, decision_context& context,
                                               bool alone) {
  auto request = rules_.request(task);
  const bool remembers = alone && request.filter.shunned == nullptr &&
                         (!request.filter.empty() || limits_.look_past > 0 ||
                          policy_->is_exhaustive() || view_.fits_below_unit(task.demand));
  if (remembers && rules_.blocked(request, view_.gains()))
    return std::nullopt;
  const auto choose = [&] {
    return limits_.share.pick(view_, [&] { return policy_->pick(view_, request, context); });
  };
  std::optional<machine_id> machine;
  if (!shunned_.empty()) {
    request.filter.shunned = &shunned_;
    machine = choose();
    request.filter.shunned = nullptr;
  }
  if (!machine)
    machine = choose();
  if (remembers && !machine)
    rules_.block(request, view_.gains());
  return machine;
}

bool scheduler_core::possible(const waiting_task& task) {
  if (!task.whole)
    return rules_.possible(task) &&
           (!tenants_ || tenants_->could_use(task.tenant(), resource_sum{} + task.demand));
  return gangs_.need_of(task.task.job) != nullptr || holds_together(task);
}

bool scheduler_core::holds_together(waiting_task task) {
  for (const auto& group : task.of->groups) {
    task.in = &group;
    task.demand = group.demand;
    if (!rules_.possible(task))
      return false;
  }
  std::vector<partition_id> within(view_.partitions());
  std::iota(within.begin(), within.end(), partition_id{0});
  if (!sees_hidden())
    within = limits_.share.own();
  const auto need = rules_.need_of(*task.of);
  return (!tenants_ || tenants_->could_use(task.tenant(), need.total)) &&
         idle_machines_hold(*machines_, within, need);
}

void scheduler_core::abandon_head(instant now) {
  const auto task = jobs_.take_head();
  auto& [counts, sample] = book_of(task);
  counts.queued -= task.count();
  if (!task.whole) {
    sample.attempts.unplaceable += task.count();
  } else {
    ++sample.attempts.gangs_impossible;
    if (!std::exchange(named_impossible_, true))
      spdlog::warn("scheduler {}: job {} is abandoned: a gang of {} tasks is more than the "
                   "machines, even idle, or its tenant's maximum hold together; there may be more "
                   "such jobs",
                   id_, task.task.job, task.count());
  }
  abandon(task, now);
}

std::optional<machine_id> scheduler_core::preempt(const waiting_task& task) {
  if (!reclaim_)
    return std::nullopt;
  const auto filter = rules_.request(task).filter;
  // Nobody has to give way on a machine that its owner has taken something from.
  const auto* reduced = survival_ && !survival_->reduced.empty() ? &survival_->reduced : nullptr;
  reclaim_view::machine_test admits;
  if (!filter.empty() || reduced != nullptr)
    admits = [&](machine_id m) {
      return filter.admits(*machines_, m) && (reduced == nullptr || !reduced->contains(m));
    };
  return reclaim_->pick(view_, task.priority(), task.demand, random_, admits);
}

void scheduler_core::charge_view(const decided& d) {
  view_.take(d.machine, d.task.demand);
  if (reclaim_)
    reclaim_->add(d.machine, d.task.priority(), d.task.demand);
}

void scheduler_core::charge_tenant(owner_id owner, const decided& d) {
  tenants_->charge(owner, d.task.tenant(), d.task.demand);
}

duration scheduler_core::decision_time_of(const waiting_task& task, bool looks_anew) const {
  const auto group = task.group();
  const auto& time = group < limits_.code_paths.size()
                       ? limits_.code_paths[group]
                       : decision_time{limits_.t_job, limits_.t_task};
  return looks_anew ? time.t_job + time.t_task : time.t_task;
}

std::optional<duration> scheduler_core::decide(instant now, std::optional<instant> from) {
  assert(batch_.empty());
  wake(now);
  busy_.begin(from.value_or(now));
  decision_context context{now, random_, limits_.sync_gap, machines_->partitions(),
                           limits_.schedulers};
  duration cost{0};
  job_id retried = ~job_id{0};
  bool gang_waits = false;
  while (may_place() && has_next()) {
    const auto& head = jobs_.head();
    if (!possible(head)) {
      abandon_head(now);
      continue;
    }
    if (head.whole) {
      if ((gang_waits = !decide_gang(context, cost)))
        break;
      continue;
    }
    auto machine = pick(head, context);
    const bool preempts = !machine && !limits_.all_or_nothing && (machine = preempt(head));
    if (!machine) {
      if (passed_.size() == limits_.look_past)
        break;
      passed_.push_back(jobs_.take_head());
      continue;
    }
    const auto number = open_transaction(head);
    const auto task = take_head();
    charge(task, *machine, number, context, preempts);
    const bool anew = limits_.one_job     ? batch_.size() == 1
                      : task.attempts > 0 ? task.task.job != retried
                                          : task.opens_job;
    const auto spent = decision_time_of(task, anew);
    cost += spent;
    busy_.add(task.group(), spent);
    find_transaction(number).cost += spent;
    if (task.attempts > 0)
      retried = task.task.job;
    else if (task.opens_job && task.submitted >= limits_.warmup)
      book_of(task).sample.attempts.wait.add(to_seconds(now - task.submitted));
  }
  for (; !passed_.empty(); passed_.pop_back())
    jobs_.put_back(passed_.back());
  cut_short_ = gang_waits || !may_place() || (limits_.one_job && !batch_.empty());
  if (batch_.empty())
    return view_gained_ && gangs_.any() && !cut_short_ ? decide(now, from) : std::nullopt;
  check_balance();
  return cost;
}

bool scheduler_core::decide_gang(decision_context& context, duration& cost) {
  auto whole = jobs_.head();
  const auto* known = gangs_.need_of(whole.task.job);
  if (known != nullptr && !room_.may_hold(view_, *known)) {
    jobs_.take_head();
    const bool counts = limits_.max_empty_attempts > 0;
    gangs_.put_again(whole, counts);
    rest_until_ = counts ? context.now + gang_patience : rest_until_;
    empty_attempt(whole.task.job, context.now);
    return true;
  }
  const auto tasks = jobs_.members(whole);
  if (!batch_.empty() && (limits_.one_job || batch_.size() + tasks.size() > decision_quota_))
    return false;
  auto& [counts, sample] = book_of(whole);
  if (whole.opens_job && whole.submitted >= limits_.warmup)
    sample.attempts.wait.add(to_seconds(context.now - whole.submitted));
  const auto before = batch_.size();
  const auto number = open_transaction(whole);
  for (const auto& task : tasks) {
    if (tenants_ && !tenants_->may_use(task.tenant(), task.demand))
      break;
    const auto machine = pick(task, context, false);
    if (!machine)
      break;
    charge(task, *machine, number, context, false);
  }
  jobs_.take_head();
  if (batch_.size() - before < tasks.size()) {
    for (; batch_.size() > before; batch_.pop_back()) {
      auto& d = batch_.back();
      rules_.leave(*d.task.of, d.machine);
      view_.give_back(d.machine, d.task.demand);
      if (reclaim_)
        reclaim_->remove(d.machine, d.task.priority(), d.task.demand);
      if (tenants_)
        tenants_->refund(owner_of(d.machine), d.task.tenant(), d.task.demand);
    }
    transactions_.pop_back();
    put_aside(whole, context.now);
    return true;
  }
  // Not before all have a machine: one that spreads has no two tasks, or alternatives, on one.
  if (limits_.candidates > 1 && limits_.source != view_source::offers)
    for (auto i = before; i < batch_.size(); ++i)
      add_alternatives(batch_[i], context);
  gangs_.drop(whole.task.job);
  if (gangs_.any())
    std::ranges::for_each(tasks, [this](const waiting_task& t) { room_.take(t.demand); });
  counts.queued -= tasks.size();
  counts.in_commit += tasks.size();
  auto spent = decision_time_of(tasks.front(), true);
  for (std::size_t i = 1; i < tasks.size(); ++i)
    spent += decision_time_of(tasks[i], false);
  cost += spent;
  busy_.add(whole.group(), spent);
  find_transaction(number).cost = spent;
  return true;
}

} // namespace troupe
