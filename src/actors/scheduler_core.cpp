#include "actors/scheduler_core.hpp"

#include <algorithm>
#include <cassert>
#include <ranges>
#include <stdexcept>

namespace troupe {

namespace {

/// Gangs that did not fit are tried again after this at the latest: a policy that samples may find
/// places for all of a gang where it did not before.
constexpr duration gang_patience = std::chrono::seconds{1};

/// Who knows its own tasks only can share out its own machines only.
std::unique_ptr<tenant_shares> shares_of(std::vector<tenant_quota> tenants, const catalog& machines,
                                         const std::vector<owner_id>& owner_of,
                                         const scheduler_limits& limits) {
  if (tenants.size() < 2)
    return nullptr;
  const bool own = limits.source == view_source::own_tasks && limits.share.how() == sharing::hard;
  const auto capacity =
    own ? total_capacity(machines, limits.share.own()) : total_capacity(machines);
  const std::size_t owners = 1 + *std::ranges::max_element(owner_of);
  return std::make_unique<tenant_shares>(std::move(tenants), capacity, owners);
}

} // namespace

scheduler_core::scheduler_core(scheduler_id id, const catalog& machines,
                               std::vector<owner_id> owner_of,
                               std::unique_ptr<placement_policy> policy,
                               const scheduler_limits& limits, random_stream random, instant now,
                               std::uint32_t own_group, std::vector<tenant_quota> tenants)
  : id_(id),
    machines_(&machines),
    owner_of_(std::move(owner_of)),
    policy_(std::move(policy)),
    limits_(limits),
    random_(random),
    view_(machines, now),
    tenants_(shares_of(std::move(tenants), machines, owner_of_, limits)),
    jobs_(limits.aging, tenants_.get()),
    rules_(machines, limits.preferences),
    offers_(id),
    channels_(1 + *std::max_element(owner_of_.begin(), owner_of_.end())),
    books_(own_group),
    age_accounted_(now) {
  if (limits.preemption)
    reclaim_.emplace(machines);
  limits_.share.begin(view_);
  if (limits_.source == view_source::offers)
    for (machine_id m = 0; m < machines.machines(); ++m)
      view_.correct(m, {}, 0);
}

void scheduler_core::submit(std::vector<job> jobs) {
  for (auto& j : jobs) {
    rules_.submit(j);
    auto& book = books_.of(j.group);
    const auto tasks = j.task_count();
    book.counts.submitted += tasks;
    book.counts.queued += tasks;
    ++book.sample.jobs_submitted;
    jobs_.submit(std::move(j));
  }
}

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
  if (std::exchange(view_gained_, false) || now >= aside_until_)
    for (; !aside_.empty(); aside_.pop_back())
      jobs_.put_back(aside_.back());
  shunned_.expire(now);
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
  if (limits_.candidates > 1 && limits_.source != view_source::offers)
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
  const bool remembers =
    alone && request.filter.shunned == nullptr &&
    (!request.filter.empty() || limits_.look_past > 0 || policy_->is_exhaustive());
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
    return rules_.possible(task);
  return std::ranges::all_of(jobs_.members(task),
                             [this](const waiting_task& t) { return rules_.possible(t); });
}

void scheduler_core::abandon_head(instant now) {
  const auto task = jobs_.take_head();
  book_of(task).counts.queued -= task.count();
  abandon(task, now);
}

