#include "actors/scheduler_core.hpp"

#include <algorithm>

// How a scheduler survives the failures of owners, and takes over from an earlier life of itself:
// that part of scheduler_core.
namespace troupe {

namespace {

/// Returns whether any task of a job is known to run.
bool has_started(const kept_job& left, const std::map<task_id, machine_id>& running) {
  const auto first = running.lower_bound({left.what.id, 0});
  return first != running.end() && first->first.job == left.what.id;
}

} // namespace

void scheduler_core::survive(incarnation life, std::vector<std::uint32_t> stores,
                             std::uint32_t retries) {
  survival_ =
    std::make_unique<survival_books>(id_, life, channels_.size(), std::move(stores), retries);
  last_commit_ = std::uint64_t{life} << 40;
  if (life > 1 && limits_.source == view_source::snapshots)
    for (machine_id m = 0; m < machines_->machines(); ++m)
      view_.correct(m, {}, 0);
}

bool scheduler_core::forget_running(const task_id& task, machine_id machine) {
  locate(task, machine);
  const auto it = survival_->running.find(task);
  if (it == survival_->running.end() || it->second != machine)
    return false;
  survival_->running.erase(it);
  return true;
}

task_places scheduler_core::places() const {
  task_places in{true, jobs_.waiting() + jobs_.blocked() + retries_.tasks(), under_way(), 0, {}};
  gangs_.visit_aside([&in](const waiting_task& t) { in.queued += t.count(); });
  in.running = counts().running;
  if (!survival_)
    return in;
  in.running = survival_->running.size();
  in.stores = survival_->tallies();
  return in;
}

std::uint64_t scheduler_core::under_way() const {
  auto n = batch_.size();
  for (const auto& c : channels_)
    for (const auto& commit : c.pending)
      n += commit.placements.size();
  for (const auto& t : transactions_)
    n += t.over ? 0 : t.back.size();
  return n;
}

bool scheduler_core::awaits_answer(const task_id& task) const {
  return std::ranges::any_of(channels_, [&](const channel& c) {
    return std::ranges::any_of(c.pending, [&](const pending_commit& commit) {
      return std::ranges::any_of(commit.placements,
                                 [&](const decided& d) { return d.task.task == task; });
    });
  });
}

// -- owners -------------------------------------------------------------------------------------

std::vector<scheduler_core::outgoing> scheduler_core::reconcile(const owner_statement& statement,
                                                                instant now) {
  auto& from = channels_.at(statement.owner);
  if (statement.session <= session_of(from.reports_seen))
    return {};
  if (survival_->taking_over()) {
    auto& known = survival_->statements[statement.owner];
    if (statement.session > known.session)
      known = statement;
    take_over();
    return {};
  }
  locate_all(statement);
  auto early = std::exchange(from.early, {});
  auto settled = settle_commits(statement, now);
  settle_running(statement, now);
  settle_unsure();
  note_capacities(statement);
  early.erase(early.begin(), early.upper_bound(statement.session + 1));
  from.early = std::move(early);
  from.reports_seen = statement.session + 1;
  survival_->begin_session(statement.owner, statement.session);
  survival_->booked(statement.owner, statement.session + 1);
  book_early(statement.owner);
  for (auto& [to, commit] : settled) // of the session that has just begun
    commit.reports_seen = survival_->safe(to);
  check_balance();
  return settled;
}

std::vector<scheduler_core::outgoing>
scheduler_core::settle_commits(const owner_statement& statement, instant now) {
  std::map<task_id, machine_id> places;
  for (const auto& r : statement.running)
    places[r.task] = r.machine;
  for (const auto& e : statement.ended)
    places[e.task] = e.machine;
  auto& unsure = survival_->unsure;
  const std::set<machine_id> unknown(statement.unknown.begin(), statement.unknown.end());
  // Where it may run of which the owner does not know.
  const auto may_be_on = [&](const decided& d) -> std::optional<machine_id> {
    if (places.contains(d.task.task))
      return std::nullopt;
    if (unknown.contains(d.machine))
      return d.machine;
    for (const auto& other : d.others)
      if (unknown.contains(other.machine))
        return other.machine;
    return std::nullopt;
  };
  auto& pending = channels_[statement.owner].pending;
  std::vector<commit_id> ids;
  // What is only held, or to be launched and was not, is asked for again, under another number: the
  // earlier life of the owner may still answer.
  std::deque<pending_commit> kept;
  std::deque<pending_commit> again;
  for (auto& c : pending) {
    const bool may_run = c.mode == commit_mode::each || c.mode == commit_mode::together ||
                         c.mode == commit_mode::launch;
    const auto found = std::ranges::count_if(
      c.placements, [&](const decided& d) { return places.contains(d.task.task) || may_be_on(d); });
    if (!may_run || (c.mode == commit_mode::launch && found == 0)) {
      c.sent = now - limits_.commit_timeout;
      (c.held ? kept : again).push_back(std::move(c));
      continue;
    }
    if (found > 0 && static_cast<std::size_t>(found) < c.placements.size())
      c.mode = commit_mode::each;
    ids.push_back(c.id);
    kept.push_back(std::move(c));
  }
  pending = std::move(kept);
  for (auto& c : again) {
    c.id = ++last_commit_;
    pending.push_back(std::move(c));
  }
  std::vector<outgoing> settled;
  for (auto id : ids) {
    commit_reply reply{statement.owner, id, {}};
    const auto& placements = *find(statement.owner, id);
    for (std::uint32_t i = 0; i < placements.size(); ++i) {
      const auto at = places.find(placements[i].task.task);
      if (const auto unknown_place = may_be_on(placements[i])) {
        unsure.emplace(placements[i].task.task, now);
        if (*unknown_place != placements[i].machine)
          reply.diversions.push_back({i, *unknown_place});
      } else if (at == places.end())
        reply.rejections.push_back({i, conflict_cause::gone, no_scheduler, 0, {}});
      else if (at->second != placements[i].machine)
        reply.diversions.push_back({i, at->second});
    }
    std::ranges::move(answer(reply, now), std::back_inserter(settled));
  }
  return settled;
}

void scheduler_core::settle_running(const owner_statement& statement, instant now) {
  std::map<task_id, machine_id> running;
  for (const auto& r : statement.running)
    running[r.task] = r.machine;
  for (const auto& e : statement.ended)
    close(e);
  const std::set<machine_id> unknown(statement.unknown.begin(), statement.unknown.end());
  std::vector<task_place> lost;
  for (const auto& [task, machine] : survival_->running) {
    if (machine == survival_books::somewhere || owner_of(machine) != statement.owner)
      continue;
    const auto there = running.find(task);
    const bool mentioned = there != running.end() && there->second == machine;
    const bool may_run =
      unknown.contains(machine) || (!unknown.empty() && survival_->unsure.contains(task));
    if (!mentioned && !may_run)
      lost.push_back({task, machine});
  }
  for (const auto& [task, machine] : lost)
    if (survival_->unsure.contains(task))
      put_back(task);
    else
      close({task, machine, task_outcome::lost, now});
}

resources scheduler_core::capacity_of(machine_id m) const {
  const auto it = survival_->reduced.find(m);
  return it == survival_->reduced.end() ? machines_->machine(m).capacity : it->second;
}

void scheduler_core::set_capacity(machine_id m, const resources& capacity) {
  const auto gain = capacity - capacity_of(m);
  if (capacity == machines_->machine(m).capacity)
    survival_->reduced.erase(m);
  else
    survival_->reduced[m] = capacity;
  change_room(m, gain);
}

void scheduler_core::note_capacities(const owner_statement& statement) {
  if (limits_.source != view_source::own_tasks)
    return;
  std::map<machine_id, resources> now;
  for (const auto& [m, _] : survival_->reduced)
    if (owner_of(m) == statement.owner)
      now[m] = machines_->machine(m).capacity;
  for (const auto& [m, capacity] : statement.capacities)
    now[m] = capacity;
  for (const auto& [m, capacity] : now)
    set_capacity(m, capacity);
}

// -- an earlier life ----------------------------------------------------------------------------

void scheduler_core::deliver(const job_delivery& what, instant) {
  for (const auto& next : survival_->take(what)) {
    if (survival_->taking_over()) {
      auto& left = survival_->left;
      left.insert(left.end(), next.jobs.begin(), next.jobs.end());
      if (next.resumed)
        survival_->handed_over(next.store);
      take_over();
      continue;
    }
    std::vector<job> jobs;
    for (const auto& j : next.jobs)
      jobs.push_back(j.what);
    submit(std::move(jobs));
  }
}

void scheduler_core::take_over() {
  auto& books = *survival_;
  if (!books.told_all())
    return;
  books.taken_over();
  for (const auto& [owner, statement] : books.statements) {
    if (!statement.unknown.empty())
      books.partial.insert(owner);
    for (const auto& r : statement.running)
      books.running[r.task] = r.machine;
    for (const auto& e : statement.ended)
      books.running[e.task] = e.machine;
  }
  for (auto& left : std::exchange(books.left, {}))
    if (books.partial.empty() || has_started(left, books.running))
      resume(left);
    else
      books.left.push_back(std::move(left));
  // What runs of jobs that are over, or ends again, is nobody's any more.
  std::erase_if(books.running,
                [this](const auto& r) { return jobs_.find_job(r.first.job) == nullptr; });
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
  view_gained_ = true;
  check_balance();
}

void scheduler_core::resume(kept_job& left) {
  auto& j = left.what;
  rules_.submit(j);
  const auto tasks = j.task_count();
  const auto id = j.id;
  const auto group = j.group;
  std::vector<std::uint32_t> waiting;
  std::vector<task_place> placed;
  std::vector<std::uint32_t> unsure;
  auto over = left.over.begin();
  for (std::uint32_t i = 0; i < tasks; ++i) {
    if (over != left.over.end() && *over == i) {
      ++over;
      survival_->running.erase({id, i});
      continue;
    }
    if (const auto at = survival_->running.find({id, i}); at != survival_->running.end())
      placed.push_back({at->first, at->second});
    else if (!survival_->partial.empty())
      unsure.push_back(i);
    else
      waiting.push_back(i);
  }
  for (auto i : unsure) {
    survival_->running[{id, i}] = survival_books::somewhere;
    survival_->unsure.emplace(task_id{id, i}, j.submitted);
  }
  const auto unfinished = static_cast<std::uint32_t>(tasks - left.over.size());
  auto& book = books_.of(group);
  book.counts.submitted += unfinished;
  book.counts.queued += waiting.size();
  book.counts.running += placed.size() + unsure.size();
  books_.wait(group, j.submitted, static_cast<std::int64_t>(waiting.size()));
  jobs_.resume(std::move(j), waiting, unfinished, left.fate);
  for (const auto& at : placed)
    resume_running(at);
}

void scheduler_core::resume_running(const task_place& at) {
  const auto task = *jobs_.find(at.task);
#ifdef TROUPE_CHECKS
  granted_.insert(at.task);
#endif
  rules_.enter(*task.of, at.machine);
  if (limits_.source == view_source::own_tasks) {
    view_.take(at.machine, task.demand);
    if (reclaim_)
      reclaim_->add(at.machine, task.priority(), task.demand);
  }
  if (tenants_ && limits_.source == view_source::own_tasks)
    tenants_->charge(owner_of(at.machine), task.tenant(), task.demand);
}

} // namespace troupe
