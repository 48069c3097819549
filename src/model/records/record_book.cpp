#include "model/records/record_book.hpp"

#include "model/base/planted_faults.hpp"
#include "model/records/move_some.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace troupe {

job_story* record_book::find(job_id id) {
  if (latest_ != nullptr && latest_id_ == id)
    return latest_;
  const auto it = open_.find(id);
  if (it == open_.end())
    return nullptr;
  latest_id_ = id;
  return latest_ = &it->second;
}

/// Returns the place for the story of a job.
record_book::story_map::iterator record_book::open(job_id id) {
  if (spare_.empty())
    return open_.try_emplace(id).first;
  spare_.back().key() = id;
  auto placed = open_.insert(std::move(spare_.back()));
  if (placed.inserted)
    spare_.pop_back();
  else
    spare_.back() = std::move(placed.node);
  return placed.position;
}

/// Forgets a job that is over.
void record_book::close(job_id id) {
  constexpr std::size_t most_spare = 256;
  constexpr std::uint32_t most_tasks = 64; // the memory of larger jobs is not kept
  latest_ = nullptr;
  const auto it = open_.find(id);
  if (spare_.size() < most_spare && it->second.tasks() <= most_tasks)
    spare_.push_back(open_.extract(it));
  else
    open_.erase(it);
}

watched_event* record_book::note(const task_id& task, watched what) const {
  auto* watch = watching(task.job);
  return watch == nullptr ? nullptr : &watch->note(what, scheduler_, task.index);
}

// -- jobs -----------------------------------------------------------------------------------------

void record_book::submit(const job& taken) {
  if (auto* e = note({taken.id, 0}, watched::submitted)) {
    e->since = taken.submitted;
    e->why = waits_for_;
    watch_->describe(taken);
  }
  latest_ = &open(taken.id)->second;
  latest_->begin(taken, scheduler_, detailed_);
  latest_id_ = taken.id;
}

void record_book::resize(const job& to) {
  if (auto* watch = watching(to.id))
    watch->describe(to);
  if (auto* story = find(to.id))
    story->resize(to);
}

void record_book::close_before(job_id id, const std::vector<std::uint32_t>& over, task_fate fate) {
  auto* story = find(id);
  if (story == nullptr)
    return;
  if (auto* e = note({id, 0}, watched::taken_over))
    e->count = over.size();
  story->close_before(over, fate);
}

void record_book::run_before(const task_id& task, machine_id machine) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::ran_before))
    e->machine = machine;
  story->run_before(task.index, machine);
}

// -- decisions ------------------------------------------------------------------------------------

void record_book::decide(const task_id& task, instant queued, duration view_age, instant now,
                         machine_id machine) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::decided)) {
    e->since = queued;
    e->age = view_age;
    e->machine = machine;
    if (machine != no_machine && !owner_of_.empty())
      e->owner = owner_of_[machines_->place_of(machine).partition];
  }
  story->decide(task.index, {queued, began_, now, view_age});
}

void record_book::note_deciding(const task_id& task) {
  if (auto* story = find(task.job))
    story->note_deciding(task.index);
}

void record_book::send(const task_id& task, machine_id machine) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::sent))
    e->machine = machine;
  story->send(task.index, machine);
}

// -- placements -----------------------------------------------------------------------------------

void record_book::place(const task_id& task, const placement_facts& facts, bool by_owner) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, by_owner ? watched::granted : watched::started)) {
    e->at = by_owner ? facts.at : e->at; // of a gang: once all its owners had answered
    e->machine = facts.machine;
    e->since = by_owner ? facts.queued : facts.at;
    e->age = facts.view_age;
    e->quality = facts.quality;
    if (by_owner && !owner_of_.empty())
      e->owner = owner_of_[machines_->place_of(facts.machine).partition];
  }
  story->place(task.index, facts, by_owner);
}

void record_book::divert(const task_id& task) {
  note(task, watched::diverted);
  if (auto* story = find(task.job))
    story->divert(task.index);
}

