#include "actors/scheduler_core.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace troupe {

scheduler_core::scheduler_core(scheduler_id id, const catalog& machines,
                               std::vector<owner_id> owner_of,
                               std::unique_ptr<placement_policy> policy,
                               const scheduler_limits& limits, random_stream random, instant now,
                               std::uint32_t own_group)
  : id_(id),
    machines_(&machines),
    owner_of_(std::move(owner_of)),
    policy_(std::move(policy)),
    limits_(limits),
    random_(random),
    view_(machines, now),
    rules_(machines, limits.preferences),
    channels_(1 + *std::max_element(owner_of_.begin(), owner_of_.end())),
    books_(own_group),
    age_accounted_(now) {}

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
  if (aside_gains_ != view_.gains())
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
    const auto m = policy_->pick(view_, request, context);
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
                            decision_context& context) {
  const auto p = machines_->place_of(machine).partition;
  batch_.push_back({task, machine, view_.version(machine), view_.age(p, context.now), number});
  if (limits_.candidates > 1)
    add_alternatives(batch_.back(), context);
  view_.take(machine, task.demand);
  rules_.enter(*task.of, machine);
  ++find_transaction(number).tasks;
}

std::optional<machine_id> scheduler_core::pick(const waiting_task& task,
                                               decision_context& context) {
  auto request = rules_.request(task);
  const bool remembers = !request.filter.empty() || limits_.look_past > 0;
  if (remembers && rules_.blocked(task, view_.gains()))
    return std::nullopt;
  std::optional<machine_id> machine;
  if (!shunned_.empty()) {
    request.filter.shunned = &shunned_;
    machine = policy_->pick(view_, request, context);
    request.filter.shunned = nullptr;
  }
  if (!machine)
    machine = policy_->pick(view_, request, context);
  if (remembers && !machine)
    rules_.block(task, view_.gains());
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

std::optional<duration> scheduler_core::decide(instant now) {
  assert(batch_.empty());
  wake(now);
  decision_context context{now, random_};
  duration cost{0};
  job_id retried = ~job_id{0};
  while (batch_.size() < limits_.batch && jobs_.has_waiting()) {
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
    const auto machine = pick(head, context);
    if (!machine) {
      if (passed_.size() == limits_.look_past)
        break;
      passed_.push_back(jobs_.take_head());
      continue;
    }
    const auto number = open_transaction(head);
    const auto task = take_head();
    charge(task, *machine, number, context);
    auto spent = limits_.t_task;
    if (task.attempts > 0 ? task.task.job != retried : task.opens_job)
      spent += limits_.t_job;
    cost += spent;
    auto& sample = book_of(task).sample;
    sample.busy += spent;
    find_transaction(number).cost += spent;
    if (task.attempts > 0)
      retried = task.task.job;
    else if (task.opens_job)
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
  if (whole.opens_job)
    sample.attempts.wait.add(to_seconds(context.now - whole.submitted));
  const auto before = batch_.size();
  const auto number = open_transaction(whole);
  for (const auto& task : tasks) {
    const auto machine = pick(task, context);
    if (!machine)
      break;
    charge(task, *machine, number, context);
  }
  jobs_.take_head();
  if (batch_.size() - before < tasks.size()) {
    for (; batch_.size() > before; batch_.pop_back()) {
      auto& d = batch_.back();
      withdraw_alternatives(d);
      rules_.leave(*d.task.of, d.machine);
      view_.give_back(d.machine, d.task.demand);
    }
    transactions_.pop_back();
    aside_gains_ = view_.gains();
    whole.opens_job = false;
    aside_.push_back(whole);
    empty_attempt(whole.task.job, context.now);
    return true;
  }
  counts.queued -= tasks.size();
  counts.in_commit += tasks.size();
  const auto spent = limits_.t_job + static_cast<std::int64_t>(tasks.size()) * limits_.t_task;
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

void scheduler_core::refresh(sync_update&& update, instant now) {
  account_age(now);
  for (auto& snapshot : update.partitions) {
    const auto p = snapshot.partition;
    auto& sample = books_.own();
    sample.oldest_partition = std::max(sample.oldest_partition, view_.age(p, now));
    ++sample.snapshots;
    view_.apply(std::move(snapshot), update.round);
    // The snapshot does not know what has been decided on since the owner heard from us.
    for (const auto& c : channels_.at(update.owner).pending)
      if (c.charged_by() > update.commits_seen || c.sent_again)
        recharge(c.placements, p);
    recharge(batch_, p);
  }
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
  if (end.outcome == task_outcome::lost) {
    jobs_.put_back(*jobs_.find(end.task));
    ++counts.queued;
    return;
  }
  ++(end.outcome == task_outcome::finished ? counts.finished : counts.failed);
  if (const auto response = jobs_.close(end.task, end.at)) {
    ++sample.jobs_finished;
    sample.job_response.add(to_seconds(*response));
  }
}

bool scheduler_core::awaits_answer(const task_report& report) const {
  const auto decided_on = [](const pending_commit& c, const task_id& task) {
    return std::ranges::any_of(c.placements, [&](const decided& d) { return d.task.task == task; });
  };
  return std::ranges::any_of(channels_.at(report.owner).pending, [&](const pending_commit& c) {
    return std::ranges::any_of(report.ends,
                               [&](const task_end& e) { return decided_on(c, e.task); });
  });
}

bool scheduler_core::book(const task_report& report) {
  auto& seen = channels_[report.owner].reports_seen;
  if (report.number != seen + 1 || awaits_answer(report))
    return false;
  ++seen;
  for (const auto& e : report.ends)
    close(e);
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
  auto& sample = books_.own();
  sample.oldest_partition = std::max(sample.oldest_partition, view_.greatest_age(now));
  return books_.take();
}

} // namespace troupe
