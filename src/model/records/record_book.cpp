#include "model/records/record_book.hpp"

#include "model/records/longest_chain.hpp"
#include "model/records/move_some.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

record_book::job_story* record_book::find(job_id id) {
  if (latest_ != nullptr && latest_id_ == id)
    return latest_;
  const auto it = open_.find(id);
  if (it == open_.end())
    return nullptr;
  latest_id_ = id;
  return latest_ = &it->second;
}

record_book::place_in_job record_book::locate(const job& of, std::uint32_t task) {
  std::uint32_t g = 0;
  while (g + 1 < of.groups.size() && task >= of.groups[g].count)
    task -= of.groups[g++].count;
  return {g, task};
}

watched_event* record_book::note(const task_id& task, watched what) const {
  auto* watch = watching(task.job);
  return watch == nullptr ? nullptr : &watch->note(what, scheduler_, task.index);
}

// -- jobs -----------------------------------------------------------------------------------------

void record_book::submit(const job& taken) {
  if (auto* e = note({taken.id, 0}, watched::submitted)) {
    e->since = taken.submitted;
    watch_->describe(taken);
  }
  auto& story = open_[taken.id];
  latest_ = &story;
  latest_id_ = taken.id;
  story.of = &taken;
  auto& row = story.row;
  row.job = taken.id;
  row.group = taken.group;
  row.tenant = taken.tenant;
  row.task_class = taken.groups.front().task_class;
  row.scheduler = scheduler_;
  row.priority = taken.priority;
  row.gang = taken.gang;
  bool waits = false;
  for (const auto& g : taken.groups) {
    row.tasks += g.count;
    for (std::size_t k = 0; k < resource_kinds; ++k)
      row.demand.amount[k] += std::int64_t{g.demand.amount[k]} * g.count;
    waits = waits || !g.after.empty();
  }
  row.at.submitted = taken.submitted;
  row.ideal = longest_chain(taken);
  story.left = row.tasks;
  story.placed.resize(row.tasks, no_instant);
  if (detailed_)
    story.tasks.resize(row.tasks);
  if (waits)
    for (const auto& g : taken.groups)
      story.stages.push_back({g.count, instant{0}});
}

void record_book::close_before(job_id id, const std::vector<std::uint32_t>& over, task_fate fate) {
  auto* story = find(id);
  if (story == nullptr)
    return;
  if (auto* e = note({id, 0}, watched::taken_over))
    e->count = over.size();
  story->left -= static_cast<std::uint32_t>(over.size());
  story->fate = fate;
  if (fate == task_fate::finished)
    story->row.over[0] = static_cast<std::uint32_t>(over.size());
  for (const auto index : over) {
    if (detailed_)
      story->tasks[index].state = record_state_of(task_fate::finished);
    if (!story->stages.empty())
      --story->stages[locate(*story->of, index).group].left;
  }
}

void record_book::run_before(const task_id& task, machine_id machine) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::ran_before))
    e->machine = machine;
  ++story->running;
  if (!detailed_)
    return;
  auto& t = story->tasks[task.index];
  t.state = record_state::running;
  t.machine = machine;
  ++t.tallies.runs;
}

// -- decisions ------------------------------------------------------------------------------------

void record_book::decide(const task_id& task, instant queued, duration view_age, instant now) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::decided)) {
    e->since = queued;
    e->age = view_age;
  }
  auto& row = story->row;
  ++row.attempts;
  if (row.at.decided == no_instant) {
    row.at.began = began_;
    row.at.decided = now;
  }
  if (!detailed_)
    return;
  auto& t = story->tasks[task.index];
  ++t.tallies.attempts;
  t.at.eligible = queued;
  t.at.began = began_;
  t.at.decided = now;
  t.at.granted = no_instant;
  t.view_age = view_age;
  t.diverted = false;
  t.state = record_state::in_commit;
}

void record_book::note_deciding(const task_id& task) {
  if (!detailed_)
    return;
  if (auto* story = find(task.job))
    story->tasks[task.index].state = record_state::in_commit;
}

