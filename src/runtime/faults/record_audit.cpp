#include "runtime/faults/record_audit.hpp"

#include <algorithm>
#include <initializer_list>

namespace troupe {

namespace {

using run_state = task_history::run_state;

std::string differ_text(const char* what, std::uint64_t recorded, std::uint64_t others) {
  return "has " + std::to_string(recorded) + " " + what + ", and there were " +
         std::to_string(others);
}

/// Returns whether the instants that are known are in order.
bool in_order(std::initializer_list<instant> instants) {
  auto before = no_instant;
  for (const auto at : instants) {
    if (at == no_instant)
      continue;
    if (at < before)
      return false;
    before = at;
  }
  return true;
}

std::uint64_t sum_of(const auto& numbers) {
  std::uint64_t sum = 0;
  for (const auto n : numbers)
    sum += n;
  return sum;
}

} // namespace

void record_audit::note(entries& known, record_state state, bool first) {
  known.differ = known.differ || (known.count > 0 && known.latest != state);
  known.latest = state;
  known.replaced = known.replaced || !first;
  ++known.count;
}

std::optional<std::string> record_audit::look_at(scheduler_id scheduler, std::uint32_t incarnation,
                                                 const record_book& book, instant now) {
  const writer by{scheduler, incarnation};
  const auto& done = book.finished();
  auto& seen = sums_[by];
  const auto tell = [&](const std::string& of, const std::string& why) {
    return "the record of " + of + " by scheduler " + std::to_string(scheduler) + " " + why;
  };
  for (; seen.attempts_seen < done.attempts.size(); ++seen.attempts_seen) {
    const auto& r = done.attempts[seen.attempts_seen];
    if (const auto why = check(r, by, now); !why.empty())
      return tell("a refusal of task " + to_string(r.task), why);
  }
  for (; seen.tasks_seen < done.tasks.size(); ++seen.tasks_seen) {
    const auto& r = done.tasks[seen.tasks_seen];
    if (const auto why = check(r, by, now); !why.empty())
      return tell("task " + to_string(r.task), why);
  }
  for (; seen.jobs_seen < done.jobs.size(); ++seen.jobs_seen) {
    const auto& r = done.jobs[seen.jobs_seen];
    if (const auto why = check(r, by, now); !why.empty())
      return tell("job " + std::to_string(r.job), why);
  }
  return std::nullopt;
}

// -- tasks ----------------------------------------------------------------------------------------

std::string record_audit::check(const task_record& r, const writer& by, instant now) {
  const bool first = by.second == 1;
  note(tasks_[r.task], r.state, first);
  auto& of_job = by_job_[{by, r.task.job}];
  ++of_job.tasks;
  of_job.attempts += r.tallies.attempts;
  of_job.conflicts += r.tallies.conflicts;
  of_job.preempted += r.tallies.preempted;
  of_job.lost += r.tallies.lost;
  of_job.work_lost += r.tallies.work_lost;
  of_job.ended = std::max(of_job.ended, r.at.ended);
  if (r.scheduler != by.first)
    return "names scheduler " + std::to_string(r.scheduler);
  if (r.state < record_state::finished)
    return "says \"" + std::string{name_of(r.state)} + "\" of a task that is over";
  if (r.at.ended == no_instant || r.at.ended > now)
    return "says that it ended at " + to_string(r.at.ended);
  // A task may start, and even end, before its scheduler hears of the grant.
  if (!in_order(
        {r.at.submitted, r.at.eligible, r.at.began, r.at.decided, r.at.started, r.at.ended}) ||
      !in_order({r.at.decided, r.at.granted, now}))
    return "has instants that are out of order";
  if (const auto why = check_run(r, first); !why.empty())
    return why;
  return calm_ ? check_history(r) : std::string{};
}

/// Compares the run that a record tells of with the runs of the task.
std::string record_audit::check_run(const task_record& r, bool first) {
  const bool by_itself = r.state == record_state::finished || r.state == record_state::failed;
  const auto& tallies = r.tallies;
  if (tallies.runs != tallies.lost + tallies.preempted + (by_itself ? 1 : 0))
    return "has " + std::to_string(tallies.runs) + " runs, of which " +
           std::to_string(tallies.lost) + " were lost and " + std::to_string(tallies.preempted) +
           " preempted, and says \"" + std::string{name_of(r.state)} + "\"";
  if (first && tallies.attempts < tallies.runs)
    return differ_text("attempts", tallies.attempts, tallies.runs);
  if (tallies.conflicts > tallies.attempts)
    return differ_text("conflicts", tallies.conflicts, tallies.attempts);
  if (r.machine != no_machine && r.partition != machines_->place_of(r.machine).partition)
    return "names partition " + std::to_string(r.partition) + " of machine " +
           std::to_string(r.machine);
  if (!by_itself)
    return {};
  const auto* run = truth_.of(r.task).ended_on(r.machine, r.at.ended);
  if (run == nullptr)
    return "says that it ended on machine " + std::to_string(r.machine) + " at " +
           to_string(r.at.ended) + ", where no run of it ended then";
  const bool killed = r.state == record_state::failed && run->outcome == task_outcome::finished &&
                      r.group < kills_.size() && kills_[r.group];
  if (record_state_of(fate_of(run->outcome)) != r.state && !killed)
    return "says \"" + std::string{name_of(r.state)} + "\", and its run ended as \"" +
           to_string(run->outcome) + "\"";
  if (r.at.started != no_instant && r.at.started != run->from)
    return "says that it started at " + to_string(r.at.started) + ", and it started at " +
           to_string(run->from);
  return {};
}

/// Compares the numbers of a record with what was seen, as long as nothing has failed.
std::string record_audit::check_history(const task_record& r) {
  const auto& seen = truth_.of(r.task);
  const auto& tallies = r.tallies;
  // A machine may leave before a task that was granted it starts there, or before it has told of an
  // end: by its trace, without a failure.
  const auto runs = static_cast<std::uint32_t>(seen.runs.size());
  const auto stopped = seen.count(run_state::killed) + seen.count(run_state::lost);
  // If an owner is replaced before its answer and the loss of the run have come, the statement of
  // its successor makes a refusal of them.
  const auto untold = std::min(seen.stated, stopped);
  if (tallies.runs + untold < runs || tallies.runs > runs + tallies.lost)
    return differ_text("runs", tallies.runs, runs);
  const auto at_most = stopped + seen.count(run_state::ended) + tallies.runs;
  if (const auto n = tallies.lost + tallies.preempted; n + untold < stopped || n + runs > at_most)
    return differ_text("lost and preempted runs", n, stopped);
  if (r.owner == no_scheduler)
    return {};
  // A commit that an owner's statement answers may never have come to the owner.
  const auto unseen = std::max(seen.stated, truth_.statements_of_successors(r.scheduler));
  if (tallies.attempts + seen.repeated < seen.asked || tallies.attempts > seen.asked + unseen)
    return differ_text("attempts", tallies.attempts, seen.asked);
  if (const auto refused = seen.refusals.size() + seen.stated; tallies.conflicts != refused)
    return differ_text("conflicts", tallies.conflicts, refused);
  for (const auto& refusal : seen.refusals)
    if (!refusal.recorded)
      return "is there, and none of the refusal by owner " + std::to_string(refusal.owner) +
             " at " + to_string(refusal.at);
  return {};
}

// -- jobs and refusals ----------------------------------------------------------------------------

std::string record_audit::check(const job_record& r, const writer& by, instant now) {
  const bool first = by.second == 1;
  note(jobs_[r.job], r.state, first);
  auto& sum = sums_[by];
  sum.attempts += r.attempts;
  sum.placed += r.placed.count;
  for (std::size_t c = 0; c < conflict_causes; ++c)
    sum.conflicts[c] += r.conflicts[c];
  sum.preempted += r.preempted;
  for (std::size_t f = 0; f < task_fates; ++f)
    sum.over[f] += r.over[f];
  const auto tasks = by_job_.extract({by, r.job});
  if (r.state < record_state::finished || r.state == record_state::lost)
    return "says \"" + std::string{name_of(r.state)} + "\" of a job that is over";
  if (r.at.ended == no_instant || r.at.ended > now)
    return "says that it ended at " + to_string(r.at.ended);
  if (!in_order({r.at.submitted, r.at.began, r.at.decided}) ||
      !in_order({r.at.submitted, r.at.first_placed, r.at.last_placed, now}))
    return "has instants that are out of order";
  if (!first)
    return {};
  const auto of = tasks.empty() ? task_sums{} : tasks.mapped();
  if (sum_of(r.over) != r.tasks || of.tasks != r.tasks)
    return differ_text("tasks that are over", sum_of(r.over), of.tasks);
  if (r.attempts != of.attempts)
    return differ_text("attempts", r.attempts, of.attempts);
  if (sum_of(r.conflicts) != of.conflicts)
    return differ_text("conflicts", sum_of(r.conflicts), of.conflicts);
  if (r.preempted != of.preempted || r.lost != of.lost)
    return differ_text("lost and preempted runs", r.lost + r.preempted, of.lost + of.preempted);
  if (r.work_lost != of.work_lost || r.at.ended != of.ended)
    return "tells of other times than those of its tasks";
  return {};
}

std::string record_audit::check(const attempt_record& r, const writer& by, instant now) {
  auto& sum = sums_[by];
  sum.aborted += r.cause == conflict_cause::aborted;
  if (r.scheduler != by.first)
    return "names scheduler " + std::to_string(r.scheduler);
  if (r.at > now || (r.retry_at != no_instant && r.retry_at < r.at))
    return "has instants that are out of order";
  if (r.cause == conflict_cause::aborted)
    return {};
  auto& seen = truth_.of(r.task);
  const auto it = std::ranges::find_if(seen.refusals, [&](const task_history::refusal& was) {
    return !was.recorded && was.at == r.at && was.owner == r.owner && was.machine == r.machine &&
           was.cause == r.cause && was.winner == r.winner && was.free == r.free;
  });
  if (it != seen.refusals.end()) {
    it->recorded = true;
    return {};
  }
  if (!truth_.has_stated(r.owner, by.first, r.at))
    return "tells of machine " + std::to_string(r.machine) + " of owner " +
           std::to_string(r.owner) + ", which has refused nothing as it says";
  ++seen.stated;
  return {};
}

// -- the end --------------------------------------------------------------------------------------

std::optional<std::string> record_audit::check_end(const totals& all) const {
  if (tasks_.size() != all.tasks)
    return std::to_string(tasks_.size()) + " of " + std::to_string(all.tasks) +
           " tasks have a record";
  if (jobs_.size() != sum_of(all.jobs_by_fate))
    return std::to_string(jobs_.size()) + " of " + std::to_string(sum_of(all.jobs_by_fate)) +
           " jobs have a record";
  std::array<std::uint64_t, task_fates> fates{};
  std::uint64_t unsure = 0;
  for (const auto& [task, known] : tasks_) {
    if (known.count > 1 && !known.replaced)
      return "task " + to_string(task) + " has " + std::to_string(known.count) + " records";
    if (known.differ)
      ++unsure;
    else
      ++fates[static_cast<std::size_t>(known.latest) -
              static_cast<std::size_t>(record_state::finished)];
  }
  for (std::size_t f = 0; f < task_fates; ++f)
    if (fates[f] > all.tasks_by_fate[f] || fates[f] + unsure < all.tasks_by_fate[f])
      return "records say of " + std::to_string(fates[f]) + " tasks that they have " +
             to_string(static_cast<task_fate>(f)) + ", and job stores of " +
             std::to_string(all.tasks_by_fate[f]);
  for (const auto& [job, known] : jobs_)
    if (known.count > 1 && !known.replaced)
      return "job " + std::to_string(job) + " has " + std::to_string(known.count) + " records";
  return std::nullopt;
}

std::optional<std::string> record_audit::compare(scheduler_id scheduler,
                                                 const group_counters& counters) const {
  const auto it = sums_.find({scheduler, 1});
  const auto& recorded = it == sums_.end() ? sums{} : it->second;
  const auto counts = counters.total();
  scheduler_sample counted;
  counters.visit([&](const scheduler_sample& of_group) { counted.merge_growing(of_group); });
  const auto tell = [&](const char* what, std::uint64_t in_records, std::uint64_t in_counters) {
    return "the records of scheduler " + std::to_string(scheduler) + " have " +
           std::to_string(in_records) + " " + what + ", and it counts " +
           std::to_string(in_counters);
  };
  const bool exact = calm_ && truth_.statements_of_successors(scheduler) == 0;
  // Of a task that was found to run after a failure it is not recorded when it was placed.
  if (exact ? recorded.placed != counts.placed : recorded.placed > counts.placed)
    return tell("placements", recorded.placed, counts.placed);
  for (std::size_t c = 0; c < conflict_causes; ++c)
    if (recorded.conflicts[c] != counted.conflicts_by_cause[c])
      return tell(("conflicts of cause " + to_string(static_cast<conflict_cause>(c))).c_str(),
                  recorded.conflicts[c], counted.conflicts_by_cause[c]);
  if (recorded.aborted != counted.attempts.aborted)
    return tell("aborted placements", recorded.aborted, counted.attempts.aborted);
  if (recorded.preempted != counted.preempted.tasks)
    return tell("preempted runs", recorded.preempted, counted.preempted.tasks);
  const std::array<std::uint64_t, task_fates> over{counts.finished, counts.failed, counts.lost,
                                                   counts.abandoned};
  if (recorded.over != over)
    return tell("tasks that are over by fate as counted, of", sum_of(recorded.over), sum_of(over));
  // An attempt of which it stayed unsure whether the task runs is neither granted nor refused.
  const auto attempts = counted.sparrow.launched > 0
                          ? counted.sparrow.launched
                          : counts.placed + counted.conflicts + counted.attempts.aborted;
  if (exact ? recorded.attempts != attempts : recorded.attempts < attempts)
    return tell("attempts", recorded.attempts, attempts);
  return std::nullopt;
}

} // namespace troupe
