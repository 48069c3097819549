#include "model/records/job_story.hpp"

#include "model/base/planted_faults.hpp"
#include "model/records/longest_chain.hpp"

#include <algorithm>

namespace troupe {

void job_story::begin(const job& of, scheduler_id scheduler, bool detailed) {
  of_ = &of;
  running_ = 0;
  fate_ = task_fate::finished;
  row_ = {};
  row_.job = of.id;
  row_.group = of.group;
  row_.tenant = of.tenant;
  row_.task_class = of.groups.front().task_class;
  row_.scheduler = scheduler;
  row_.priority = of.priority;
  row_.gang = of.gang;
  bool waits = false;
  for (const auto& g : of.groups) {
    row_.tasks += g.count;
    for (std::size_t k = 0; k < resource_kinds; ++k)
      row_.demand.amount[k] += std::int64_t{g.demand.amount[k]} * g.count;
    waits = waits || !g.after.empty();
  }
  row_.requested = of.mold.requested > 0 ? of.mold.requested : row_.tasks;
  row_.at.submitted = of.submitted;
  row_.ideal = longest_chain(of);
  row_.estimate = of.estimate;
  left_ = row_.tasks;
  begins_.assign(row_.tasks, no_instant);
  tasks_.assign(detailed ? row_.tasks : 0, {});
  stages_.clear();
  if (waits)
    for (const auto& g : of.groups)
      stages_.push_back({g.count, instant{0}});
}

void job_story::resize(const job& to) {
  const auto tasks = to.task_count();
  left_ += tasks - row_.tasks;
  row_.tasks = tasks;
  begins_.resize(tasks, no_instant);
  if (detailed())
    tasks_.resize(tasks);
  const auto& demand = to.groups.front().demand;
  for (std::size_t k = 0; k < resource_kinds; ++k)
    row_.demand.amount[k] = std::int64_t{demand.amount[k]} * tasks;
  row_.ideal = longest_chain(to);
  row_.estimate = to.estimate;
}

job_story::place_in_job job_story::locate(std::uint32_t task) const {
  std::uint32_t g = 0;
  while (g + 1 < of_->groups.size() && task >= of_->groups[g].count)
    task -= of_->groups[g++].count;
  return {g, task};
}

void job_story::close_before(const std::vector<std::uint32_t>& over, task_fate fate) {
  left_ -= static_cast<std::uint32_t>(over.size());
  fate_ = fate;
  if (fate == task_fate::finished)
    row_.over[0] = static_cast<std::uint32_t>(over.size());
  for (const auto index : over) {
    begins_[index] = unknown_begin;
    if (detailed())
      tasks_[index].state = record_state_of(task_fate::finished);
    if (!stages_.empty())
      --stages_[locate(index).group].left;
  }
}

void job_story::run_before(std::uint32_t task, machine_id machine) {
  ++running_;
  begins_[task] = unknown_begin;
  if (!detailed())
    return;
  auto& t = tasks_[task];
  t.state = record_state::running;
  t.machine = machine;
  ++t.tallies.runs;
}

// -- decisions ------------------------------------------------------------------------------------

void job_story::decide(std::uint32_t task, const decision_facts& facts) {
  ++row_.attempts;
  if (row_.at.decided == no_instant) {
    row_.at.began = facts.began;
    row_.at.decided = facts.at;
  }
  if (!detailed())
    return;
  auto& t = tasks_[task];
  if (!planted(planted_fault::unrecorded_attempt))
    ++t.tallies.attempts;
  t.at.eligible = facts.queued;
  t.at.began = facts.began;
  t.at.decided = facts.at;
  t.at.granted = no_instant;
  t.view_age = facts.view_age;
  t.diverted = false;
  t.state = record_state::in_commit;
}

void job_story::note_deciding(std::uint32_t task) {
  if (detailed())
    tasks_[task].state = record_state::in_commit;
}

void job_story::send(std::uint32_t task, machine_id machine) {
  ++row_.attempts;
  if (!detailed())
    return;
  auto& t = tasks_[task];
  if (!planted(planted_fault::unrecorded_attempt))
    ++t.tallies.attempts;
  t.at.started = no_instant;
  t.machine = machine;
  t.state = record_state::in_commit;
}

// -- placements -----------------------------------------------------------------------------------

void job_story::place(std::uint32_t task, const placement_facts& facts, bool by_owner) {
  const auto delay = facts.at - facts.queued;
  auto& sums = row_.placed;
  ++sums.count;
  sums.delay += delay;
  sums.longest_delay = std::max(sums.longest_delay, delay);
  sums.quality += facts.quality;
  if (facts.view_age != unknown_time) {
    ++sums.aged;
    sums.view_age += facts.view_age;
  }
  if (row_.at.first_placed == no_instant || facts.at < row_.at.first_placed)
    row_.at.first_placed = facts.at;
  row_.at.last_placed = std::max(row_.at.last_placed, facts.at);
  begins_[task] = facts.at;
  ++running_;
  if (!detailed())
    return;
  auto& t = tasks_[task];
  ++t.tallies.runs;
  t.at.eligible = facts.queued;
  (by_owner ? t.at.granted : t.at.started) = facts.at;
  t.machine = facts.machine;
  if (planted(planted_fault::misrecorded_machine))
    t.machine = t.machine == 0 ? 1 : t.machine - 1;
  t.quality = facts.quality;
  t.state = record_state::running;
}

void job_story::divert(std::uint32_t task) {
  if (detailed())
    tasks_[task].diverted = true;
}

void job_story::refuse(std::uint32_t task, conflict_cause cause, instant at) {
  const auto c = static_cast<std::size_t>(cause);
  if (c < conflict_causes)
    ++row_.conflicts[c];
  if (!detailed())
    return;
  auto& t = tasks_[task];
  if (const auto since = t.at.began != no_instant ? t.at.began : t.at.decided; since != no_instant)
    t.tallies.refused += at - since;
  if (c < conflict_causes) {
    ++t.tallies.conflicts;
    t.tallies.last_conflict = static_cast<std::uint8_t>(c);
  }
}

void job_story::back_off(std::uint32_t task, duration time) {
  if (detailed())
    tasks_[task].tallies.backed_off += time;
}

void job_story::queue_again(std::uint32_t task) {
  if (detailed())
    tasks_[task].state = record_state::queued;
}

void job_story::move(std::uint32_t task, machine_id machine) {
  if (detailed())
    tasks_[task].machine = machine;
}

// -- ends -----------------------------------------------------------------------------------------

duration job_story::ran_until(std::uint32_t task, instant at) const {
  const auto since = begins_[task];
  return since == no_instant ? duration{0} : std::max<duration>(at - since, {});
}

void job_story::end_run(std::uint32_t task, duration lost_work) {
  --running_;
  begins_[task] = no_instant;
  row_.work_lost += lost_work;
  if (detailed())
    tasks_[task].tallies.work_lost += lost_work;
}

void job_story::wait_again(std::uint32_t task, instant since) {
  if (!detailed())
    return;
  auto& t = tasks_[task];
  const auto submitted = t.at.submitted;
  t.at = {};
  t.at.submitted = submitted;
  t.at.eligible = since;
  t.machine = no_machine;
  t.view_age = unknown_time;
  t.diverted = false;
  t.state = record_state::queued;
}

void job_story::lose(std::uint32_t task, instant at) {
  ++row_.lost;
  if (detailed())
    ++tasks_[task].tallies.lost;
  end_run(task, ran_until(task, at));
  wait_again(task, at);
}

void job_story::preempt(std::uint32_t task, instant at, duration ran) {
  ++row_.preempted;
  if (detailed())
    ++tasks_[task].tallies.preempted;
  end_run(task, ran);
  wait_again(task, at);
}

void job_story::put_back(std::uint32_t task, instant since) {
  if (detailed())
    --tasks_[task].tallies.runs;
  end_run(task, duration{0});
  wait_again(task, since);
}

void job_story::end(std::uint32_t task, instant at, task_fate fate) {
  const auto in = locate(task);
  const auto& group = of_->groups[in.group];
  if (fate == task_fate::finished)
    row_.used.add(group.demand, to_seconds(group.duration_of(in.index)));
  if (fate == task_fate::lost) {
    ++row_.lost;
    if (detailed())
      ++tasks_[task].tallies.lost;
    end_run(task, ran_until(task, at));
  } else if (fate != task_fate::abandoned) {
    --running_;
  }
  begins_[task] = unknown_begin;
  ++row_.over[static_cast<std::size_t>(fate)];
  row_.at.ended = std::max(row_.at.ended, at);
  fate_ = std::max(fate_, fate);
  if (detailed()) {
    auto& t = tasks_[task];
    t.at.ended = at;
    if (fate == task_fate::finished && t.at.started == no_instant)
      t.at.started = at - group.duration_of(in.index);
    if (planted(planted_fault::recorded_as_finished))
      fate = task_fate::finished;
    t.state = record_state_of(fate);
  }
  if (!stages_.empty()) {
    auto& stage = stages_[in.group];
    --stage.left;
    stage.last_end = std::max(stage.last_end, at);
  }
  --left_;
}

// -- records --------------------------------------------------------------------------------------

instant job_story::group_since(std::uint32_t group) const {
  auto since = of_->submitted;
  for (const auto parent : of_->groups[group].after)
    if (parent < stages_.size())
      since = std::max(since, stages_[parent].last_end);
  return since;
}

bool job_story::group_waits(std::uint32_t group) const {
  return std::ranges::any_of(of_->groups[group].after, [&](std::uint32_t parent) {
    return parent < stages_.size() && stages_[parent].left > 0;
  });
}

void job_story::fill(task_record& record, std::uint32_t task) const {
  const auto& t = tasks_[task];
  const auto group = locate(task).group;
  record.task = {of_->id, task};
  record.task_group = group;
  record.group = of_->group;
  record.scheduler = row_.scheduler;
  record.state =
    t.state == record_state::queued && group_waits(group) ? record_state::waiting : t.state;
  record.demand = of_->groups[group].demand;
  record.at = t.at;
  record.at.submitted = of_->submitted;
  // A task that runs from before may have started before those that it waits for run again.
  if (const auto since = group_since(group);
      record.at.eligible == no_instant && record.state != record_state::waiting &&
      (record.at.started == no_instant || since <= record.at.started))
    record.at.eligible = since;
  record.tallies = t.tallies;
  record.machine = t.machine;
  record.owner = no_scheduler;
  record.quality = t.quality;
  record.view_age = t.view_age;
  record.diverted = t.diverted;
}

job_record job_story::record() const {
  auto record = row_;
  if (left_ > 0)
    record.state = running_ > 0 ? record_state::running : record_state::queued;
  else
    record.state = record_state_of(fate_ == task_fate::lost ? task_fate::failed : fate_);
  return record;
}

} // namespace troupe
