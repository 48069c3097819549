#include "actors/plugin/plugin_member_core.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

/// A scheduler counts its commits behind those of its earlier incarnations.
constexpr unsigned bits_of_commits = 40;

} // namespace

plugin_member_core::plugin_member_core(plugin_member_rules rules, const catalog& machines,
                                       std::vector<owner_id> owner_of, instant now,
                                       std::unique_ptr<plugin_records> records)
  : rules_(std::move(rules)),
    machines_(&machines),
    owner_of_(std::move(owner_of)),
    channels_(1 + *std::ranges::max_element(owner_of_)),
    books_(rules_.group, rules_.warmup, now),
    records_(std::move(records)),
    failover_(rules_.id, rules_.incarnation, channels_.size(), rules_.stores, rules_.retries) {}

commit_id plugin_member_core::number_of(commit_id of_plugin) const {
  return (commit_id{rules_.incarnation} << bits_of_commits) + of_plugin;
}

commit_id plugin_member_core::plugin_number(commit_id id) const {
  const auto base = number_of(0);
  return id >= base ? id - base : 0;
}

void plugin_member_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!books_.counters().balanced())
    throw std::logic_error("the tasks of scheduler " + std::to_string(rules_.id) +
                           " do not balance");
#endif
}

// -- what goes out ------------------------------------------------------------------------------

void plugin_member_core::tell(plugin_message what) {
  ++told_count_;
  told_.push_back(std::move(what));
}

void plugin_member_core::submit(std::vector<job> jobs) {
  if (!jobs.empty())
    tell(submission{std::move(jobs)});
}

void plugin_member_core::flush_reports() {
  for (owner_id o = 0; o < channels_.size(); ++o) {
    auto& to = channels_[o];
    if (to.next.ends.empty() && to.next.changes.empty() && to.next.preempted.empty())
      continue;
    to.next.owner = o;
    to.next.number = ++to.told;
    tell(std::exchange(to.next, {}));
  }
  check_balance();
}

std::vector<plugin_member_core::plugin_message> plugin_member_core::take_told() {
  flush_reports();
  return std::exchange(told_, {});
}

std::vector<std::pair<owner_id, commit_request>> plugin_member_core::take_commits() {
  return std::exchange(commits_, {});
}

void plugin_member_core::send(owner_id owner, const pending_commit& commit) {
  auto request = commit.what;
  request.answered_below = channels_[owner].pending.front().what.id;
  request.reports_seen = failover_.safe(owner);
  commits_.emplace_back(owner, std::move(request));
}

void plugin_member_core::repeat(instant now) {
  for (owner_id o = 0; o < channels_.size(); ++o)
    for (auto& c : channels_[o].pending)
      if (now - c.sent >= rules_.commit_timeout) {
        c.sent = now;
        send(o, c);
        ++own_sample().retransmits;
      }
}

// -- commits ------------------------------------------------------------------------------------

void plugin_member_core::commit(owner_id owner, commit_request wanted, instant now) {
  auto& to = channels_.at(owner);
  if (wanted.id <= to.latest)
    return;
  to.latest = wanted.id;
  ++commit_count_;
  const bool open = std::ranges::all_of(wanted.placements, [&](placement& p) {
    const auto task = books_.jobs.named(p.task);
    if (!task || books_.jobs.at(*task).at != place::queued)
      return false;
    p.task = *task;
    return true;
  });
  if (!open) {
    refuse_all(owner, wanted);
    return;
  }
  for (auto& p : wanted.placements) {
    if (machines_->windows() != nullptr)
      p.estimate = books_.jobs.find(p.task.job)->estimate;
    books_.jobs.at(p.task).at = place::in_commit;
    auto& counts = book_of(p.task).counts;
    --counts.queued;
    ++counts.in_commit;
    if (records_)
      records_->commit(owner, p, now);
  }
  wanted.id = number_of(wanted.id);
  to.pending.push_back({std::move(wanted), now});
  send(owner, to.pending.back());
}

