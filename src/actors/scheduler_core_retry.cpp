#include "actors/scheduler_core.hpp"
#include "model/planted_faults.hpp"

#include <algorithm>
#include <cmath>

// What a scheduler does with what was refused: that part of scheduler_core.
namespace troupe {

std::optional<instant> scheduler_core::next_retry() const {
  const auto due = retries_.next_due();
  if (!gangs_.any_restless())
    return due;
  return due ? std::min(*due, rest_until_) : rest_until_;
}

void scheduler_core::queue_again(std::vector<waiting_task>& tasks) {
  if (limits_.retry.at_back)
    for (const auto& t : tasks)
      jobs_.put_at_back(t);
  else
    for (auto t = tasks.rbegin(); t != tasks.rend(); ++t)
      jobs_.put_back(*t);
}

duration scheduler_core::contention_delay(const transaction& refused) {
  // Truncated binary exponential backoff (Metcalfe and Boggs, Ethernet, CACM 1976, section 4).
  constexpr std::uint32_t at_once = 8;
  constexpr std::uint32_t doublings = 10;
  const auto before = refused.back.front().attempts;
  if (refused.mode != commit_mode::hold || before < at_once)
    return duration::zero();
  const auto slot = std::max<duration>(refused.cost, std::chrono::milliseconds{1});
  const auto slots = std::exp2(std::min(before - at_once, doublings));
  return std::min<duration>(from_seconds(to_seconds(slot) * slots * random_.unit()),
                            std::chrono::seconds{1});
}

void scheduler_core::retry(std::vector<waiting_task>& tasks, std::vector<refresh_mark>& marks,
                           duration at_least, instant now) {
  if (planted(planted_fault::dropped_rejection))
    return;
  std::uint32_t refusals = 0;
  std::erase_if(tasks, [&](waiting_task& t) {
    auto& counts = book_of(t).counts;
    counts.in_commit -= t.count();
    ++t.attempts;
    if ((limits_.max_attempts > 0 && t.attempts >= limits_.max_attempts) ||
        (limits_.max_empty_attempts > 0 && jobs_.given_up(t.task.job))) {
      abandon(t, now);
      return true;
    }
    counts.queued += t.count();
    refusals = std::max(refusals, t.attempts);
    return false;
  });
  if (tasks.empty())
    return;
  const auto delay = std::max(at_least, limits_.retry.delay_after(refusals, random_));
  if (delay == duration::zero() && marks.empty())
    queue_again(tasks);
  else
    retries_.add(std::move(tasks), std::move(marks), now + delay);
}

void scheduler_core::abandon(const waiting_task& task, instant now) {
  auto& book = book_of(task);
  auto& [counts, sample] = book;
  const auto tasks = task.count();
  counts.abandoned += tasks;
  books_.wait(task.group(), now, -std::int64_t{tasks});
  const bool warm = task.of->submitted >= limits_.warmup;
  if (warm)
    sample.given_up.add(to_seconds(now - task.submitted), tasks);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    if (survival_)
      survival_->over({task.task.job, task.task.index + i}, task_fate::abandoned);
    close(book, task.task, now, task_fate::abandoned, warm);
  }
}

void scheduler_core::abandon_job(job_id id, instant now) {
  jobs_.give_up(id);
  const auto give_up = [&](const std::vector<waiting_task>& tasks) {
    for (const auto& t : tasks) {
      book_of(t).counts.queued -= t.count();
      abandon(t, now);
    }
  };
  const auto* of = jobs_.find_job(id);
  const auto group = of != nullptr ? of->group : 0;
  const auto blocked = jobs_.blocked();
  const auto dropped = jobs_.drop(id);
  if (const auto never = blocked - jobs_.blocked(); never > 0) // they are given up with the others
    books_.wait(group, now, static_cast<std::int64_t>(never));
  give_up(dropped);
  give_up(retries_.drop(id));
  if (const auto gang = gangs_.drop(id))
    give_up({*gang});
}

void scheduler_core::empty_attempt(job_id id, instant now) {
  if (limits_.max_empty_attempts > 0 && jobs_.note_empty_attempt(id) >= limits_.max_empty_attempts)
    abandon_job(id, now);
}

void scheduler_core::count_attempt(const transaction& done, instant now) {
  auto& attempts = books_.of(done.group).sample.attempts;
  ++attempts.transactions;
  attempts.conflicted += done.conflicted;
  if (done.gang && done.granted > 0) {
    ++attempts.gangs_placed;
    attempts.gangs_broken += done.granted < done.tasks;
  }
  if (done.granted == 0)
    empty_attempt(done.job, now);
}

void scheduler_core::close_transaction(std::uint64_t id, instant now) {
  auto& done = find_transaction(id);
  done.over = true;
  if (auto& back = done.back; !back.empty()) {
    std::ranges::sort(back, {}, [](const waiting_task& t) { return t.task; });
    if (done.gang && done.granted == 0) {
      back.resize(1);
      back.front().whole = true;
      back.front().opens_job = false;
    }
    retry(back, done.marks, contention_delay(done), now);
  }
  count_attempt(done, now);
  while (!transactions_.empty() && transactions_.front().over) {
    transactions_.pop_front();
    ++first_transaction_;
  }
}

} // namespace troupe
