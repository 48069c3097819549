#include "actors/scheduler/decisions/decision_maker.hpp"

#include "model/base/log.hpp"

#include <cassert>
#include <ranges>
#include <utility>

namespace troupe {

bool decision_maker::has_next() {
  if (tables_.setup.limits.one_job && !tables_.batch.empty())
    return tables_.waiting.jobs().continues(tables_.batch.front().task.task.job);
  return tables_.waiting.jobs().has_next();
}

void decision_maker::wake(instant now) {
  tables_.waiting.queue_ready(tables_.charged.seen(), now);
  bool gained = tables_.charged.take_gain();
  if (const auto* windows = tables_.setup.machines.windows()) {
    const auto opening = windows->next_end(now);
    if (tables_.waiting.note_opening(opening < far_future ? std::optional{opening} : std::nullopt))
      gained = true;
  }
  if (auto* line = tables_.waiting.line())
    line->begin(now, gained);
  else
    gangs_.wake(now, gained);
  picker_.expire(now);
}

bool decision_maker::possible(const waiting_task& task) {
  if (task.whole)
    return gangs_.possible(task);
  const auto* tenants = tables_.charged.tenants();
  return tables_.rules.possible(task) &&
         (tenants == nullptr || tenants->may_ever_use(task.tenant(), resource_sum{} + task.demand));
}

void decision_maker::abandon_head(instant now) {
  const auto task = tables_.waiting.jobs().take_head();
  auto& attempts = tables_.counters.of(task.group()).attempts;
  if (!task.whole) {
    attempts.unplaceable += task.count();
  } else {
    ++attempts.gangs_impossible;
    if (!std::exchange(named_impossible_, true))
      name_impossible(task);
  }
  ends_.abandon(task, &task_counts::queued, now);
}

void decision_maker::name_impossible(const waiting_task& gang) const {
  const auto& setup = tables_.setup;
  if (setup.offers_end_before(gang.group(), gang.count()))
    log::warn("scheduler {}: job {} is abandoned: the decision on its gang of {} tasks takes {} s, "
              "and offers.timeout ends offers after {} s; there may be more such jobs",
              setup.id, gang.task.job, gang.count(),
              to_seconds(setup.gang_decision_time(gang.group(), gang.count())),
              to_seconds(setup.limits.offer_timeout));
  else
    log::warn("scheduler {}: job {} is abandoned: a gang of {} tasks is more than the machines, "
              "even idle, or its tenant's maximum hold together; there may be more such jobs",
              setup.id, gang.task.job, gang.count());
}

bool decision_maker::looks_anew(const waiting_task& task) const {
  if (tables_.setup.limits.one_job)
    return tables_.batch.size() == 1;
  return task.attempts > 0 ? task.task.job != retried_ : task.opens_job;
}

bool decision_maker::place(const waiting_task& head, decision_context& context, duration& cost) {
  auto machine = picker_.pick(head, context);
  const bool preempts = !machine && !tables_.setup.limits.all_or_nothing &&
                        (machine = picker_.preempt(head, context.now));
  if (!machine)
    return false;
  const auto number = charger_.open(head);
  const auto task = tables_.waiting.jobs().take_head();
  const auto group = task.group();
  tables_.counters.move(group, &task_counts::queued, &task_counts::in_commit);
  charger_.add(task, *machine, number, context, preempts);
  const auto spent = tables_.setup.decision_time_of(group, looks_anew(task));
  cost += spent;
  tables_.counters.add_decision(group, spent);
  tables_.transactions[number].cost += spent;
  if (task.attempts > 0)
    retried_ = task.task.job;
  else if (task.opens_job)
    tables_.counters.begin_job(task, context.now);
  return true;
}

bool decision_maker::place_queued(decision_context& context, duration& cost) {
  bool gang_waits = false;
  while (may_place() && has_next()) {
    const auto& head = tables_.waiting.jobs().head();
    if (!possible(head)) {
      abandon_head(context.now);
    } else if (head.whole) {
      if ((gang_waits = !gangs_.decide(context, cost)))
        break;
    } else if (!place(head, context, cost) && !tables_.waiting.look_past()) {
      break;
    }
  }
  tables_.waiting.end_look_past();
  return !gang_waits;
}

void decision_maker::take_in(waiting_line& line, instant now) {
  auto& jobs = tables_.waiting.jobs();
  while (jobs.has_next())
    if (possible(jobs.head()))
      line.add(jobs.take_head(), now);
    else
      abandon_head(now);
}

bool decision_maker::place_in_line(waiting_line& line, decision_context& context, duration& cost) {
  auto& jobs = tables_.waiting.jobs();
  const auto now = context.now;
  room_.bring_up_to_date(line.queue(), now);
  take_in(line, now);
  const auto* tenants = tables_.charged.tenants();
  while (may_place()) {
    const auto task = line.next(now);
    if (!task) {
      line.end(now);
      break;
    }
    if (tenants != nullptr && !tenants->may_use(task->tenant(), line.queue().last().need)) {
      line.hold_back(*task, now);
      continue;
    }
    if (tables_.setup.limits.one_job && !tables_.batch.empty() &&
        tables_.batch.front().task.task.job != task->task.job) {
      line.leave(*task);
      break;
    }
    // It is decided on as the head of a queue of one.
    const auto before = tables_.batch.size();
    const bool whole = task->whole;
    if (whole && task->of->mold.is_open())
      molder_.mold(*task, line.queue().last().tasks);
    jobs.put_back(*task);
    const bool waits = whole && !gangs_.decide(context, cost);
    if (!whole)
      place(jobs.head(), context, cost);
    if (tables_.batch.size() > before) {
      line.started(now);
      continue;
    }
    const auto back = waits || !whole ? std::optional{jobs.take_head()}
                                      : tables_.waiting.gangs().drop(task->task.job);
    if (!back)
      continue; // it was abandoned
    if (waits) {
      molder_.unmold(*back);
      line.leave(*back);
      return false;
    }
    line.has_no_place(*back, now);
  }
  return true;
}

std::optional<duration> decision_maker::decide(instant now, std::optional<instant> from) {
  assert(tables_.batch.empty());
  tables_.charged.seen().prefetch_fresh_sums();
  wake(now);
  tables_.counters.begin_decision(from.value_or(now));
  if (auto* records = tables_.records())
    records->begin_decision(now);
  decision_context context{now, tables_.random, tables_.setup.limits.sync_gap,
                           tables_.setup.machines.partitions(), tables_.setup.limits.schedulers};
  duration cost{0};
  retried_ = ~job_id{0};
  auto* line = tables_.waiting.line();
  const bool gang_waits =
    line != nullptr ? !place_in_line(*line, context, cost) : !place_queued(context, cost);
  auto& gangs = tables_.waiting.gangs();
  gangs.cut_short(gang_waits || !may_place() ||
                  (tables_.setup.limits.one_job && !tables_.batch.empty()));
  if (!tables_.batch.empty())
    return cost;
  return tables_.charged.has_gained() && gangs.any() && !gangs.was_cut_short() ? decide(now, from)
                                                                               : std::nullopt;
}

void decision_maker::withdraw(instant now) {
  tables_.counters.give_up_decision(now);
  tables_.batch.shorten();
  for (const auto& d : tables_.batch | std::views::reverse) {
    tables_.counters.move(d.task.group(), &task_counts::in_commit, &task_counts::queued);
    const bool gang = tables_.transactions[d.transaction].gang;
    auto task = d.task;
    task.whole = gang && task.task.index == 0;
    if (!gang || task.whole)
      tables_.waiting.jobs().put_back(task);
    tables_.rules.leave(*d.task.of, d.machine);
    tables_.charged.release(d.machine, d.task);
    if (auto* line = tables_.waiting.line())
      line->end_run(d.task.task, now);
  }
  tables_.batch.clear();
  tables_.transactions.drop_uncommitted();
}

} // namespace troupe