void plugin_member_core::refuse_all(owner_id owner, const commit_request& wanted) {
  commit_reply reply{owner, wanted.id, {}};
  for (std::uint32_t i = 0; i < wanted.placements.size(); ++i)
    reply.rejections.push_back({i, conflict_cause::gone, no_scheduler, 0, {}});
  tell(std::move(reply));
}

void plugin_member_core::answer(const commit_reply& reply, instant now) {
  auto& pending = channels_.at(reply.owner).pending;
  const auto it = std::ranges::find(pending, reply.id, [](const auto& c) { return c.what.id; });
  if (it == pending.end())
    return;
  const auto commit = std::move(it->what);
  pending.erase(it);
  book_answer(commit, reply, {}, now);
  book_early(reply.owner);
}

void plugin_member_core::book_answer(const commit_request& commit, const commit_reply& reply,
                                     const std::set<task_id>& unsure, instant now) {
  for (std::uint32_t i = 0; i < commit.placements.size(); ++i) {
    const auto& p = commit.placements[i];
    const auto why = std::ranges::find(reply.rejections, i, &rejection::index);
    if (why != reply.rejections.end()) {
      refuse(p.task, why->cause);
      if (records_)
        records_->refuse(reply.owner, p, *why, now);
      continue;
    }
    const auto other = std::ranges::find(reply.diversions, i, &diversion::index);
    const bool diverted = other != reply.diversions.end();
    const auto machine = diverted ? other->machine : p.machine;
    const bool sure = !unsure.contains(p.task);
    accept(p.task, machine, sure);
    if (records_ && sure)
      records_->grant(p.task, machine, diverted, now);
    else if (records_)
      records_->run_before(p.task, machine);
  }
  auto told = reply;
  told.id = plugin_number(reply.id);
  tell(std::move(told));
}

void plugin_member_core::accept(const task_id& task, machine_id machine, bool sure) {
  auto& record = books_.jobs.at(task);
  record.at = place::running;
  record.machine = machine;
  failover_.running[task] = machine;
  auto& [counts, sample] = book_of(task);
  --counts.in_commit;
  ++counts.running;
  counts.placed += sure;
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += !granted_.insert(task).second;
#endif
}

void plugin_member_core::refuse(const task_id& task, conflict_cause cause) {
  books_.jobs.at(task).at = place::queued;
  auto& [counts, sample] = book_of(task);
  --counts.in_commit;
  ++counts.queued;
  if (cause == conflict_cause::aborted) {
    ++sample.attempts.aborted;
    return;
  }
  ++sample.conflicts;
  ++sample.conflicts_by_cause[static_cast<std::size_t>(cause)];
}

void plugin_member_core::refresh(sync_update update) {
  update.commits_seen = plugin_number(update.commits_seen);
  if (records_)
    records_->refresh(update);
  tell(std::move(update));
}

bool plugin_member_core::awaits_answer(const task_id& task) const {
  return books_.jobs.find(task.job) != nullptr && books_.jobs.at(task).at == place::in_commit;
}

bool plugin_member_core::awaits_answer(const task_report& report) const {
  const auto& pending = channels_.at(report.owner).pending;
  const auto waits = [&](const auto& end) {
    return awaits_answer(end.task) && std::ranges::any_of(pending, [&](const pending_commit& c) {
             return std::ranges::find(c.what.placements, end.task, &placement::task) !=
                    c.what.placements.end();
           });
  };
  return std::ranges::any_of(report.ends, waits) || std::ranges::any_of(report.preempted, waits);
}

std::uint64_t plugin_member_core::under_way() const {
  std::uint64_t n = 0;
  for (const auto& c : channels_)
    for (const auto& commit : c.pending)
      n += commit.what.placements.size();
  return n;
}

// -- ends of tasks ------------------------------------------------------------------------------

void plugin_member_core::report(const task_report& report) {
  auto& from = channels_.at(report.owner);
  if (book(report))
    book_early(report.owner);
  else if (report.number > from.reports_seen)
    from.early.try_emplace(report.number, report);
}

bool plugin_member_core::book(const task_report& report) {
  auto& seen = channels_[report.owner].reports_seen;
  if (report.number != seen + 1 || awaits_answer(report))
    return false;
  ++seen;
  for (const auto& e : report.ends)
    close(e);
  for (const auto& gone : report.preempted)
    requeue(gone);
  for (const auto& c : report.changes)
    change(c);
  failover_.booked(report.owner, report.number);
  return true;
}

