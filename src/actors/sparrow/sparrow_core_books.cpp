#include "actors/sparrow/sparrow_core.hpp"
#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

open_job* sparrow_core::find(job_id id) {
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
  const auto g = j->group_of(what.task.index);
  // A machine that is to be drained by now starts what it has been sent.
  const auto* windows = machines_->windows();
  sample.constraint_violations +=
    !pools_.suits(j->groups[g].pool, what.machine) ||
    (j->what.spread && j->tasks_on(what.machine) > 1) ||
    (windows != nullptr && !windows->lets_start(windows->class_of(what.machine), what.at,
                                                j->what.estimate, j->what.tenant));
  auto* book = records();
  if (!is_warm(*j) && book == nullptr)
    return;
  const auto task_class = machines_->task_classes() > 1 ? j->what.groups[g].task_class : 0;
  const auto queued = waits_since(*j, what.task, g);
  const auto quality = machines_->score(what.machine, task_class);
  if (book != nullptr)
    book->start(what.task, {what.machine, queued, what.at, quality});
  if (!is_warm(*j))
    return;
  sample.delay.add(to_seconds(what.at - queued));
  sample.quality.add(quality);
}

void sparrow_core::end(const task_end& what, sparrow_outbox& out) {
  auto* j = find(what.task.job);
  const bool is_ours = j != nullptr && what.task.index < j->tasks.size() &&
                       j->tasks[what.task.index].machine == what.machine;
  if (is_ours && j->tasks[what.task.index].state == task_state::sent) {
    // The news of its start was lost.
    start({what.task, what.machine, what.at - j->runtime_of(what.task.index)});
  }
  const bool known = is_ours && j->tasks[what.task.index].state == task_state::running;
  if (!known) {
    books_.own().duplicate_grants += !pools_.is_gone(what.machine);
    return;
  }
  auto& [counts, sample] = book_of(*j);
  --counts.running;
  if (what.outcome == task_outcome::lost && losses_ && !losses_->may_retry(what.task)) {
    give_up(*j, what.task, what.at, out);
    if (j->unfinished == 0)
      finish(*j);
    else
      find_machines_again(*j, out);
    return;
  }
  if (what.outcome == task_outcome::lost || what.outcome == task_outcome::preempted) {
    ++counts.queued;
    if (auto* book = records())
      book->lose(what.task, what.at);
    wait_again(*j, what.task.index, what.at);
    j->put_back(what.task.index);
    find_machines_again(*j, out);
    return;
  }
  const auto fate = fate_of(what.outcome);
  ++(fate == task_fate::finished ? counts.finished : counts.failed);
  j->last_end = std::max(j->last_end, what.at);
  close(*j, what.task, fate, what.at, out);
  if (j->unfinished > 0) {
    if (j->what.spread)
      reserve_what_is_missing(*j, out);
    return;
  }
  finish(*j);
}

void sparrow_core::close(open_job& j, const task_id& task, task_fate fate, instant at,
                         sparrow_outbox& out) {
  if (auto* book = records())
    book->end(task, at, fate);
  const auto released = j.close(task.index, at);
  j.fate = std::max(j.fate, fate);
  if (!lost_at_.empty())
    lost_at_.erase(task);
  if (losses_) {
    losses_->over(task);
    out.over.emplace_back(task, fate);
  }
  if (!released.empty())
    release(j, released, out);
}

/// Finds machines for groups that have ceased to wait for others. A job that is still to be decided
/// on will have them found with the rest.
void sparrow_core::release(open_job& j, const std::vector<std::uint32_t>& groups,
                           sparrow_outbox& out) {
  for (const auto g : groups) {
    const auto& group = j.groups[g];
    blocked_ -= group.waiting;
    books_.wait(j.what.group, group.released, std::int64_t{group.waiting});
  }
  if (!j.placed)
    return;
  leave_out_used(j);
  for (const auto g : groups)
    place_group(j, g, ratio(), out);
  note_shortage(j);
}

