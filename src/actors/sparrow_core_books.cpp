#include "actors/sparrow_core.hpp"
#include "model/planted_faults.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace troupe {

std::uint32_t sparrow_core::take_task(group_state& from) {
  --from.waiting;
  if (from.again.empty())
    return from.first + from.fresh++;
  const auto task = from.again.back();
  from.again.pop_back();
  return task;
}

std::uint32_t sparrow_core::waiting(const open_job& j) {
  std::uint32_t n = 0;
  for (const auto& g : j.groups)
    n += g.waiting;
  return n;
}

void sparrow_core::put_back(open_job& j, std::uint32_t g, std::uint32_t task) {
  j.tasks[task].state = task_state::waiting;
  j.groups[g].again.push_back(task);
  ++j.groups[g].waiting;
}

std::uint32_t sparrow_core::group_of(const open_job& j, std::uint32_t task) {
  auto g = static_cast<std::uint32_t>(j.groups.size() - 1);
  while (j.groups[g].first > task)
    --g;
  return g;
}

std::size_t sparrow_core::tasks_on(const open_job& j, machine_id machine) {
  return static_cast<std::size_t>(std::ranges::count_if(j.tasks, [machine](const task_note& t) {
    return t.machine == machine && (t.state == task_state::sent || t.state == task_state::running);
  }));
}

sparrow_core::open_job* sparrow_core::find(job_id id) {
  const auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : &it->second;
}

void sparrow_core::note_room(std::size_t with_room, std::size_t machines) {
  if (machines == 0)
    return;
  with_room_.add(static_cast<double>(with_room) / static_cast<double>(machines));
  met_any_ = true;
}

void sparrow_core::book(const task_news& news, sparrow_outbox& out) {
  for (const auto& s : news.started)
    start(s);
  for (const auto& e : news.ended)
    end(e, out);
  check_balance();
}

void sparrow_core::start(const task_start& what) {
  auto* j = find(what.task.job);
  const bool known = j != nullptr && what.task.index < j->tasks.size() &&
                     j->tasks[what.task.index].machine == what.machine &&
                     j->tasks[what.task.index].state == task_state::sent;
  if (!known) { // started twice, or on a machine that has been given up
    books_.own().duplicate_grants += !pools_.is_gone(what.machine);
    return;
  }
  j->tasks[what.task.index].state = task_state::running;
  auto& [counts, sample] = book_of(*j);
  --counts.in_commit;
  ++counts.running;
  ++counts.placed;
  ++sample.sparrow.started;
  books_.wait(j->what.group, what.at, -1);
  const auto g = group_of(*j, what.task.index);
  sample.constraint_violations += !pools_.contains(j->groups[g].pool, what.machine) ||
                                  (j->what.spread && tasks_on(*j, what.machine) > 1);
  if (!is_warm(*j))
    return;
  const auto task_class = machines_->task_classes() > 1 ? j->what.groups[g].task_class : 0;
  sample.delay.add(to_seconds(what.at - waits_since(*j, what.task)));
  sample.quality.add(machines_->score(what.machine, task_class));
}

void sparrow_core::end(const task_end& what, sparrow_outbox& out) {
  auto* j = find(what.task.job);
  const bool is_ours = j != nullptr && what.task.index < j->tasks.size() &&
                       j->tasks[what.task.index].machine == what.machine;
  if (is_ours && j->tasks[what.task.index].state == task_state::sent) {
    // The news of its start was lost.
    const auto& group = j->what.groups[group_of(*j, what.task.index)];
    const auto first = j->groups[group_of(*j, what.task.index)].first;
    start({what.task, what.machine, what.at - group.duration_of(what.task.index - first)});
  }
  const bool known = is_ours && j->tasks[what.task.index].state == task_state::running;
  if (!known) {
    books_.own().duplicate_grants += !pools_.is_gone(what.machine);
    return;
  }
  auto& [counts, sample] = book_of(*j);
  --counts.running;
  if (what.outcome == task_outcome::lost || what.outcome == task_outcome::preempted) {
    ++counts.queued;
    books_.wait(j->what.group, what.at, 1);
    lost_at_[what.task] = what.at;
    put_back(*j, group_of(*j, what.task.index), what.task.index);
    find_machines_again(*j, out);
    return;
  }
  const auto fate = fate_of(what.outcome);
  ++(fate == task_fate::finished ? counts.finished : counts.failed);
  j->last_end = std::max(j->last_end, what.at);
  close(*j, what.task, fate, out);
  if (j->unfinished > 0) {
    if (j->what.spread)
      reserve_what_is_missing(*j, out);
    return;
  }
  finish(*j);
}

void sparrow_core::close(open_job& j, const task_id& task, task_fate fate, sparrow_outbox& out) {
  j.tasks[task.index].state = task_state::over;
  --j.unfinished;
  j.fate = std::max(j.fate, fate);
  if (!lost_at_.empty())
    lost_at_.erase(task);
  if (losses_) {
    losses_->losses.erase(task);
    out.over.emplace_back(task, fate);
  }
}

void sparrow_core::finish(open_job& j) {
  auto& sample = book_of(j).sample;
  const bool finished = j.fate == task_fate::finished;
  ++(finished ? sample.jobs_finished : sample.jobs_failed);
  if (is_warm(j))
    (finished ? sample.job_response : sample.broken_jobs)
      .add(to_seconds(j.last_end - j.what.submitted));
  note_room(j.met_room, j.reserved);
  jobs_.erase(j.what.id);
}

void sparrow_core::forget_reservations(open_job& j, machine_id machine) {
  std::erase_if(j.reservations, [&](const reservation& r) {
    if (r.machine != machine)
      return false;
    --j.groups[r.group].reserved;
    return true;
  });
}

