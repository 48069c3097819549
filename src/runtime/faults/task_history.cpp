#include "runtime/faults/task_history.hpp"

#include <algorithm>
#include <utility>

namespace troupe {

std::uint32_t task_history::story::count(run_state state) const {
  return static_cast<std::uint32_t>(std::ranges::count(runs, state, &run::state));
}

const task_history::run* task_history::story::ended_on(machine_id machine, instant at) const {
  const auto it = std::ranges::find_if(runs, [&](const run& r) {
    return r.state == run_state::ended && r.machine == machine && r.to == at;
  });
  return it == runs.end() ? nullptr : &*it;
}

// -- machines -------------------------------------------------------------------------------------

task_history::run* task_history::find(const task_id& task, std::uint64_t number) {
  auto& runs = stories_[task].runs;
  const auto it = std::ranges::find(runs, number, &run::number);
  return it == runs.end() || it->state != run_state::runs ? nullptr : &*it;
}

void task_history::started(const task_id& task, machine_id machine, std::uint64_t number,
                           instant now) {
  stories_[task].runs.push_back({machine, number, now});
  running_[machine].emplace_back(task, number);
}

void task_history::ended(const task_end& end, std::uint64_t number) {
  auto* of = find(end.task, number);
  if (of == nullptr)
    return;
  of->state = run_state::ended;
  of->to = end.at;
  of->outcome = end.outcome;
  std::erase(running_[end.machine], std::pair{end.task, number});
}

void task_history::killed(const task_id& task, std::uint64_t number, instant now) {
  auto* of = find(task, number);
  if (of == nullptr)
    return;
  of->state = run_state::killed;
  of->to = now;
  std::erase(running_[of->machine], std::pair{task, number});
}

void task_history::lose_machine(machine_id machine, instant now) {
  for (const auto& [task, number] : running_[machine])
    if (auto* of = find(task, number)) {
      of->state = run_state::lost;
      of->to = now;
    }
  running_[machine].clear();
}

// -- owners ---------------------------------------------------------------------------------------

void task_history::asked(owner_id owner, const commit_request& wanted) {
  const auto [it, is_new] =
    requests_.try_emplace({wanted.scheduler, owner, wanted.id},
                          request{wanted.placements, session_of(wanted.reports_seen)});
  // A commit that settles what an owner holds may be refused, but is no attempt of its own.
  if (!is_new || wanted.mode == commit_mode::launch || wanted.mode == commit_mode::release)
    return;
  const std::uint32_t repeated = repeats(owner, wanted) ? 1 : 0;
  for (const auto& p : wanted.placements) {
    ++stories_[p.task].asked;
    stories_[p.task].repeated += repeated;
  }
}

bool task_history::repeats(owner_id owner, const commit_request& wanted) const {
  if (wanted.mode != commit_mode::hold)
    return false;
  const auto first = requests_.lower_bound({wanted.scheduler, owner, 0});
  const auto last = requests_.find({wanted.scheduler, owner, wanted.id});
  return std::any_of(first, last, [&](const auto& earlier) {
    const request& r = earlier.second;
    return !r.answered && r.session < last->second.session &&
           std::ranges::equal(r.placements, wanted.placements, {}, &placement::task,
                              &placement::task);
  });
}

void task_history::answered(scheduler_id scheduler, const commit_reply& reply, instant now) {
  const auto it = requests_.find({scheduler, reply.owner, reply.id});
  if (it == requests_.end() || std::exchange(it->second.answered, true))
    return;
  for (const auto& why : reply.rejections)
    if (why.cause != conflict_cause::aborted) {
      const auto& p = it->second.placements.at(why.index);
      stories_[p.task].refusals.push_back(
        {now, reply.owner, p.machine, why.cause, why.winner, why.free});
    }
}

} // namespace troupe