void record_book::send(const task_id& task, machine_id machine) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::sent))
    e->machine = machine;
  ++story->row.attempts;
  if (!detailed_)
    return;
  auto& t = story->tasks[task.index];
  ++t.tallies.attempts;
  t.at.started = no_instant;
  t.machine = machine;
  t.state = record_state::in_commit;
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
  const auto delay = facts.at - facts.queued;
  auto& row = story->row;
  auto& sums = row.placed;
  ++sums.count;
  sums.delay += delay;
  sums.longest_delay = std::max(sums.longest_delay, delay);
  sums.quality += facts.quality;
  if (facts.view_age != unknown_time) {
    ++sums.aged;
    sums.view_age += facts.view_age;
  }
  if (row.at.first_placed == no_instant || facts.at < row.at.first_placed)
    row.at.first_placed = facts.at;
  row.at.last_placed = std::max(row.at.last_placed, facts.at);
  story->placed[task.index] = facts.at;
  ++story->running;
  if (!detailed_)
    return;
  auto& t = story->tasks[task.index];
  ++t.tallies.runs;
  t.at.eligible = facts.queued;
  (by_owner ? t.at.granted : t.at.started) = facts.at;
  t.machine = facts.machine;
  t.quality = facts.quality;
  t.state = record_state::running;
}

void record_book::divert(const task_id& task) {
  note(task, watched::diverted);
  if (!detailed_)
    return;
  if (auto* story = find(task.job))
    story->tasks[task.index].diverted = true;
}

void record_book::refuse(attempt_record refusal) {
  auto* story = find(refusal.task.job);
  if (story == nullptr)
    return;
  const auto cause = static_cast<std::size_t>(refusal.cause);
  if (cause < conflict_causes)
    ++story->row.conflicts[cause];
  refusal.scheduler = scheduler_;
  refusal.partition = machines_->place_of(refusal.machine).partition;
  if (auto* e = note(refusal.task, watched::refused)) {
    e->machine = refusal.machine;
    e->owner = refusal.owner;
    e->refusal = refusal;
    watch_->complete(*e);
  }
  if (detailed_) {
    auto& t = story->tasks[refusal.task.index];
    if (cause < conflict_causes) {
      ++t.tallies.conflicts;
      t.tallies.last_conflict = static_cast<std::uint8_t>(cause);
    }
  }
  done_.attempts.push_back(refusal);
}

void record_book::queue_again(const task_id& task) {
  note(task, watched::queued_again);
  if (!detailed_)
    return;
  if (auto* story = find(task.job))
    story->tasks[task.index].state = record_state::queued;
}

void record_book::move(const task_id& task, machine_id machine) {
  if (auto* e = note(task, watched::moved))
    e->machine = machine;
  if (!detailed_)
    return;
  if (auto* story = find(task.job))
    story->tasks[task.index].machine = machine;
}

// -- ends -----------------------------------------------------------------------------------------

void record_book::end_run(job_story& of, std::uint32_t task, duration lost_work) {
  --of.running;
  of.placed[task] = no_instant;
  of.row.work_lost += lost_work;
  if (detailed_)
    of.tasks[task].tallies.work_lost += lost_work;
}

void record_book::wait_again(job_story& of, std::uint32_t task, instant since) {
  if (!detailed_)
    return;
  auto& t = of.tasks[task];
  const auto submitted = t.at.submitted;
  t.at = {};
  t.at.submitted = submitted;
  t.at.eligible = since;
  t.machine = no_machine;
  t.view_age = unknown_time;
  t.diverted = false;
  t.state = record_state::queued;
}

void record_book::lose(const task_id& task, instant at) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::lost))
    e->since = at;
  const auto since = story->placed[task.index];
  ++story->row.lost;
  if (detailed_)
    ++story->tasks[task.index].tallies.lost;
  end_run(*story, task.index,
          since == no_instant ? duration{0} : std::max<duration>(at - since, {}));
  wait_again(*story, task.index, at);
}

void record_book::preempt(const task_id& task, instant at, duration ran) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::preempted)) {
    e->since = at;
    e->age = ran;
  }
  ++story->row.preempted;
  if (detailed_)
    ++story->tasks[task.index].tallies.preempted;
  end_run(*story, task.index, ran);
  wait_again(*story, task.index, at);
}

void record_book::put_back(const task_id& task, instant since) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::put_back))
    e->since = since;
  if (detailed_)
    --story->tasks[task.index].tallies.runs;
  end_run(*story, task.index, duration{0});
  wait_again(*story, task.index, since);
}