void record_book::refuse(attempt_record refusal) {
  auto* story = find(refusal.task.job);
  if (story == nullptr)
    return;
  refusal.scheduler = scheduler_;
  refusal.partition = machines_->place_of(refusal.machine).partition;
  if (auto* e = note(refusal.task, watched::refused)) {
    e->machine = refusal.machine;
    e->owner = refusal.owner;
    e->refusal = refusal;
    watch_->complete(*e);
  }
  story->refuse(refusal.task.index, refusal.cause, refusal.at);
  refused_[refusal.task] = refusal;
}

void record_book::retry(const task_id& task, instant retry_at, wait_reason why) {
  note(task, watched::queued_again);
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  story->queue_again(task.index);
  auto refusal = refused_.extract(task);
  if (refusal.empty())
    return;
  auto& row = refusal.mapped();
  row.retry_at = retry_at;
  row.reason = why;
  if (why == wait_reason::backing_off)
    story->back_off(task.index, retry_at - row.at);
  if (!planted(planted_fault::unrecorded_refusal))
    done_.attempts.push_back(row);
}

void record_book::queue_again(const task_id& task) {
  note(task, watched::queued_again);
  if (auto* story = find(task.job))
    story->queue_again(task.index);
}

void record_book::move(const task_id& task, machine_id machine) {
  if (auto* e = note(task, watched::moved))
    e->machine = machine;
  if (auto* story = find(task.job))
    story->move(task.index, machine);
}

// -- ends -----------------------------------------------------------------------------------------

void record_book::lose(const task_id& task, instant at) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::lost))
    e->since = at;
  story->lose(task.index, at);
}

void record_book::preempt(const task_id& task, instant at, duration ran) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::preempted)) {
    e->since = at;
    e->age = ran;
  }
  story->preempt(task.index, at, ran);
}

void record_book::put_back(const task_id& task, instant since) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::put_back))
    e->since = since;
  story->put_back(task.index, since);
}

void record_book::end(const task_id& task, instant at, task_fate fate) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::ended)) {
    e->since = at;
    e->fate = fate;
  }
  if (!refused_.empty())
    if (const auto refusal = refused_.extract(task); !refusal.empty()) // it is not tried again
      done_.attempts.push_back(refusal.mapped());
  story->end(task.index, at, fate);
  if (detailed_ && !planted(planted_fault::unrecorded_task))
    add_record(*story, task.index);
  if (!story->over())
    return;
  done_.jobs.push_back(story->record());
  close(task.job);
}

// -- records --------------------------------------------------------------------------------------

task_record& record_book::add_record(const job_story& of, std::uint32_t task) {
  auto& record = done_.tasks.emplace_back();
  of.fill(record, task);
  if (record.machine == no_machine)
    return record;
  record.partition = machines_->place_of(record.machine).partition;
  if (!owner_of_.empty())
    record.owner = owner_of_[record.partition];
  return record;
}

void record_book::finish_open(const reason_lookup& why) {
  const auto first = static_cast<std::ptrdiff_t>(done_.attempts.size());
  for (const auto& [_, refusal] : std::exchange(refused_, {}))
    done_.attempts.push_back(refusal);
  std::ranges::sort(done_.attempts.begin() + first, done_.attempts.end(), {},
                    &attempt_record::task);
  std::vector<job_id> ids;
  ids.reserve(open_.size());
  for (const auto& [id, _] : open_)
    ids.push_back(id);
  std::ranges::sort(ids);
  for (const auto id : ids) {
    const auto& story = open_.at(id);
    auto of_job = story.record();
    for (std::uint32_t task = 0; task < of_job.tasks; ++task) {
      const auto reason = why && story.waits(task) ? why({id, task}) : wait_reason::none;
      if (of_job.reason == wait_reason::none)
        of_job.reason = reason;
      if (!story.is_open(task))
        continue;
      add_record(story, task).reason = reason;
    }
    done_.jobs.push_back(of_job);
  }
}

record_batch record_book::take(std::size_t most) {
  record_batch batch;
  move_some(done_.attempts, taken_[2], batch.attempts, most);
  move_some(done_.tasks, taken_[1], batch.tasks, most);
  move_some(done_.jobs, taken_[0], batch.jobs, most);
  batch.more = !done_.empty();
  return batch;
}

} // namespace troupe
