#include "actors/plugin/plugin_member_core.hpp"
#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

// How a plugin's scheduler survives the failures of owners, and takes over from an earlier
// incarnation: that part of plugin_member_core. It follows scheduler_core_recovery.cpp.
namespace troupe {

// -- owners -------------------------------------------------------------------------------------

void plugin_member_core::reconcile(const owner_statement& statement, instant now) {
  auto& from = channels_.at(statement.owner);
  if (statement.session <= session_of(from.reports_seen))
    return;
  if (failover_.taking_over()) {
    auto& known = failover_.statements[statement.owner];
    if (statement.session > known.session)
      known = statement;
    take_over();
    return;
  }
  failover_.locate_all(statement,
                       [this](const task_id& task, machine_id machine) { locate(task, machine); });
  settle_commits(statement, now);
  settle_running(statement, now);
  settle_unsure(now);
  note_capacities(statement);
  from.early.erase(from.early.begin(), from.early.upper_bound(statement.session + 1));
  from.reports_seen = statement.session + 1;
  failover_.begin_session(statement.owner, statement.session);
  failover_.booked(statement.owner, statement.session + 1);
  book_early(statement.owner);
}

void plugin_member_core::settle_commits(const owner_statement& statement, instant now) {
  std::map<task_id, machine_id> places;
  for (const auto& r : statement.running)
    places[r.task] = r.machine;
  for (const auto& e : statement.ended)
    places[e.task] = e.machine;
  const std::set<machine_id> unknown(statement.unknown.begin(), statement.unknown.end());
  std::vector<pending_commit> again;
  for (const auto& c : std::exchange(channels_[statement.owner].pending, {})) {
    commit_reply reply{statement.owner, c.what.id, {}};
    std::set<task_id> unsure;
    for (std::uint32_t i = 0; i < c.what.placements.size(); ++i) {
      const auto& p = c.what.placements[i];
      const auto at = places.find(p.task);
      const auto may_be_on =
        std::ranges::find_if(c.what.alternatives, [&](const alternative& other) {
          return other.index == i && unknown.contains(other.machine);
        });
      if (at != places.end()) {
        if (at->second != p.machine)
          reply.diversions.push_back({i, at->second});
      } else if (unknown.contains(p.machine)) {
        unsure.insert(p.task);
      } else if (may_be_on != c.what.alternatives.end()) {
        unsure.insert(p.task);
        reply.diversions.push_back({i, may_be_on->machine});
      } else {
        reply.rejections.push_back({i, conflict_cause::gone, no_scheduler, 0, {}});
      }
    }
    const bool none = reply.rejections.size() == c.what.placements.size();
    const auto mode = c.what.mode;
    if (mode == commit_mode::hold || mode == commit_mode::release ||
        (mode == commit_mode::launch && none)) {
      again.push_back(c);
      continue;
    }
    // The plugin expects that all of it was granted, or nothing. What does not run counts as
    // granted and is reported as lost.
    const bool partly = !reply.rejections.empty() && !none;
    if (mode != commit_mode::each && partly)
      for (const auto& r : std::exchange(reply.rejections, {}))
        unsure.insert(c.what.placements[r.index].task);
    for (const auto& task : unsure)
      failover_.unsure.emplace(task, now);
    book_answer(c, reply, unsure, now);
  }
  for (auto& c : again)
    send_again(statement.owner, std::move(c), now);
}

void plugin_member_core::settle_running(const owner_statement& statement, instant now) {
  std::map<task_id, machine_id> running;
  for (const auto& r : statement.running)
    running[r.task] = r.machine;
  for (const auto& e : statement.ended)
    close(e);
  const std::set<machine_id> unknown(statement.unknown.begin(), statement.unknown.end());
  std::vector<task_place> lost;
  for (const auto& [task, machine] : failover_.running) {
    if (machine == failover_books::somewhere || owner_of(machine) != statement.owner)
      continue;
    const auto there = running.find(task);
    const bool mentioned = there != running.end() && there->second == machine;
    const bool may_run =
      unknown.contains(machine) || (!unknown.empty() && failover_.unsure.contains(task));
    if (!mentioned && !may_run && !planted(planted_fault::dropped_rejection))
      lost.push_back({task, machine});
  }
  for (const auto& [task, machine] : lost)
    if (failover_.unsure.contains(task))
      put_back(task, now);
    else
      close({task, machine, task_outcome::lost, now});
}

// -- tasks that may run -------------------------------------------------------------------------

void plugin_member_core::locate(const task_id& task, machine_id machine) {
  if (failover_.taking_over())
    return;
  auto& left = failover_.left;
  const auto of = std::ranges::find(left, task.job, [](const auto& j) { return j.what.id; });
  if (of != left.end() && !std::ranges::binary_search(of->over, task.index)) {
    failover_.running[task] = machine;
    auto job = std::move(*of);
    left.erase(of);
    resume(std::move(job));
    return;
  }
  if (failover_.unsure.erase(task) == 0)
    return;
  const auto before = std::exchange(failover_.running.at(task), machine);
  if (records_ && before != machine)
    records_->move(task, machine);
  if (before != failover_books::somewhere) {
    ++book_of(task).counts.placed;
    return;
  }
#ifdef TROUPE_CHECKS
  granted_.insert(task);
#endif
  occupy(task, machine);
}

void plugin_member_core::put_back(const task_id& task, instant now) {
  failover_.unsure.erase(task);
  failover_.running.erase(task);
#ifdef TROUPE_CHECKS
  granted_.erase(task);
#endif
  auto& counts = book_of(task).counts;
  --counts.running;
  ++counts.queued;
  if (records_)
    records_->put_back(task, now);
  queue_again(task, now);
}

void plugin_member_core::settle_unsure(instant now) {
  if (!failover_.partial.empty())
    return;
  for (auto& left : std::exchange(failover_.left, {}))
    resume(std::move(left));
  for (const auto& [task, _] : std::map(failover_.unsure))
    put_back(task, now);
}

// -- room on machines ---------------------------------------------------------------------------

/// A task that the plugin does not know takes room that its view would count as free.
void plugin_member_core::occupy(const task_id& task, machine_id machine) {
  if (rules_.own_tasks && !books_.jobs.at(task).shown)
    channels_[owner_of(machine)].next.changes.push_back(
      {machine, true, resources{} - books_.jobs.group_of(task).demand});
}

void plugin_member_core::vacate(const task_id& task, machine_id machine) {
  if (rules_.own_tasks && !books_.jobs.at(task).shown)
    channels_[owner_of(machine)].next.changes.push_back(
      {machine, true, books_.jobs.group_of(task).demand});
}

resources plugin_member_core::capacity_of(machine_id m) const {
  const auto it = reduced_.find(m);
  return it == reduced_.end() ? machines_->machine(m).capacity : it->second;
}

void plugin_member_core::set_capacity(machine_id m, const resources& capacity) {
  const auto gain = capacity - capacity_of(m);
  if (gain.is_zero())
    return;
  if (capacity == machines_->machine(m).capacity)
    reduced_.erase(m);
  else
    reduced_[m] = capacity;
  channels_[owner_of(m)].next.changes.push_back({m, !capacity.is_zero(), gain});
}

void plugin_member_core::change(const machine_change& change) {
  if (!rules_.own_tasks)
    return;
  const auto m = change.machine;
  set_capacity(m, capacity_of(m) + change.change_of(machines_->machine(m).capacity));
}

void plugin_member_core::note_capacities(const owner_statement& statement) {
  if (!rules_.own_tasks)
    return;
  std::map<machine_id, resources> now;
  for (const auto& [m, _] : reduced_)
    if (owner_of(m) == statement.owner)
      now[m] = machines_->machine(m).capacity;
  for (const auto& [m, capacity] : statement.capacities)
    now[m] = capacity;
  for (const auto& [m, capacity] : now)
    set_capacity(m, capacity);
}

// -- an earlier incarnation ---------------------------------------------------------------------

void plugin_member_core::deliver(const job_delivery& what) {
  for (const auto& next : failover_.take(what)) {
    if (failover_.taking_over()) {
      failover_.keep_left(next);
      take_over();
      continue;
    }
    std::vector<job> jobs;
    for (const auto& j : next.jobs) {
      if (records_)
        records_->submit(j.what);
      jobs.push_back(j.what);
    }
    submit(books_.add(std::move(jobs)));
  }
}

void plugin_member_core::take_over() {
  auto& books = failover_;
  if (!books.told_all())
    return;
  for (auto& left : books.take_over())
    resume(std::move(left));
  // Drop running tasks whose jobs are over: their ends come again.
  std::erase_if(books.running,
                [this](const auto& r) { return books_.jobs.find(r.first.job) == nullptr; });
  for (const auto& [owner, statement] : std::exchange(books.statements, {})) {
    note_capacities(statement);
    auto& from = channels_[owner];
    from.reports_seen = statement.session + 1;
    from.early.erase(from.early.begin(), from.early.upper_bound(statement.session + 1));
    books.begin_session(owner, statement.session);
    for (const auto& e : statement.ended)
      close(e);
    books.booked(owner, statement.session + 1);
    book_early(owner);
  }
}

void plugin_member_core::resume(kept_job left) {
  const auto id = left.what.id;
  const auto tasks = left.what.task_count();
  for (const auto i : left.over)
    failover_.running.erase({id, i});
  std::vector<task_place> placed;
  std::vector<task_place> unsure;
  std::uint64_t running = 0;
  for (std::uint32_t i = 0; i < tasks; ++i) {
    const task_id task{id, i};
    if (std::ranges::binary_search(left.over, i))
      continue;
    if (const auto at = failover_.running.find(task); at != failover_.running.end()) {
      placed.push_back({task, at->second});
    } else if (!failover_.partial.empty()) {
      failover_.running[task] = failover_books::somewhere;
      failover_.unsure.emplace(task, left.what.submitted);
      unsure.push_back({task, no_machine});
    } else {
      continue;
    }
    ++running;
  }
  books_.count_left(left, running);
  if (records_) {
    std::ranges::copy(placed, std::back_inserter(unsure));
    records_->resume(left, unsure);
  }
  submit(books_.jobs.resume(
    std::move(left), [this](const task_id& task) { return failover_.running.contains(task); }));
  for (const auto& [task, machine] : placed) {
#ifdef TROUPE_CHECKS
    granted_.insert(task);
#endif
    occupy(task, machine);
  }
}

} // namespace troupe