void record_book::end(const task_id& task, instant at, task_fate fate) {
  auto* story = find(task.job);
  if (story == nullptr)
    return;
  if (auto* e = note(task, watched::ended)) {
    e->since = at;
    e->fate = fate;
  }
  auto& row = story->row;
  const auto in = locate(*story->of, task.index);
  const auto& group = story->of->groups[in.group];
  if (fate == task_fate::finished)
    row.used.add(group.demand, to_seconds(group.duration_of(in.index)));
  if (fate == task_fate::lost) {
    const auto since = story->placed[task.index];
    ++row.lost;
    if (detailed_)
      ++story->tasks[task.index].tallies.lost;
    end_run(*story, task.index,
            since == no_instant ? duration{0} : std::max<duration>(at - since, {}));
  } else if (fate != task_fate::abandoned) {
    --story->running;
  }
  ++row.over[static_cast<std::size_t>(fate)];
  row.at.ended = std::max(row.at.ended, at);
  story->fate = std::max(story->fate, fate);
  if (detailed_) {
    auto& t = story->tasks[task.index];
    t.at.ended = at;
    if (fate == task_fate::finished && t.at.started == no_instant)
      t.at.started = at - group.duration_of(in.index);
    finish_task(*story, task.index, in, record_state_of(fate));
    t.state = record_state_of(fate);
  }
  if (!story->stages.empty()) {
    auto& stage = story->stages[in.group];
    --stage.left;
    stage.last_end = std::max(stage.last_end, at);
  }
  if (--story->left > 0)
    return;
  const auto whole = story->fate == task_fate::lost ? task_fate::failed : story->fate;
  finish_job(*story, record_state_of(whole));
  latest_ = nullptr;
  open_.erase(task.job);
}

// -- records --------------------------------------------------------------------------------------

instant record_book::eligible_since(const job_story& of, std::uint32_t group) {
  auto since = of.of->submitted;
  for (const auto parent : of.of->groups[group].after)
    if (parent < of.stages.size())
      since = std::max(since, of.stages[parent].last_end);
  return since;
}

record_state record_book::state_of_open(const job_story& of, std::uint32_t group) {
  const bool waits = std::ranges::any_of(of.of->groups[group].after, [&](std::uint32_t parent) {
    return parent < of.stages.size() && of.stages[parent].left > 0;
  });
  return waits ? record_state::waiting : record_state::queued;
}

void record_book::finish_task(const job_story& of, std::uint32_t task, const place_in_job& in,
                              record_state state) {
  const auto& story = of.tasks[task];
  auto& row = done_.tasks.emplace_back();
  row.task = {of.of->id, task};
  row.task_group = in.group;
  row.group = of.of->group;
  row.scheduler = scheduler_;
  row.state = state;
  row.demand = of.of->groups[in.group].demand;
  row.at = story.at;
  row.at.submitted = of.of->submitted;
  if (row.at.eligible == no_instant && state != record_state::waiting)
    row.at.eligible = eligible_since(of, in.group);
  row.tallies = story.tallies;
  row.machine = story.machine;
  row.owner = no_scheduler;
  if (story.machine != no_machine) {
    row.partition = machines_->place_of(story.machine).partition;
    if (!owner_of_.empty())
      row.owner = owner_of_[row.partition];
  }
  row.quality = story.quality;
  row.view_age = story.view_age;
  row.diverted = story.diverted;
}

void record_book::finish_job(job_story& of, record_state state) {
  of.row.state = state;
  done_.jobs.push_back(of.row);
}

void record_book::finish_open() {
  std::vector<job_id> ids;
  ids.reserve(open_.size());
  for (const auto& [id, _] : open_)
    ids.push_back(id);
  std::ranges::sort(ids);
  for (const auto id : ids) {
    auto& story = open_.at(id);
    std::uint32_t index = 0;
    for (std::uint32_t g = 0; detailed_ && g < story.of->groups.size(); ++g)
      for (std::uint32_t i = 0; i < story.of->groups[g].count; ++i, ++index) {
        auto state = story.tasks[index].state;
        if (state >= record_state::finished)
          continue;
        if (state == record_state::queued)
          state = state_of_open(story, g);
        finish_task(story, index, {g, i}, state);
      }
    finish_job(story, story.running > 0 ? record_state::running : record_state::queued);
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
