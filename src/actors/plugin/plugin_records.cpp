#include "actors/plugin/plugin_records.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace troupe {

namespace {

/// The group of a task of a job, by index.
const task_group& group_in(const job& of, std::uint32_t task) {
  std::size_t g = 0;
  while (g + 1 < of.groups.size() && task >= of.groups[g].count)
    task -= of.groups[g++].count;
  return of.groups[g];
}

} // namespace

plugin_records::plugin_records(record_level level, scheduler_id id, const catalog& machines,
                               std::vector<owner_id> owner_of, task_watch* watch)
  : machines_(&machines),
    outbox_(record_book{level, id, machines, owner_of, watch, wait_reason::with_plugin}),
    taken_at_(owner_of.size(), no_instant) {}

std::unique_ptr<plugin_records> plugin_records::make(record_level level, scheduler_id id,
                                                     const catalog& machines,
                                                     std::vector<owner_id> owner_of,
                                                     task_watch* watch) {
  if (level == record_level::none)
    return nullptr;
  return std::make_unique<plugin_records>(level, id, machines, std::move(owner_of), watch);
}

const plugin_records::task_note* plugin_records::find(const task_id& task) const {
  const auto it = notes_.find(task);
  return it == notes_.end() ? nullptr : &it->second;
}

instant plugin_records::queued_since(const task_id& task) const {
  const auto* note = find(task);
  return note != nullptr && note->since != no_instant ? note->since
                                                      : outbox_.book().eligible_since(task);
}

double plugin_records::quality(const task_id& task, machine_id machine) const {
  const auto task_class =
    machines_->task_classes() > 1 ? group_in(jobs_.at(task.job), task.index).task_class : 0;
  return machines_->score(machine, task_class);
}

// -- jobs -----------------------------------------------------------------------------------------

void plugin_records::submit(const job& taken) {
  const auto [it, is_new] = jobs_.try_emplace(taken.id, taken);
  if (is_new)
    book().submit(it->second);
}

void plugin_records::resume(const kept_job& left, const std::vector<task_place>& running) {
  submit(left.what);
  book().close_before(left.what.id, left.over, left.fate);
  for (const auto& at : running)
    run_before(at.task, at.machine);
}

// -- owners ---------------------------------------------------------------------------------------

void plugin_records::refresh(const sync_update& update) {
  for (const auto& p : update.partitions)
    if (p.partition < taken_at_.size())
      taken_at_[p.partition] = std::max(taken_at_[p.partition], p.taken_at);
}

void plugin_records::commit(owner_id owner, const placement& p, instant now) {
  if (!knows(p.task))
    return;
  auto& note = notes_[p.task];
  const auto taken_at = taken_at_.at(machines_->place_of(p.machine).partition);
  note.at = place::in_commit;
  note.machine = p.machine;
  note.owner = owner;
  note.sent = now;
  note.age = taken_at == no_instant ? unknown_time : now - taken_at;
  ++note.attempts;
  book().decide(p.task, queued_since(p.task), note.age, now, p.machine);
}

void plugin_records::grant(const task_id& task, machine_id machine, bool diverted, instant now) {
  if (!knows(task))
    return;
  auto& note = notes_[task];
  note.at = place::running;
  note.machine = machine;
  if (diverted)
    book().divert(task);
  book().grant(task, {machine, queued_since(task), now, quality(task, machine), note.age});
}

void plugin_records::divert(const task_id& task, machine_id machine) {
  if (!knows(task))
    return;
  notes_[task].machine = machine;
  book().divert(task);
}

void plugin_records::run_before(const task_id& task, machine_id machine) {
  if (!knows(task))
    return;
  auto& note = notes_[task];
  note.at = place::running;
  note.machine = machine;
  book().run_before(task, machine);
}

void plugin_records::refuse(owner_id owner, const placement& p, const rejection& why, instant now) {
  if (!knows(p.task))
    return;
  auto& note = notes_[p.task];
  attempt_record refusal;
  refusal.at = now;
  refusal.task = p.task;
  refusal.attempt = note.attempts;
  refusal.owner = owner;
  refusal.machine = p.machine;
  refusal.cause = why.cause;
  refusal.winner = why.winner;
  refusal.view_age = note.age;
  refusal.free = why.free;
  refusal.asked = p.demand;
  note.at = place::with_plugin;
  note.machine = no_machine;
  note.owner = no_scheduler;
  book().refuse(refusal);
  book().retry(p.task, no_instant, wait_reason::with_plugin);
}

// -- queues of machines ---------------------------------------------------------------------------

void plugin_records::send(const task_id& task, machine_id machine, instant now) {
  if (!knows(task))
    return;
  // A plugin that watches machines itself may know that they are gone before anybody tells it.
  if (const auto* note = find(task); note != nullptr && note->at == place::running)
    lose(task, now);
  auto& note = notes_[task];
  note.at = place::in_commit;
  note.machine = machine;
  note.sent = now;
  book().send(task, machine);
}