std::optional<machine_id> scheduler_core::preempt(const waiting_task& task) {
  if (!reclaim_)
    return std::nullopt;
  const auto filter = rules_.request(task).filter;
  reclaim_view::machine_test admits;
  if (!filter.empty())
    admits = [&](machine_id m) { return filter.admits(*machines_, m); };
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

std::optional<duration> scheduler_core::decide(instant now) {
  assert(batch_.empty());
  wake(now);
  decision_context context{now, random_};
  duration cost{0};
  job_id retried = ~job_id{0};
  while (may_place() && jobs_.has_next()) {
    const auto& head = jobs_.head();
    if (!possible(head)) {
      abandon_head(now);
      continue;
    }
    if (head.whole) {
      if (!decide_gang(context, cost))
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
    const auto spent =
      decision_time_of(task, task.attempts > 0 ? task.task.job != retried : task.opens_job);
    cost += spent;
    auto& sample = book_of(task).sample;
    sample.busy += spent;
    find_transaction(number).cost += spent;
    if (task.attempts > 0)
      retried = task.task.job;
    else if (task.opens_job && task.submitted >= limits_.warmup)
      sample.attempts.wait.add(to_seconds(now - task.submitted));
  }
  for (; !passed_.empty(); passed_.pop_back())
    jobs_.put_back(passed_.back());
  if (batch_.empty())
    return std::nullopt;
  check_balance();
  return cost;
}

bool scheduler_core::decide_gang(decision_context& context, duration& cost) {
  auto whole = jobs_.head();
  const auto tasks = jobs_.members(whole);
  if (!batch_.empty() && batch_.size() + tasks.size() > limits_.batch)
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
      withdraw_alternatives(d);
      rules_.leave(*d.task.of, d.machine);
      view_.give_back(d.machine, d.task.demand);
      if (reclaim_)
        reclaim_->remove(d.machine, d.task.priority(), d.task.demand);
      if (tenants_)
        tenants_->refund(owner_of(d.machine), d.task.tenant(), d.task.demand);
    }
    transactions_.pop_back();
    whole.opens_job = false;
    aside_.push_back(whole);
    aside_until_ = context.now + gang_patience;
    empty_attempt(whole.task.job, context.now);
    return true;
  }
  counts.queued -= tasks.size();
  counts.in_commit += tasks.size();
  auto spent = decision_time_of(tasks.front(), true);
  for (std::size_t i = 1; i < tasks.size(); ++i)
    spent += decision_time_of(tasks[i], false);
  cost += spent;
  sample.busy += spent;
  find_transaction(number).cost = spent;
  return true;
}

void scheduler_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!books_.balanced())
    throw std::logic_error("the tasks of scheduler " + std::to_string(id_) + " do not balance");
#endif
}

void scheduler_core::recount_tenants(const sync_update& update) {
  const auto owner = update.owner;
  tenants_->assign(owner, update.used);
  for (auto& c : channels_.at(owner).pending) {
    c.charged = c.charged_by() > update.commits_seen || c.sent_again;
    if (c.charged)
      for (const auto& d : c.placements)
        charge_tenant(owner, d);
  }
  for (const auto& d : batch_)
    if (owner_of(d.machine) == owner)
      charge_tenant(owner, d);
}

void scheduler_core::refresh(sync_update&& update, instant now) {
  account_age(now);
  if (tenants_)
    recount_tenants(update);
  for (auto& snapshot : update.partitions) {
    const auto p = snapshot.partition;
    auto& sample = books_.own();
    sample.oldest_partition = std::max(sample.oldest_partition, view_.age(p, now));
    ++sample.snapshots;
    if (reclaim_)
      reclaim_->assign(p, snapshot.held);
    view_.apply(std::move(snapshot), update.round);
    // The snapshot does not know what has been decided on since the owner heard from us.
    for (const auto& c : channels_.at(update.owner).pending)
      if (c.charged_by() > update.commits_seen || c.sent_again)
        recharge(c.placements, p);
    recharge(batch_, p);
  }
  view_gained_ = true;
}

void scheduler_core::close(const task_end& end) {
  const auto* of = jobs_.find_job(end.task.job);
  if (of == nullptr) { // its job is over: it must have run twice
    ++books_.own().duplicate_grants;
    return;
  }
  auto& [counts, sample] = books_.of(of->group);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += granted_.erase(end.task) == 0;
#endif
  --counts.running;
  rules_.leave(*of, end.machine);
  if (limits_.source == view_source::own_tasks)
    release(end.machine, *jobs_.find(end.task));
  else if (limits_.source == view_source::offers && tenants_)
    refund(end.machine, *jobs_.find(end.task));
  if (end.outcome == task_outcome::lost) {
    jobs_.put_back(*jobs_.find(end.task));
    ++counts.queued;
    return;
  }
  ++(end.outcome == task_outcome::finished ? counts.finished : counts.failed);
  const bool warm = of->submitted >= limits_.warmup;
  if (const auto response = jobs_.close(end.task, end.at)) {
    ++sample.jobs_finished;
    if (warm)
      sample.job_response.add(to_seconds(*response));
  }
}

