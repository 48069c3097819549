#include "actors/scheduler_core.hpp"

#include <algorithm>
#include <cassert>
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

void scheduler_core::put_back(const waiting_task& task) {
  jobs_.put_back(task);
  ++book_of(task).counts.queued;
}

std::optional<machine_id> scheduler_core::pick(const waiting_task& task,
                                               decision_context& context) {
  const auto request = rules_.request(task);
  const bool remembers =
    !request.filter.empty() || limits_.look_past > 0 || policy_->is_exhaustive();
  if (remembers && rules_.blocked(task, view_.gains()))
    return std::nullopt;
  const auto machine =
    limits_.share.pick(view_, [&] { return policy_->pick(view_, request, context); });
  if (remembers && !machine)
    rules_.block(task, view_.gains());
  return machine;
}

void scheduler_core::abandon(const waiting_task& task, instant now) {
  auto& [counts, sample] = book_of(task);
  --counts.in_commit;
  ++counts.abandoned;
  if (jobs_.close(task.task, now))
    ++sample.jobs_finished;
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
  decision_context context{now, random_};
  duration cost{0};
  job_id retried = ~job_id{0};
  while (may_place() && jobs_.has_next()) {
    const auto& head = jobs_.head();
    if (!rules_.possible(head)) {
      abandon(take_head(), now);
      continue;
    }
    auto machine = pick(head, context);
    const bool preempts = !machine && (machine = preempt(head));
    if (!machine) {
      if (passed_.size() == limits_.look_past)
        break;
      passed_.push_back(jobs_.take_head());
      continue;
    }
    const auto task = take_head();
    rules_.enter(*task.of, *machine);
    const auto p = machines_->place_of(*machine).partition;
    batch_.push_back({task, *machine, view_.version(*machine), view_.age(p, now), preempts});
    charge_view(batch_.back());
    if (tenants_)
      charge_tenant(owner_of_[p], batch_.back());
    const auto spent =
      decision_time_of(task, task.attempts > 0 ? task.task.job != retried : task.opens_job);
    cost += spent;
    book_of(task).sample.busy += spent;
    if (task.attempts > 0)
      retried = task.task.job;
  }
  for (; !passed_.empty(); passed_.pop_back())
    jobs_.put_back(passed_.back());
  if (batch_.empty())
    return std::nullopt;
  check_balance();
  return cost;
}

commit_request scheduler_core::request(owner_id owner, const pending_commit& commit) const {
  const auto& to = channels_[owner];
  commit_request r{
    id_, commit.id, to.pending.empty() ? commit.id : to.pending.front().id, to.reports_seen, {}};
  r.placements.reserve(commit.placements.size());
  for (const auto& d : commit.placements)
    r.placements.push_back({d.task.task, d.machine, d.version, d.task.demand, d.task.runtime,
                            d.task.priority(), d.task.tenant(), d.preempts});
  return r;
}

std::vector<scheduler_core::outgoing> scheduler_core::commit(instant now) {
  const auto owner = [this](const decided& d) { return owner_of(d.machine); };
  std::vector<outgoing> out;
  while (!batch_.empty()) {
    const auto to = owner(batch_.front());
    const auto rest = std::stable_partition(batch_.begin(), batch_.end(),
                                            [&](const decided& d) { return owner(d) == to; });
    pending_commit next{++last_commit_,
                        now,
                        false,
                        {std::make_move_iterator(batch_.begin()), std::make_move_iterator(rest)}};
    if (limits_.source == view_source::offers)
      for (const auto& d : next.placements)
        offers_.use(d.machine, d.task.demand);
    batch_.erase(batch_.begin(), rest);
    channels_[to].pending.push_back(std::move(next));
    out.emplace_back(to, request(to, channels_[to].pending.back()));
    ++books_.own().commits;
  }
  return out;
}

void scheduler_core::accept(const decided& d, instant now) {
  auto& [counts, sample] = book_of(d.task);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += !granted_.insert(d.task.task).second;
#endif
  const auto delay = now - d.task.submitted;
  --counts.in_commit;
  ++counts.running;
  ++counts.placed;
  sample.delay.add(to_seconds(delay));
  sample.quality.add(machines_->score(d.machine, rules_.class_of(d.task)));
  sample.constraint_violations += rules_.violated(d.task, d.machine);
  if (limits_.source == view_source::snapshots)
    sample.placement_age.add(to_seconds(d.age));
  outcomes_.push_back({d.task.task, d.machine, true, {}, delay});
}

void scheduler_core::refuse(const decided& d, const rejection& why, instant now) {
  auto& sample = book_of(d.task).sample;
  ++sample.conflicts;
  ++sample.conflicts_by_cause[static_cast<std::size_t>(why.cause)];
  outcomes_.push_back({d.task.task, d.machine, false, why.cause, duration{0}});
  if (reclaim_ && limits_.source == view_source::snapshots)
    reclaim_->clear(d.machine);
  rules_.leave(*d.task.of, d.machine);
  auto again = d.task;
  ++again.attempts;
  if (limits_.max_attempts > 0 && again.attempts >= limits_.max_attempts) {
    abandon(again, now);
  } else {
    --book_of(again).counts.in_commit;
    put_back(again);
  }
}

