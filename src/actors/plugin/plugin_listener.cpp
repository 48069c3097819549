#include "actors/plugin/plugin_listener.hpp"

#include "actors/plugin/settling_commit.hpp"

#include <algorithm>
#include <limits>

namespace troupe {

// -- owners ---------------------------------------------------------------------------------------

void plugin_listener::hear(const submission& what) {
  const std::lock_guard lock{mutex_};
  ++told_;
  for (const auto& j : what.jobs)
    records_->submit(j);
}

void plugin_listener::hear(const sync_update& what) {
  const std::lock_guard lock{mutex_};
  records_->refresh(what);
}

void plugin_listener::say(owner_id to, const commit_request& what, instant now) {
  const std::lock_guard lock{mutex_};
  auto& of = channels_[to];
  if (what.id <= of.latest)
    return; // sent again
  of.latest = what.id;
  if (!settles(what.mode))
    for (const auto& p : what.placements)
      records_->commit(to, p, now);
  of.pending.emplace(what.id, what);
}

void plugin_listener::hear(const commit_reply& what, instant now) {
  const std::lock_guard lock{mutex_};
  auto& from = channels_[what.owner];
  const auto commit = from.pending.extract(what.id);
  if (commit.empty())
    return;
  ++told_;
  const auto& placements = commit.mapped().placements;
  const bool holds = commit.mapped().mode == commit_mode::hold && what.rejections.empty();
  for (std::uint32_t i = 0; i < placements.size(); ++i) {
    const auto& p = placements[i];
    const auto no = std::ranges::find(what.rejections, i, &rejection::index);
    const auto other = std::ranges::find(what.diversions, i, &diversion::index);
    if (no != what.rejections.end())
      records_->refuse(what.owner, p, *no, now);
    else if (holds && other != what.diversions.end())
      records_->divert(p.task, other->machine);
    else if (holds)
      continue; // it is in commit until that is settled
    else if (other != what.diversions.end())
      records_->grant(p.task, other->machine, true, now);
    else
      records_->grant(p.task, p.machine, false, now);
  }
  book_early(from);
}

void plugin_listener::hear(const task_report& what) {
  const std::lock_guard lock{mutex_};
  ++told_;
  auto& from = channels_[what.owner];
  if (book(from, what))
    book_early(from);
  else if (what.number > from.reports_seen)
    from.early.try_emplace(what.number, what);
}

/// Whether a report is of tasks whose grant has not arrived.
bool plugin_listener::awaits_answer(const channel& from, const task_report& report) const {
  const auto waits = [&](const auto& end) {
    return std::ranges::any_of(from.pending, [&](const auto& commit) {
      const auto& all = commit.second.placements;
      return std::ranges::find(all, end.task, &placement::task) != all.end();
    });
  };
  return std::ranges::any_of(report.ends, waits) || std::ranges::any_of(report.preempted, waits);
}

bool plugin_listener::book(channel& from, const task_report& report) {
  if (report.number != from.reports_seen + 1 || awaits_answer(from, report))
    return false;
  ++from.reports_seen;
  for (const auto& e : report.ends)
    finish(e);
  for (const auto& gone : report.preempted)
    records_->preempt(gone);
  return true;
}

void plugin_listener::book_early(channel& from) {
  while (!from.early.empty() && book(from, from.early.begin()->second))
    from.early.erase(from.early.begin());
}

void plugin_listener::finish(const task_end& end) {
  if (end.outcome == task_outcome::lost || end.outcome == task_outcome::preempted)
    records_->lose(end.task, end.at);
  else
    records_->end(end.task, end.at, fate_of(end.outcome));
}

// -- queues of machines ---------------------------------------------------------------------------

void plugin_listener::leave(const task_id& task) {
  const auto at = sent_to_.find(task);
  if (at == sent_to_.end())
    return;
  const auto there = sent_.find(at->second);
  there->second.erase(task);
  if (there->second.empty())
    sent_.erase(there);
  sent_to_.erase(at);
}

void plugin_listener::say(machine_id to, const queue_entry& what, instant now) {
  if (what.kind != entry_kind::task)
    return;
  const std::lock_guard lock{mutex_};
  leave(what.order.task);
  records_->send(what.order.task, to, now);
  sent_[to][what.order.task] = what.order.demand;
  sent_to_[what.order.task] = to;
}

void plugin_listener::say(machine_id to, const task_assignment& what, instant now) {
  if (what.none)
    return;
  const std::lock_guard lock{mutex_};
  leave(what.order.task);
  records_->send(what.order.task, to, now);
  sent_[to][what.order.task] = what.order.demand;
  sent_to_[what.order.task] = to;
}

void plugin_listener::hear(const capacity_notice& what) {
  const std::lock_guard lock{mutex_};
  ++told_;
  unheard_[what.machine].push_back(what);
}

void plugin_listener::say(machine_id to, const capacity_heard& what) {
  const std::lock_guard lock{mutex_};
  const auto notices = unheard_.find(to);
  if (notices == unheard_.end())
    return;
  for (auto& all = notices->second; !all.empty() && all.front().number <= what.number;
       all.pop_front())
    if (const auto there = sent_.find(to); there != sent_.end())
      for (const auto& [task, demand] : std::map{there->second})
        if (all.front().capacity.is_zero() || !all.front().capacity.fits(demand)) {
          leave(task);
          records_->take_back(task);
        }
  if (notices->second.empty())
    unheard_.erase(notices);
}

void plugin_listener::hear(const task_news& what) {
  const std::lock_guard lock{mutex_};
  ++told_;
  for (const auto& start : what.started) {
    leave(start.task);
    records_->start(start.task, start.machine, start.at);
  }
  for (const auto& end : what.ended)
    finish(end);
}

// -- counts ---------------------------------------------------------------------------------------

void plugin_listener::ask() {
  const std::lock_guard lock{mutex_};
  told_when_asked_ = told_;
}

void plugin_listener::say(const std::vector<group_sample>& counts, instant now) {
  const std::lock_guard lock{mutex_};
  for (const auto& g : counts) {
    auto& given_up = given_up_[g.group];
    given_up += g.sample.tasks.abandoned;
    const bool none_left = g.sample.tasks.queued + g.sample.tasks.in_commit == 0;
    if (given_up == 0 || !none_left || told_ != told_when_asked_)
      continue;
    const auto tasks = records_->waiting_of(g.group);
    if (tasks.size() > given_up)
      continue;
    for (const auto& task : tasks)
      records_->end(task, now, task_fate::abandoned);
    given_up -= tasks.size();
  }
}

// -- records --------------------------------------------------------------------------------------

record_batch plugin_listener::take(bool last) {
  const std::lock_guard lock{mutex_};
  return records_->take(last);
}

task_situation plugin_listener::situation_of(const task_id& task) const {
  const std::lock_guard lock{mutex_};
  return records_->situation_of(task);
}

} // namespace troupe