void scheduler_core::release(machine_id m, const waiting_task& task) {
  view_.give(m, task.demand);
  view_gained_ = true;
  if (reclaim_)
    reclaim_->remove(m, task.priority(), task.demand);
  if (tenants_)
    refund(m, task);
}

void scheduler_core::refund(machine_id m, const waiting_task& task) {
  tenants_->refund(owner_of(m), task.tenant(), task.demand);
}

void scheduler_core::requeue(const preempted_task& gone) {
  auto task = jobs_.find(gone.task);
  if (!task) { // its job is over: it must have run twice
    ++books_.own().duplicate_grants;
    return;
  }
  auto& [counts, sample] = book_of(*task);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += granted_.erase(gone.task) == 0;
#endif
  --counts.running;
  rules_.leave(*task->of, gone.machine);
  if (limits_.source == view_source::own_tasks)
    release(gone.machine, *task);
  ++sample.preempted.tasks;
  sample.preempted.ran += gone.ran;
  sample.preempted.work.add(task->demand, to_seconds(gone.ran));
  task->submitted = gone.at;
  jobs_.put_back(*task);
  ++counts.queued;
}

void scheduler_core::change(const machine_change& change) {
  if (limits_.source != view_source::own_tasks)
    return;
  // What is charged to the machine stays charged until it is given back for another reason.
  const auto& capacity = machines_->machine(change.machine).capacity;
  if (change.present) {
    view_.give(change.machine, capacity);
    view_gained_ = true;
  } else {
    view_.take(change.machine, capacity);
  }
}

bool scheduler_core::awaits_answer(const task_report& report) const {
  const auto decided_on = [](const pending_commit& c, const task_id& task) {
    return std::ranges::any_of(c.placements, [&](const decided& d) { return d.task.task == task; });
  };
  return std::ranges::any_of(channels_.at(report.owner).pending, [&](const pending_commit& c) {
    const auto is_of_it = [&](const auto& end) { return decided_on(c, end.task); };
    return std::ranges::any_of(report.ends, is_of_it) ||
           std::ranges::any_of(report.preempted, is_of_it);
  });
}

bool scheduler_core::book(const task_report& report) {
  auto& seen = channels_[report.owner].reports_seen;
  if (report.number != seen + 1 || awaits_answer(report))
    return false;
  ++seen;
  for (const auto& e : report.ends)
    close(e);
  for (const auto& gone : report.preempted | std::views::reverse) // the first one at the head
    requeue(gone);
  for (const auto& c : report.changes)
    change(c);
  return true;
}

void scheduler_core::book_early(owner_id owner) {
  auto& early = channels_[owner].early;
  while (!early.empty() && book(early.begin()->second))
    early.erase(early.begin());
}

std::uint64_t scheduler_core::report(const task_report& report) {
  auto& from = channels_.at(report.owner);
  if (book(report))
    book_early(report.owner);
  else if (report.number > from.reports_seen)
    from.early.try_emplace(report.number, report);
  check_balance();
  return from.reports_seen;
}

void scheduler_core::account_age(instant now) {
  const auto from = age_accounted_;
  age_accounted_ = now;
  if (!view_.complete() || now <= from)
    return;
  const double young = to_seconds(from) - view_.mean_taken_at();
  const double old = to_seconds(now) - view_.mean_taken_at();
  const double elapsed = to_seconds(now - from);
  books_.own().age.merge({(young + old) / 2 * elapsed, elapsed, young, old});
}

std::vector<group_sample> scheduler_core::take_samples(instant now) {
  account_age(now);
  // Partitions that nobody refreshes grow old as well.
  if (limits_.source == view_source::snapshots) {
    auto& sample = books_.own();
    sample.oldest_partition = std::max(sample.oldest_partition, view_.greatest_age(now));
  }
  return books_.take();
}

} // namespace troupe
