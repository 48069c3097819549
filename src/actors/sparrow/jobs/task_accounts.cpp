#include "actors/sparrow/jobs/task_accounts.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace troupe {

task_accounts::task_accounts(scheduler_id id, const catalog& machines, const sparrow_limits& limits,
                             std::uint32_t own_group)
  : id_(id), machines_(&machines), warmup_(limits.warmup), books_(own_group) {
  if (limits.records != record_level::none)
    recording_ =
      std::make_unique<record_outbox>(record_book{limits.records, id, machines, {}, limits.watch});
}

void task_accounts::submit(const open_job& j) {
  if (auto* book = records())
    book->submit(j.what);
  const auto tasks = j.unfinished;
  auto& [counts, sample] = book_of(j);
  counts.submitted += tasks;
  counts.queued += tasks;
  ++sample.jobs_submitted;
  count_waiting(j);
}

void task_accounts::count_waiting(const open_job& j) {
  blocked_ += j.blocked();
  books_.wait(j.what.group, j.what.submitted, std::int64_t{j.ready()});
}

void task_accounts::resume(const open_job& j, const kept_job& left) {
  auto& [counts, sample] = book_of(j);
  --sample.jobs_submitted; // to the earlier incarnation
  counts.submitted -= left.over.size();
  counts.queued -= left.over.size();
  blocked_ -= j.blocked();
  books_.wait(j.what.group, j.what.submitted, -std::int64_t{j.ready()});
  if (auto* book = records())
    book->close_before(j.what.id, left.over, left.fate);
}

void task_accounts::resume_run(const open_job& j, std::uint32_t task, machine_id at) {
  auto& counts = book_of(j).counts;
  --counts.queued;
  ++counts.running;
  if (auto* book = records())
    book->run_before({j.what.id, task}, at);
}

void task_accounts::release(const open_job& j, const std::vector<std::uint32_t>& groups) {
  for (const auto g : groups) {
    const auto& group = j.groups[g];
    blocked_ -= group.waiting;
    books_.wait(j.what.group, group.released, std::int64_t{group.waiting});
  }
}

void task_accounts::finish(const open_job& j) {
  auto& sample = book_of(j).sample;
  const bool finished = j.fate == task_fate::finished;
  ++(finished ? sample.jobs_finished : sample.jobs_failed);
  if (is_warm(j))
    (finished ? sample.job_response : sample.broken_jobs)
      .add(to_seconds(j.last_end - j.what.submitted));
}

void task_accounts::start(const open_job& j, std::uint32_t g, const task_start& what,
                          bool violates) {
  auto& [counts, sample] = book_of(j);
  --counts.in_commit;
  ++counts.running;
  ++counts.placed;
  ++sample.sparrow.started;
  books_.wait(j.what.group, what.at, -1);
  sample.constraint_violations += violates;
  auto* book = records();
  if (!is_warm(j) && book == nullptr)
    return;
  const auto task_class = machines_->task_classes() > 1 ? j.what.groups[g].task_class : 0;
  const auto queued = waits_since(j, what.task, g);
  const auto quality = machines_->score(what.machine, task_class);
  if (book != nullptr)
    book->start(what.task, {what.machine, queued, what.at, quality});
  if (!is_warm(j))
    return;
  sample.delay.add(to_seconds(what.at - queued));
  sample.quality.add(quality);
}

void task_accounts::take_back(const open_job& j, std::uint32_t task) {
  auto& counts = book_of(j).counts;
  --counts.in_commit;
  ++counts.queued;
  if (auto* book = records())
    book->queue_again({j.what.id, task});
}

void task_accounts::lose(const open_job& j, const task_id& task, instant at) {
  auto& counts = book_of(j).counts;
  --counts.running;
  ++counts.queued;
  if (auto* book = records())
    book->lose(task, at);
  if (j.groups[j.group_of(task.index)].blocked()) {
    ++blocked_; // it has run before a new incarnation knew why
    return;
  }
  books_.wait(j.what.group, at, 1);
  lost_at_[task] = at;
}

void task_accounts::end(const open_job& j, task_fate fate) {
  auto& counts = book_of(j).counts;
  --counts.running;
  ++(fate == task_fate::finished ? counts.finished
     : fate == task_fate::lost   ? counts.lost
                                 : counts.failed);
}

void task_accounts::abandon(const open_job& j, std::uint32_t g, instant now) {
  auto& counts = book_of(j).counts;
  --counts.queued;
  ++counts.abandoned;
  if (j.groups[g].blocked())
    --blocked_;
  else
    books_.wait(j.what.group, now, -1);
}

std::vector<group_sample> task_accounts::take(const open_jobs& jobs, instant now,
                                              std::span<const kept_job> left) {
  busy_.pass(now, books_);
  note_waiting(jobs, now, left);
  return books_.take(now);
}

void task_accounts::note_waiting(const open_jobs& jobs, instant now,
                                 std::span<const kept_job> left) {
  using task_state = open_job::task_state;
  const auto age = [now](instant since) { return std::max(to_seconds(now - since), 0.0); };
  for (const auto& [id, j] : jobs) {
    if (!is_warm(j))
      continue;
    auto& sample = book_of(j).sample;
    for (std::uint32_t g = 0; g < j.groups.size(); ++g) {
      const auto& group = j.groups[g];
      std::uint64_t since_release = 0;
      for (auto i = group.first; i < group.first + j.what.groups[g].count; ++i) {
        const auto state = j.tasks[i].state;
        if (group.blocked() || (state != task_state::waiting && state != task_state::sent))
          continue;
        if (const auto since = waits_since(j, {id, i}, g); since != group.released)
          sample.waiting.add(age(since));
        else
          ++since_release;
      }
      sample.waiting.add(age(group.released), since_release);
    }
    sample.open_jobs.add(age(j.what.submitted));
  }
  for (const auto& j : left) {
    if (j.what.submitted < warmup_)
      continue;
    auto& sample = books_.of(j.what.group).sample;
    sample.waiting.add(age(j.what.submitted), j.what.task_count() - j.over.size());
    sample.open_jobs.add(age(j.what.submitted));
  }
}

void task_accounts::note_drawn(const open_job& j, watched what, std::uint32_t g,
                               const std::vector<machine_id>& drawn) {
  if (auto* watch = watching(j.what.id)) {
    auto& e = watch->note(what, id_);
    e.count = g;
    e.machines = drawn;
  }
}

void task_accounts::check() const {
#ifdef TROUPE_CHECKS
  const auto all = books_.total();
  if (!books_.balanced() ||
      books_.waiting() != static_cast<std::int64_t>(all.queued + all.in_commit - blocked_))
    throw std::logic_error("the tasks of scheduler " + std::to_string(id_) + " do not balance");
#endif
}

} // namespace troupe