void plugin_records::take_back(const task_id& task) {
  if (!knows(task))
    return;
  auto& note = notes_[task];
  note.at = place::with_plugin;
  note.machine = no_machine;
  book().queue_again(task);
}

void plugin_records::start(const task_id& task, machine_id machine, instant at) {
  if (!knows(task))
    return;
  const auto queued = queued_since(task);
  auto& note = notes_[task];
  note.at = place::running;
  note.machine = machine;
  book().start(task, {machine, queued, at, quality(task, machine)});
}

// -- ends -----------------------------------------------------------------------------------------

void plugin_records::wait_again(const task_id& task, instant since) {
  notes_[task] = {};
  notes_[task].since = since;
}

void plugin_records::lose(const task_id& task, instant at) {
  if (!knows(task))
    return;
  book().lose(task, at);
  wait_again(task, at);
}

void plugin_records::preempt(const preempted_task& gone) {
  if (!knows(gone.task))
    return;
  book().preempt(gone.task, gone.at, gone.ran);
  wait_again(gone.task, gone.at);
}

void plugin_records::put_back(const task_id& task, instant since) {
  if (!knows(task))
    return;
  book().put_back(task, since);
  wait_again(task, since);
}

void plugin_records::move(const task_id& task, machine_id machine) {
  if (!knows(task))
    return;
  notes_[task].machine = machine;
  book().move(task, machine);
}

void plugin_records::end(const task_id& task, instant at, task_fate fate) {
  if (!knows(task))
    return;
  book().end(task, at, fate);
  notes_.erase(task);
  if (!book().is_open(task.job))
    jobs_.erase(task.job);
  else
    tell_released(task.job);
}

/// Tells the watch which tasks of a job wait with the plugin now, as those before them are over.
void plugin_records::tell_released(job_id id) {
  auto* watch = book().watching(id);
  if (watch == nullptr)
    return;
  std::uint32_t task = 0;
  for (const auto& g : jobs_.at(id).groups)
    for (std::uint32_t i = 0; i < g.count; ++i, ++task)
      if (!g.after.empty() && book().waits({id, task}) && !notes_.contains({id, task}) &&
          !book().waits_for_others({id, task}))
        watch->note(watched::reason, book().scheduler(), task).why = wait_reason::with_plugin;
}

std::vector<task_id> plugin_records::waiting_of(std::uint32_t group) const {
  std::vector<task_id> all;
  for (const auto& [id, j] : jobs_)
    for (std::uint32_t i = 0; j.group == group && i < j.task_count(); ++i)
      if (const task_id task{id, i}; outbox_.book().waits(task)) {
        const auto* note = find(task);
        if (note == nullptr || note->at == place::with_plugin)
          all.push_back(task);
      }
  std::ranges::sort(all);
  return all;
}

// -- records --------------------------------------------------------------------------------------

wait_reason plugin_records::why_waits(const task_id& task) const {
  const auto* note = find(task);
  if (note != nullptr && note->at == place::in_commit)
    return note->owner == no_scheduler ? wait_reason::reserved : wait_reason::in_commit;
  return outbox_.book().waits_for_others(task) ? wait_reason::waits_for_group
                                               : wait_reason::with_plugin;
}

record_book::reason_lookup plugin_records::reasons() const {
  return [this](const task_id& task) { return why_waits(task); };
}

task_situation plugin_records::situation_of(const task_id& task) const {
  task_situation in;
  const auto it = jobs_.find(task.job);
  if (it == jobs_.end() || task.index >= it->second.task_count())
    return in;
  const auto& j = it->second;
  const auto& group = group_in(j, task.index);
  const auto* note = find(task);
  in.scheduler = outbox_.book().scheduler();
  in.wish = {group.demand, group.constraints, machines_->task_classes() > 1 ? group.task_class : 0,
             j.spread};
  in.tenant = j.tenant;
  in.priority = j.priority;
  if (j.gang)
    in.tasks = j.task_count();
  if (outbox_.book().is_over(task)) {
    in.where = task_situation::place::over;
  } else if (note == nullptr || note->at == place::with_plugin) {
    in.where = task_situation::place::waits;
    in.why = why_waits(task);
    in.since = queued_since(task);
  } else {
    const bool runs = note->at == place::running;
    in.where = runs ? task_situation::place::running : task_situation::place::in_commit;
    in.why = runs ? wait_reason::none : why_waits(task);
    in.since = runs ? no_instant : note->sent;
    in.machine = note->machine;
    in.owner = runs ? no_scheduler : note->owner;
  }
  return in;
}

} // namespace troupe