const std::vector<scheduler_core::decided>* scheduler_core::find(owner_id owner,
                                                                 commit_id id) const {
  for (const auto& c : channels_.at(owner).pending)
    if (c.id == id)
      return &c.placements;
  return nullptr;
}

void scheduler_core::answer(const commit_reply& reply, instant now) {
  auto& pending = channels_.at(reply.owner).pending;
  const auto it = std::find_if(pending.begin(), pending.end(),
                               [&](const pending_commit& c) { return c.id == reply.id; });
  if (it == pending.end())
    return;
  const auto commit = std::move(*it);
  pending.erase(it);
  outcomes_.clear();
  auto refused = reply.rejections.begin();
  for (std::uint32_t i = 0; i < commit.placements.size(); ++i) {
    if (refused != reply.rejections.end() && refused->index == i)
      ++refused;
    else
      accept(commit.placements[i], now);
  }
  correct(commit, reply);
  // The first one refused ends up at the head.
  for (auto r = reply.rejections.rbegin(); r != reply.rejections.rend(); ++r) {
    const auto& d = commit.placements[r->index];
    if (tenants_ && commit.charged)
      tenants_->refund(reply.owner, d.task.tenant(), d.task.demand);
    refuse(d, *r, now);
  }
  policy_->learn(outcomes_);
  book_early(reply.owner);
  check_balance();
}

void scheduler_core::correct(const pending_commit& commit, const commit_reply& reply) {
  for (const auto& r : reply.rejections) {
    const auto& d = commit.placements.at(r.index);
    if (limits_.source == view_source::own_tasks) {
      view_.give(d.machine, d.task.demand);
      if (reclaim_)
        reclaim_->remove(d.machine, d.task.priority(), d.task.demand);
      continue;
    }
    if (limits_.source == view_source::offers) {
      offers_.give_back(d.machine, d.task.demand);
      continue;
    }
    view_.correct(d.machine, r.free, r.version);
    // What of this commit was granted on the same machine after that state was told.
    for (auto i = r.index + 1; i < commit.placements.size(); ++i)
      if (const auto& later = commit.placements[i];
          later.machine == d.machine &&
          std::ranges::none_of(reply.rejections, [&](const rejection& x) { return x.index == i; }))
        view_.take(d.machine, later.task.demand);
    recharge(reply.owner, reply.id, d.machine);
  }
}

void scheduler_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!books_.balanced())
    throw std::logic_error("the tasks of scheduler " + std::to_string(id_) + " do not balance");
#endif
}

void scheduler_core::recharge(owner_id owner, commit_id after, machine_id only) {
  const auto charge = [&](const std::vector<decided>& placements) {
    for (const auto& d : placements)
      if (d.machine == only)
        view_.take(d.machine, d.task.demand);
  };
  for (const auto& c : channels_[owner].pending)
    if (c.id > after || c.sent_again)
      charge(c.placements);
  charge(batch_);
}

void scheduler_core::recharge(std::span<const decided> placements, partition_id p) {
  for (const auto& d : placements)
    if (machines_->place_of(d.machine).partition == p)
      charge_view(d);
}

void scheduler_core::recount_tenants(const sync_update& update) {
  const auto owner = update.owner;
  tenants_->assign(owner, update.used);
  for (auto& c : channels_.at(owner).pending) {
    c.charged = c.id > update.commits_seen || c.sent_again;
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
      if (c.id > update.commits_seen || c.sent_again)
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
  if (limits_.source == view_source::own_tasks)
    release(end.machine, *jobs_.find(end.task));
  if (end.outcome == task_outcome::lost) {
    put_back(*jobs_.find(end.task));
    return;
  }
  ++(end.outcome == task_outcome::finished ? counts.finished : counts.failed);
  if (const auto response = jobs_.close(end.task, end.at)) {
    ++sample.jobs_finished;
    sample.job_response.add(to_seconds(*response));
  }
}

void scheduler_core::release(machine_id m, const waiting_task& task) {
  view_.give(m, task.demand);
  if (reclaim_)
    reclaim_->remove(m, task.priority(), task.demand);
  if (tenants_)
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
  put_back(*task);
}

void scheduler_core::change(const machine_change& change) {
  if (limits_.source != view_source::own_tasks)
    return;
  // What is charged to the machine stays charged until it is given back for another reason.
  const auto& capacity = machines_->machine(change.machine).capacity;
  if (change.present)
    view_.give(change.machine, capacity);
  else
    view_.take(change.machine, capacity);
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

std::vector<scheduler_core::outgoing> scheduler_core::overdue(instant now) {
  std::vector<outgoing> out;
  for (owner_id o = 0; o < channels_.size(); ++o)
    for (auto& c : channels_[o].pending)
      if (now - c.sent >= limits_.commit_timeout) {
        c.sent = now;
        c.sent_again = true;
        out.emplace_back(o, request(o, c));
        ++books_.own().retransmits;
      }
  return out;
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
