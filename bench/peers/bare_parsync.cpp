#include "peers/bare_parsync.hpp"

#include <algorithm>

namespace troupe::peers {

namespace {

double seconds(std::uint32_t steps) {
  return static_cast<double>(steps) / parsync_setup::steps_per_second;
}

} // namespace

bare_parsync::bare_parsync(const parsync_setup& setup)
  : setup_(setup),
    machines_(setup.machines, setup.partitions, setup.sigma, setup.seed),
    random_(setup.seed),
    truth_(machines_, setup.slots, false),
    schedulers_(setup.schedulers, scheduler(machines_, setup)),
    ends_(setup.tick, setup.task + setup.tick) {}

peer_figures bare_parsync::run() {
  for (now_ = 0; now_ < setup_.end; ++now_) {
    grant();
    finish_tasks();
    synchronise();
    submit();
    hear_answers();
    for (std::uint32_t s = 0; s < setup_.schedulers; ++s)
      decide(s);
  }
  return figures_;
}

/// Owners grant the placements that still fit, in the order in which they have arrived.
void bare_parsync::grant() {
  arriving_.swap(commits_);
  commits_.clear();
  returned_.swap(refused_);
  refused_.clear();
  const auto answered = now_ + parsync_setup::latency;
  for (const auto& p : arriving_) {
    if (truth_.free(p.machine) == 0) {
      refused_.push_back(p);
      continue;
    }
    truth_.change(p.machine, -1);
    ends_.add(now_ + setup_.task, {p.machine, p.task.job});
    const auto delay = seconds(answered - p.task.submitted);
    figures_.delay += delay;
    figures_.quality += machines_.score[p.machine];
    ++figures_.tasks;
    schedulers_[p.scheduler].delays_heard += delay;
    ++schedulers_[p.scheduler].tasks_heard;
  }
  figures_.conflicts += refused_.size();
}

void bare_parsync::finish_tasks() {
  ends_.take(now_, [this](const task_finish& end) {
    truth_.change(end.machine, 1);
    if (--left_[end.job] > 0)
      return;
    ++figures_.jobs;
    figures_.response += seconds(now_ - submitted_[end.job]);
  });
}

/// In turn, each scheduler gets the partitions whose number plus the round leaves its own number as
/// the remainder. What it decides on now is charged to them again.
void bare_parsync::synchronise() {
  const auto groups = setup_.full_sync ? 1 : setup_.schedulers;
  const auto every = setup_.gap / groups;
  if (now_ % every != 0)
    return;
  const auto round = now_ / every;
  for (std::uint32_t s = 0; s < setup_.schedulers; ++s) {
    auto& to = schedulers_[s];
    to.freshest = (s % groups + groups - round % groups) % groups;
    for (auto p = to.freshest; p < setup_.partitions; p += groups)
      to.view.copy(truth_, p);
    for (const auto& p : to.batch)
      if (machines_.partition_of(p.machine) % groups == to.freshest && to.view.free(p.machine) > 0)
        to.view.change(p.machine, -1);
  }
}

/// Jobs come at equal intervals and go to the schedulers in turn.
void bare_parsync::submit() {
  const auto phase = std::min<std::size_t>(now_ / setup_.phase, setup_.loads.size() - 1);
  const auto capacity = static_cast<double>(setup_.schedulers) / setup_.decision;
  due_jobs_ += setup_.loads[phase] * capacity / setup_.tasks_per_job;
  for (; due_jobs_ >= 1; due_jobs_ -= 1) {
    const auto job = static_cast<std::uint32_t>(left_.size());
    left_.push_back(static_cast<std::uint8_t>(setup_.tasks_per_job));
    submitted_.push_back(now_);
    auto& queue = schedulers_[job % setup_.schedulers].queue;
    for (std::uint32_t i = 0; i < setup_.tasks_per_job; ++i)
      queue.push_back({job, now_});
  }
}

/// Refused tasks return to the heads of the queues, and the views learn why. Policies learn the
/// delays.
void bare_parsync::hear_answers() {
  for (const auto& p : returned_) {
    auto& s = schedulers_[p.scheduler];
    s.view.set(p.machine, 0);
    s.queue.push_front(p.task);
  }
  if (setup_.policy != bare_policy::adaptive)
    return;
  for (auto& s : schedulers_) {
    if (s.tasks_heard == 0)
      continue;
    const auto mean = s.delays_heard / s.tasks_heard;
    s.delay = s.heard_any ? s.delay + setup_.ema_weight * (mean - s.delay) : mean;
    s.heard_any = true;
    s.delays_heard = 0;
    s.tasks_heard = 0;
  }
}

std::uint32_t bare_parsync::pick(scheduler& by) {
  if (setup_.policy == bare_policy::quality_first ||
      (setup_.policy == bare_policy::adaptive && by.delay <= setup_.tau))
    return pick_quality_first(by.view, random_);
  return pick_latency_first(by.view, setup_.partitions, setup_.full_sync ? 1 : setup_.schedulers,
                            by.freshest, random_);
}

/// Commits what is decided, and decides on the next batch.
void bare_parsync::decide(std::uint32_t number) {
  auto& s = schedulers_[number];
  if (!s.batch.empty()) {
    if (now_ < s.due)
      return;
    commits_.insert(commits_.end(), s.batch.begin(), s.batch.end());
    s.batch.clear();
  }
  while (s.batch.size() < setup_.batch && !s.queue.empty() && s.view.units() > 0) {
    const auto machine = pick(s);
    if (machine == no_machine)
      break;
    s.view.change(machine, -1);
    s.batch.push_back({s.queue.pop_front(), machine, number});
  }
  s.due = now_ + setup_.decision * static_cast<std::uint32_t>(s.batch.size());
}

} // namespace troupe::peers