void sparrow_core::lose(open_job& j, machine_id machine, instant now, sparrow_outbox& out) {
  forget_reservations(j, machine);
  auto& counts = book_of(j).counts;
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    for (std::uint32_t i = 0; i < j.what.groups[g].count; ++i) {
      const auto task = j.groups[g].first + i;
      const auto& note = j.tasks[task];
      const bool there = note.state == task_state::sent || note.state == task_state::running;
      if (!there || note.machine != machine)
        continue;
      const bool ran = note.state == task_state::running;
      --(ran ? counts.running : counts.in_commit);
      if (ran && !may_retry({j.what.id, task})) {
        ++counts.lost;
        j.last_end = std::max(j.last_end, now);
        close(j, {j.what.id, task}, task_fate::lost, out);
        continue;
      }
      ++counts.queued;
      if (ran) {
        books_.wait(j.what.group, now, 1);
        lost_at_[{j.what.id, task}] = now;
      }
      if (!planted(planted_fault::dropped_rejection))
        put_back(j, g, task);
    }
}

void sparrow_core::find_machines_again(open_job& j, sparrow_outbox& out) {
  if (limits_.how == probing::late_binding)
    reserve_what_is_missing(j, out);
  else if (j.placed && waiting(j) > 0) {
    pools_.begin();
    for (std::uint32_t g = 0; g < j.groups.size(); ++g)
      place_group(j, g, ratio(), out);
    note_shortage(j);
  }
}

void sparrow_core::remove(machine_id machine, instant now, sparrow_outbox& out) {
  const bool was_leaving = leaving_.erase(machine) > 0;
  if (machine >= machines_->machines() || (pools_.is_gone(machine) && !was_leaving))
    return;
  if (!was_leaving)
    pools_.remove(machine);
  for (const auto id : jobs_to_heed(machine)) {
    auto& j = *find(id);
    lose(j, machine, now, out);
    if (j.unfinished == 0)
      finish(j);
    else
      find_machines_again(j, out);
  }
  if (losses_)
    losses_->on[machine] = {};
  std::vector<probe_answer> unanswered;
  for (const auto& [number, round] : rounds_)
    for (std::uint32_t i = 0; i < round.probes.size(); ++i)
      if (round.probes[i].machine == machine && !round.probes[i].answered)
        unanswered.push_back({number, i, std::numeric_limits<std::int32_t>::max()});
  std::ranges::sort(unanswered, {}, [](const probe_answer& a) {
    return std::pair{a.round, a.index};
  });
  for (const auto& a : unanswered)
    answer(a, out);
  check_balance();
}

task_places sparrow_core::places() const {
  task_places in;
  in.told = true;
  for (const auto& [_, j] : jobs_)
    for (const auto& t : j.tasks) {
      in.queued += t.state == task_state::waiting;
      in.in_commit += t.state == task_state::sent;
      in.running += t.state == task_state::running;
    }
  return in;
}

void sparrow_core::visit_running(
  const std::function<void(const task_id&, machine_id)>& tell) const {
  for (const auto& [id, j] : jobs_)
    for (std::uint32_t i = 0; i < j.tasks.size(); ++i)
      if (j.tasks[i].state == task_state::running)
        tell({id, i}, j.tasks[i].machine);
}

bool sparrow_core::may_run(const task_id& task, machine_id machine) const {
  const auto it = jobs_.find(task.job);
  if (it == jobs_.end() || task.index >= it->second.tasks.size())
    return false;
  const auto& note = it->second.tasks[task.index];
  return note.machine == machine &&
         (note.state == task_state::sent || note.state == task_state::running);
}

instant sparrow_core::waits_since(const open_job& j, const task_id& task) const {
  if (lost_at_.empty())
    return j.what.submitted;
  const auto lost = lost_at_.find(task);
  return lost == lost_at_.end() ? j.what.submitted : lost->second;
}

void sparrow_core::note_waiting(instant now, std::span<const kept_job> left) {
  const auto age = [now](instant since) { return std::max(to_seconds(now - since), 0.0); };
  for (const auto& [id, j] : jobs_) {
    if (!is_warm(j))
      continue;
    auto& sample = book_of(j).sample;
    std::uint64_t since_submission = 0;
    for (std::uint32_t i = 0; i < j.tasks.size(); ++i) {
      const auto state = j.tasks[i].state;
      if (state != task_state::waiting && state != task_state::sent)
        continue;
      if (const auto since = waits_since(j, {id, i}); since != j.what.submitted)
        sample.waiting.add(age(since));
      else
        ++since_submission;
    }
    sample.waiting.add(age(j.what.submitted), since_submission);
    sample.open_jobs.add(age(j.what.submitted));
  }
  for (const auto& j : left) {
    if (j.what.submitted < limits_.warmup)
      continue;
    auto& sample = books_.of(j.what.group).sample;
    sample.waiting.add(age(j.what.submitted), j.what.task_count() - j.over.size());
    sample.open_jobs.add(age(j.what.submitted));
  }
}

std::vector<group_sample> sparrow_core::take_samples(instant now, std::span<const kept_job> left) {
  busy_.pass(now, books_);
  note_waiting(now, left);
  return books_.take(now);
}

void sparrow_core::check_balance() const {
#ifdef TROUPE_CHECKS
  const auto all = counts();
  if (!books_.balanced() ||
      books_.waiting() != static_cast<std::int64_t>(all.queued + all.in_commit))
    throw std::logic_error("the tasks of scheduler " + std::to_string(id_) + " do not balance");
#endif
}

} // namespace troupe
