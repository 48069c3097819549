#include "actors/scheduler/queue/task_closer.hpp"

#include <algorithm>
#include <vector>

namespace troupe {

namespace {

/// Where a task is counted that is over for good.
scheduler_counters::place place_of_fate(task_fate fate) {
  if (fate == task_fate::lost)
    return &task_counts::lost;
  return fate == task_fate::finished ? &task_counts::finished : &task_counts::failed;
}

} // namespace

void task_closer::end(const task_end& end) {
  auto& jobs = tables_.waiting.jobs();
  const auto* of = jobs.find_job(end.task.job);
  if (of == nullptr) {
    tables_.counters.ran_twice();
    return;
  }
  const auto group = of->group;
  tables_.counters.end_run(group, end.task);
  if (auto* line = tables_.waiting.line())
    line->end_run(end.task, end.at);
  tables_.rules.leave(*of, end.machine);
  if (tables_.setup.learns_from_own_tasks() ||
      (tables_.setup.learns_from_offers() && tables_.charged.tenants() != nullptr))
    tables_.charged.end(end.machine, *jobs.find(end.task));
  else if (tables_.setup.limits.own_ends && tables_.setup.learns_from_snapshots() &&
           end.outcome != task_outcome::lost)
    tables_.charged.foresee_end(end.machine, jobs.find(end.task)->demand);
  if (end.outcome == task_outcome::lost &&
      (!tables_.failover || tables_.failover->may_retry(end.task))) {
    auto again = *jobs.find(end.task);
    again.submitted = end.at;
    if (auto* records = tables_.records())
      records->lose(end.task, end.at);
    tables_.counters.move(group, &task_counts::running, &task_counts::queued);
    wait_again(again, end.at);
    return;
  }
  auto fate = fate_of(end.outcome);
  if (fate == task_fate::finished && !tables_.setup.limits.kills.empty() &&
      tables_.setup.kills(*of, jobs.find(end.task)->runtime))
    fate = task_fate::failed;
  if (tables_.failover)
    tables_.failover->over(end.task, fate);
  tables_.counters.move(group, &task_counts::running, place_of_fate(fate));
  close(group, end.task, end.at, fate, tables_.setup.is_warm(of->submitted));
}

void task_closer::preempt(const preempted_task& gone) {
  auto task = tables_.waiting.jobs().find(gone.task);
  if (!task) {
    tables_.counters.ran_twice();
    return;
  }
  tables_.counters.end_run(task->group(), gone.task);
  if (auto* line = tables_.waiting.line())
    line->end_run(gone.task, gone.at);
  tables_.rules.leave(*task->of, gone.machine);
  if (tables_.setup.learns_from_own_tasks())
    tables_.charged.release(gone.machine, *task);
  tables_.counters.preempted(*task, gone.ran);
  if (auto* records = tables_.records())
    records->preempt(gone.task, gone.at, gone.ran);
  task->submitted = gone.at;
  tables_.counters.move(task->group(), &task_counts::running, &task_counts::queued);
  wait_again(*task, gone.at);
}

void task_closer::put_back(const task_id& task, std::optional<machine_id> at, instant since) {
  const auto what = *tables_.waiting.jobs().find(task);
  if (at) {
    tables_.counters.forget_run(task);
    if (auto* line = tables_.waiting.line())
      line->end_run(task, since);
    tables_.rules.leave(*what.of, *at);
    tables_.charged.end(*at, what);
  }
  tables_.counters.move(what.group(), &task_counts::running, &task_counts::queued);
  if (auto* records = tables_.records())
    records->put_back(task, since);
  wait_again(what, since);
}

void task_closer::wait_again(const waiting_task& task, instant since) {
  auto& jobs = tables_.waiting.jobs();
  if (jobs.given_up(task.task.job)) {
    tables_.counters.wait(task.group(), since, 1); // for no time
    return abandon(task, &task_counts::queued, since);
  }
  const auto blocked = jobs.blocked();
  jobs.put_back(task);
  if (jobs.blocked() == blocked)
    tables_.counters.wait(task.group(), since, 1);
}

void task_closer::close(std::uint32_t group, const task_id& task, instant at, task_fate fate,
                        bool warm) {
  auto& jobs = tables_.waiting.jobs();
  if (auto* records = tables_.records())
    records->end(task, at, fate);
  const auto blocked = jobs.blocked();
  const auto over = jobs.close(task, at, fate);
  if (const auto released = blocked - jobs.blocked(); released > 0)
    tables_.counters.wait(group, at, static_cast<std::int64_t>(released));
  if (over)
    tables_.counters.job_over(group, *over, warm);
}

void task_closer::abandon(const waiting_task& task, scheduler_counters::place from, instant now) {
  // The job of `task` may end with it.
  const auto id = task.task;
  const auto group = task.group();
  const auto tasks = task.count();
  const bool warm = tables_.setup.is_warm(task.of->submitted);
  tables_.counters.move(group, from, &task_counts::abandoned, tasks);
  tables_.counters.given_up(task, now);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    const task_id of_gang{id.job, id.index + i};
    if (tables_.failover)
      tables_.failover->over(of_gang, task_fate::abandoned);
    close(group, of_gang, now, task_fate::abandoned, warm);
  }
}

void task_closer::abandon_job(job_id id, instant now) {
  auto& jobs = tables_.waiting.jobs();
  jobs.give_up(id);
  const auto give_up = [&](const std::vector<waiting_task>& tasks) {
    for (const auto& t : tasks)
      abandon(t, &task_counts::queued, now);
  };
  const auto* of = jobs.find_job(id);
  const auto group = of != nullptr ? of->group : 0;
  const auto blocked = jobs.blocked();
  const auto dropped = jobs.drop(id);
  if (const auto never = blocked - jobs.blocked(); never > 0) // they are given up with the others
    tables_.counters.wait(group, now, static_cast<std::int64_t>(never));
  give_up(dropped);
  give_up(tables_.waiting.drop_retries(id));
  if (const auto gang = tables_.waiting.gangs().drop(id))
    give_up({*gang});
  if (auto* line = tables_.waiting.line())
    give_up(line->drop(id, now));
}

void task_closer::withdraw_jobs(instant now) {
  if (!tables_.failover || tables_.failover->withdrawn.empty() || tables_.failover->taking_over())
    return;
  auto& books = *tables_.failover;
  std::erase_if(books.withdrawn, [&](job_id id) {
    if (std::ranges::find(books.left, id, [](const auto& j) { return j.what.id; }) !=
        books.left.end())
      return false;
    if (tables_.waiting.jobs().find_job(id) != nullptr)
      abandon_job(id, now);
    return true;
  });
  tables_.charged.note_gain(); // what waited behind them is looked at
}

void task_closer::empty_attempt(job_id id, instant now) {
  const auto most = tables_.setup.limits.max_empty_attempts;
  if (most > 0 && tables_.waiting.jobs().note_empty_attempt(id) >= most)
    abandon_job(id, now);
}

} // namespace troupe