void plugin_member_core::book_early(owner_id owner) {
  auto& early = channels_[owner].early;
  while (!early.empty() && book(early.begin()->second))
    early.erase(early.begin());
}

bool plugin_member_core::forget_running(const task_id& task, machine_id machine) {
  locate(task, machine);
  const auto it = failover_.running.find(task);
  if (it == failover_.running.end() || it->second != machine)
    return false;
  failover_.running.erase(it);
  return true;
}

void plugin_member_core::tell_end(const plugin_jobs::task_record& was, task_outcome outcome,
                                  instant at) {
  if (was.shown)
    channels_[owner_of(was.machine)].next.ends.push_back({was.seen, was.machine, outcome, at});
}

void plugin_member_core::close(const task_end& end) {
  if (!forget_running(end.task, end.machine))
    return;
  if (books_.jobs.find(end.task.job) == nullptr) { // its job is over: it must have run twice
    ++own_sample().duplicate_grants;
    return;
  }
  auto& [counts, sample] = book_of(end.task);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += granted_.erase(end.task) == 0;
#endif
  --counts.running;
  vacate(end.task, end.machine);
  if (end.outcome == task_outcome::lost && failover_.may_retry(end.task)) {
    ++counts.queued;
    if (records_)
      records_->lose(end.task, end.at);
    queue_again(end.task, end.at);
    return;
  }
  // The plugin would place a lost task again.
  const bool lost = end.outcome == task_outcome::lost;
  tell_end(books_.jobs.at(end.task), lost ? task_outcome::failed : end.outcome, end.at);
  close_for_good(end.task, end.at, fate_of(end.outcome));
}

void plugin_member_core::close_for_good(const task_id& task, instant at, task_fate fate) {
  failover_.over(task, fate);
  if (records_)
    records_->end(task, at, fate);
  submit(books_.close(task, at, fate));
}

void plugin_member_core::requeue(const preempted_task& gone) {
  if (!forget_running(gone.task, gone.machine))
    return;
  if (books_.jobs.find(gone.task.job) == nullptr) {
    ++own_sample().duplicate_grants;
    return;
  }
  auto& [counts, sample] = book_of(gone.task);
#ifdef TROUPE_CHECKS
  sample.duplicate_grants += granted_.erase(gone.task) == 0;
#endif
  --counts.running;
  ++counts.queued;
  ++sample.preempted.tasks;
  if (records_)
    records_->preempt(gone);
  vacate(gone.task, gone.machine);
  books_.jobs.put_back(gone.task);
  const auto& record = books_.jobs.at(gone.task);
  if (record.shown)
    channels_[owner_of(record.machine)].next.preempted.push_back(
      {record.seen, record.machine, gone.at, gone.ran});
  else
    submit(books_.jobs.release(gone.task.job));
}

void plugin_member_core::queue_again(const task_id& task, instant at) {
  books_.jobs.put_back(task);
  const auto& record = books_.jobs.at(task);
  if (record.shown)
    tell_end(record, task_outcome::lost, at);
  else
    submit(books_.jobs.release(task.job));
}

std::uint64_t plugin_member_core::abandon_queued(std::uint32_t group, std::uint64_t given_up,
                                                 instant now) {
  const auto tasks = books_.abandoned(group, given_up);
  for (const auto& task : tasks) {
    --book_of(task).counts.queued;
    close_for_good(task, now, task_fate::abandoned);
  }
  return tasks.size();
}

// -- jobs and counts ----------------------------------------------------------------------------

task_places plugin_member_core::places() const {
  return {true, books_.jobs.count(place::held) + books_.jobs.count(place::queued), under_way(),
          failover_.running.size(), failover_.tallies()};
}

std::vector<group_sample> plugin_member_core::take_samples(std::vector<group_sample> of_plugin,
                                                           instant now) {
  return books_.take_samples(std::move(of_plugin), failover_.left, now);
}

} // namespace troupe