/// Notes that a task whose run was lost waits again.
void sparrow_core::wait_again(const open_job& j, std::uint32_t task, instant since) {
  if (j.groups[j.group_of(task)].blocked()) { // it has run before a new incarnation knew why
    ++blocked_;
    return;
  }
  books_.wait(j.what.group, since, 1);
  lost_at_[{j.what.id, task}] = since;
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

/// Runs a task no more that was lost too often.
void sparrow_core::give_up(open_job& j, const task_id& task, instant at, sparrow_outbox& out) {
  ++book_of(j).counts.lost;
  j.last_end = std::max(j.last_end, at);
  close(j, task, task_fate::lost, at, out);
}

/// The groups that wait for others go first: none of them is released.
void sparrow_core::abandon(job_id id, instant now, sparrow_outbox& out) {
  auto* const found = find(id);
  if (found == nullptr)
    return;
  auto& j = *found;
  std::erase_if(undecided_, [id](const auto& u) { return u.second == id; });
  auto& counts = book_of(j).counts;
  for (auto g = static_cast<std::uint32_t>(j.groups.size()); g-- > 0;)
    while (j.groups[g].waiting > 0) {
      const task_id task{id, j.take_task(g)};
      --counts.queued;
      ++counts.abandoned;
      if (j.groups[g].blocked())
        --blocked_;
      else
        books_.wait(j.what.group, now, -1);
      close(j, task, task_fate::abandoned, now, out);
    }
  j.last_end = std::max(j.last_end, now);
  cancel(j, out); // a machine with too little for its demand would wait for it, and not ask
  if (j.unfinished == 0)
    finish(j);
  check_balance();
}

/// Takes back what a machine has too little for and does not run.
void sparrow_core::withdraw(open_job& j, machine_id machine, const resources& capacity) {
  bool fits = true;
  for (std::uint32_t g = 0; g < j.groups.size(); ++g)
    if (!capacity.fits(j.what.groups[g].demand)) {
      fits = false;
      j.forget_reservations(machine, g);
    }
  if (fits)
    return;
  auto& counts = book_of(j).counts;
  for (std::uint32_t index = 0; index < j.tasks.size(); ++index) {
    const auto& task = j.tasks[index];
    if (task.machine != machine || task.state != task_state::sent ||
        capacity.fits(j.what.groups[j.group_of(index)].demand))
      continue;
    --counts.in_commit;
    ++counts.queued;
    if (auto* book = records())
      book->queue_again({j.what.id, index});
    j.put_back(index);
  }
}

void sparrow_core::lose(open_job& j, machine_id machine, instant now, sparrow_outbox& out) {
  j.forget_reservations(machine);
  auto& counts = book_of(j).counts;
  for (std::uint32_t index = 0; index < j.tasks.size(); ++index) {
    if (!j.tasks[index].is_on(machine))
      continue;
    const task_id task{j.what.id, index};
    const bool ran = j.tasks[index].state == task_state::running;
    --(ran ? counts.running : counts.in_commit);
    if (ran && losses_ && !losses_->may_retry(task)) {
      give_up(j, task, now, out);
      continue;
    }
    ++counts.queued;
    if (auto* book = records()) {
      if (ran)
        book->lose(task, now);
      else
        book->queue_again(task);
    }
    if (ran)
      wait_again(j, index, now);
    if (!planted(planted_fault::dropped_rejection))
      j.put_back(index);
  }
}

void sparrow_core::find_machines_again(open_job& j, sparrow_outbox& out) {
  if (limits_.how == probing::late_binding)
    reserve_what_is_missing(j, out);
  else if (j.placed && j.ready() > 0) {
    pools_.begin();
    for (std::uint32_t g = 0; g < j.groups.size(); ++g)
      place_group(j, g, ratio(), out);
    note_shortage(j);
  }
}

void sparrow_core::reopen(sparrow_outbox& out) {
  auto ids = short_jobs();
  std::ranges::sort(ids);
  for (const auto id : ids)
    find_machines_again(*find(id), out);
  check_balance();
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
    losses_->clear(machine);
  for (const auto& a : rounds_.owed_by(machine))
    answer(a, out);
  check_balance();
}

void sparrow_core::set_capacity(const capacity_notice& what, sparrow_outbox& out) {
  const auto machine = what.machine;
  if (machine >= machines_->machines())
    return;
  note_capacity(machine, &what, out);
  const bool away = what.capacity.is_zero();
  if (away && !pools_.is_gone(machine))
    pools_.remove(machine);
  else if (!away && !leaving_.contains(machine))
    pools_.restore(machine);
  for (const auto id : jobs_to_heed(machine)) {
    auto& j = *find(id);
    withdraw(j, machine, what.capacity);
    find_machines_again(j, out);
  }
  if (away)
    for (const auto& a : rounds_.owed_by(machine))
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
  return it->second.tasks[task.index].is_on(machine);
}

instant sparrow_core::waits_since(const open_job& j, const task_id& task, std::uint32_t g) const {
  if (!lost_at_.empty())
    if (const auto lost = lost_at_.find(task); lost != lost_at_.end())
      return lost->second;
  return j.groups[g].released;
}

void sparrow_core::note_waiting(instant now, std::span<const kept_job> left) {
  const auto age = [now](instant since) { return std::max(to_seconds(now - since), 0.0); };
  for (const auto& [id, j] : jobs_) {
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
      books_.waiting() != static_cast<std::int64_t>(all.queued + all.in_commit - blocked_))
    throw std::logic_error("the tasks of scheduler " + std::to_string(id_) + " do not balance");
#endif
}

} // namespace troupe
