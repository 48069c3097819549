#include "actors/scheduler/decisions/gang_decisions.hpp"

#include <numeric>
#include <ranges>

namespace troupe {

bool gang_decisions::possible(const waiting_task& whole) {
  if (tables_.waiting.gangs().knows(whole.task.job))
    return true;
  if (tables_.setup.offers_end_before(whole.group(), whole.count()))
    return false;
  auto task = whole;
  for (const auto& group : task.of->groups) {
    task.in = &group;
    task.demand = group.demand;
    if (!tables_.rules.possible(task))
      return false;
  }
  std::vector<partition_id> within(tables_.charged.seen().partitions());
  std::iota(within.begin(), within.end(), partition_id{0});
  if (!tables_.charged.shows_hidden())
    within = tables_.setup.limits.share.own();
  const auto need = tables_.rules.need_of(*task.of);
  const auto* tenants = tables_.charged.tenants();
  return (tenants == nullptr || tenants->may_ever_use(task.tenant(), need.total)) &&
         (tables_.setup.machines.grows() || // machines may come that hold it
          idle_machines_hold(tables_.setup.machines, within, need));
}

void gang_decisions::wake(instant now, bool gained) {
  auto& gangs = tables_.waiting.gangs();
  if (!gangs.are_due(gained, now))
    return;
  const auto ready = gangs.take(tables_.charged.seen(), tables_.charged.shows_hidden(), now);
  for (const auto& gang : ready | std::views::reverse)
    tables_.waiting.jobs().put_back(gang);
  if (gangs.left_behind())
    tables_.charged.note_gain();
}

bool gang_decisions::decide(decision_context& context, duration& cost) {
  auto& jobs = tables_.waiting.jobs();
  const auto whole = jobs.head();
  if (tables_.waiting.gangs().has_no_room(tables_.charged.seen(), whole.task.job)) {
    jobs.take_head();
    if (auto* watch = tables_.watching(whole.task.job))
      watch->note(watched::passed_over, tables_.setup.id).why = why_not(whole);
    tables_.waiting.gangs().put_again(whole, context.now);
    ends_.empty_attempt(whole.task.job, context.now);
    return true;
  }
  const auto tasks = jobs.members(whole);
  if (!tables_.batch.empty() &&
      (tables_.setup.limits.one_job || !tables_.batch.has_room(tasks.size())))
    return false;
  const auto before = tables_.batch.size();
  const auto transaction = charger_.open(whole);
  place(tasks, transaction, context);
  jobs.take_head();
  if (tables_.batch.size() - before < tasks.size()) {
    const auto found = tables_.batch.size() - before;
    while (tables_.batch.size() > before)
      charger_.take_back_last();
    if (auto* watch = tables_.watching(whole.task.job)) {
      auto& e = watch->note(watched::set_aside, tables_.setup.id);
      e.count = found;
      e.why = why_not(whole);
    }
    tables_.transactions.drop_latest();
    molder_.unmold(whole);
    put_aside(whole, context.now);
    return true;
  }
  if (whole.opens_job)
    tables_.counters.begin_job(whole, context.now);
  molder_.settle(*whole.of);
  // Not before all have a machine: one that spreads has no two tasks, or alternatives, on one.
  charger_.add_alternatives(before, context);
  tables_.waiting.gangs().placed(whole.task.job, tasks);
  tables_.counters.move(whole.group(), &task_counts::queued, &task_counts::in_commit, tasks.size());
  const auto spent = tables_.setup.gang_decision_time(whole.group(), tasks.size());
  cost += spent;
  tables_.counters.add_decision(whole.group(), spent);
  tables_.transactions[transaction].cost = spent;
  return true;
}

void gang_decisions::place(const std::vector<waiting_task>& tasks, std::uint64_t transaction,
                           decision_context& context) {
  const auto* tenants = tables_.charged.tenants();
  for (const auto& task : tasks) {
    if (tenants != nullptr && !tenants->may_use(task.tenant(), task.demand))
      return;
    const auto machine = picker_.pick(task, context, false);
    if (!machine)
      return;
    charger_.add(task, *machine, transaction, context);
  }
}

wait_reason gang_decisions::why_not(const waiting_task& whole) const {
  return tables_.charged.tenant_admits(*whole.of) ? wait_reason::gang_incomplete
                                                  : wait_reason::tenant_at_maximum;
}

void gang_decisions::put_aside(const waiting_task& whole, instant now) {
  tables_.waiting.gangs().put(whole, tables_.rules.need_of(*whole.of), tables_.charged.seen(),
                              tables_.charged.shows_hidden(), now);
  ends_.empty_attempt(whole.task.job, now);
}

} // namespace troupe
