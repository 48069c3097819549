#include "actors/scheduler_core.hpp"

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <stdexcept>

namespace troupe {

namespace {

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
    rules_(machines, limits.preferences, limits.share.reach()),
    offers_(id),
    decision_quota_(most_at_a_time()),
    channels_(1 + *std::max_element(owner_of_.begin(), owner_of_.end())),
    books_(own_group, now),
    age_accounted_(now) {
  // A view that does not learn from snapshots has no version to wait for.
  limits_.retry.wait_for_refresh =
    limits_.retry.wait_for_refresh && limits_.source == view_source::snapshots;
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
    const auto group = j.group;
    const auto at = j.submitted;
    const auto before = jobs_.blocked();
    jobs_.submit(std::move(j));
    books_.wait(group, at, static_cast<std::int64_t>(tasks - (jobs_.blocked() - before)));
  }
}

void scheduler_core::change_policy(std::unique_ptr<placement_policy> policy) {
  policy_ = std::move(policy);
  rules_.unblock();
  view_gained_ = true; // gangs are tried again: it may find room where the other one did not
}

void scheduler_core::check_balance() const {
#ifdef TROUPE_CHECKS
  const auto all = counts();
  const auto waiting = static_cast<std::int64_t>(all.queued + all.in_commit - jobs_.blocked());
  if (!books_.balanced() || books_.waiting() != waiting)
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
  if (survival_ && !forget_running(end.task, end.machine))
    return;
  const auto* of = jobs_.find_job(end.task.job);
  if (of == nullptr) { // its job is over: it must have run twice
    ++books_.own().duplicate_grants;
    return;
  }
  auto& book = books_.of(of->group);
  auto& [counts, sample] = book;
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += granted_.erase(end.task) == 0;
#endif
  --counts.running;
  rules_.leave(*of, end.machine);
  if (limits_.source == view_source::own_tasks)
    release(end.machine, *jobs_.find(end.task));
  else if (limits_.source == view_source::offers && tenants_)
    refund(end.machine, *jobs_.find(end.task));
  if (end.outcome == task_outcome::lost && (!survival_ || survival_->may_retry(end.task))) {
    auto again = *jobs_.find(end.task);
    again.submitted = end.at;
    jobs_.put_back(again);
    ++counts.queued;
    books_.wait(of->group, end.at, 1);
    return;
  }
  const auto fate = fate_of(end.outcome);
  if (survival_)
    survival_->over(end.task, fate);
  if (fate == task_fate::lost)
    ++counts.lost;
  else
    ++(fate == task_fate::finished ? counts.finished : counts.failed);
  const bool warm = of->submitted >= limits_.warmup;
  close(book, end.task, end.at, fate, warm);
}

void scheduler_core::close(ledgers::ledger& book, const task_id& task, instant at, task_fate fate,
                           bool warm) {
  const auto group = jobs_.find_job(task.job)->group;
  const auto blocked = jobs_.blocked();
  const auto over = jobs_.close(task, at, fate);
  if (const auto released = blocked - jobs_.blocked(); released > 0)
    books_.wait(group, at, static_cast<std::int64_t>(released));
  if (over)
    note_job_end(book, *over, warm);
}

void scheduler_core::note_job_end(ledgers::ledger& book, const job_end& end, bool warm) {
  auto& sample = book.sample;
  const bool finished = end.fate == task_fate::finished;
  if (finished)
    ++sample.jobs_finished;
  else
    ++(end.fate == task_fate::abandoned ? sample.attempts.jobs_abandoned : sample.jobs_failed);
  if (warm)
    (finished ? sample.job_response : sample.broken_jobs).add(to_seconds(end.response));
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
  if (survival_ && !forget_running(gone.task, gone.machine))
    return;
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
  books_.wait(task->group(), gone.at, 1);
}

void scheduler_core::change(const machine_change& change) {
  if (limits_.source != view_source::own_tasks)
    return;
  const auto m = change.machine;
  const auto gain = change.change_of(machines_->machine(m).capacity);
  if (survival_)
    set_capacity(m, capacity_of(m) + gain);
  else
    change_room(m, gain);
}

void scheduler_core::change_room(machine_id m, const resources& gain) {
  // What is charged to the machine stays charged until it is given back for another reason.
  resources more;
  resources less;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    (gain.amount[k] > 0 ? more : less).amount[k] = std::abs(gain.amount[k]);
  if (!more.is_zero()) {
    view_.give(m, more);
    view_gained_ = true;
  }
  if (!less.is_zero())
    view_.take(m, less);
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
  if (survival_)
    survival_->booked(report.owner, report.number);
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
  const double young = std::max(to_seconds(from) - view_.mean_taken_at(), 0.0);
  const double old = to_seconds(now) - view_.mean_taken_at();
  const double elapsed = to_seconds(now - from);
  books_.own().age.merge({(young + old) / 2 * elapsed, elapsed, young, old});
}

void scheduler_core::note_waiting(instant now) {
  const auto age = [now](instant since) { return std::max(to_seconds(now - since), 0.0); };
  const waiting_visitor tell = [&](const job& of, instant since, std::uint32_t tasks) {
    if (of.submitted >= limits_.warmup)
      books_.of(of.group).sample.waiting.add(age(since), tasks);
  };
  const auto tell_task = [&](const waiting_task& t) { tell(*t.of, t.submitted, t.count()); };
  const auto tell_decided = [&](const decided& d) { tell_task(d.task); };
  jobs_.visit_waiting(tell);
  retries_.visit(tell);
  gangs_.visit_aside(tell_task);
  std::ranges::for_each(batch_, tell_decided);
  for (const auto& c : channels_)
    for (const auto& commit : c.pending)
      std::ranges::for_each(commit.placements, tell_decided);
  for (const auto& t : transactions_)
    if (!t.over)
      std::ranges::for_each(t.back, tell_task);
  const auto tell_job = [&](const job& j) {
    if (j.submitted >= limits_.warmup)
      books_.of(j.group).sample.open_jobs.add(age(j.submitted));
  };
  jobs_.visit_open(tell_job);
  if (!survival_)
    return;
  // What an earlier life has left waits until it is known what runs of it.
  for (const auto& left : survival_->left) {
    tell(left.what, left.what.submitted,
         left.what.task_count() - static_cast<std::uint32_t>(left.over.size()));
    tell_job(left.what);
  }
}

std::vector<group_sample> scheduler_core::take_samples(instant now) {
  account_age(now);
  busy_.pass(now, books_);
  note_waiting(now);
  // Partitions that nobody refreshes grow old as well.
  if (limits_.source == view_source::snapshots) {
    auto& sample = books_.own();
    sample.oldest_partition = std::max(sample.oldest_partition, view_.greatest_age(now));
  }
  return books_.take(now);
}

} // namespace troupe
