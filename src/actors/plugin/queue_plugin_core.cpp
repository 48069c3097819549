#include "actors/plugin/queue_plugin_core.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace troupe {

queue_plugin_core::queue_plugin_core(const queue_plugin_rules& rules, const catalog& machines,
                                     std::unique_ptr<plugin_records> records)
  : rules_(rules),
    machines_(&machines),
    books_(rules.group, rules.warmup, instant{0}),
    records_(std::move(records)),
    notes_(machines.machines()) {
  for (machine_id m = 0; m < notes_.size(); ++m)
    notes_[m].heard = machines.machine(m).capacity;
}

void queue_plugin_core::watch_failures(std::uint32_t retries, instant begin) {
  retries_ = retries;
  books_.counters().begin(begin);
}

void queue_plugin_core::check_balance() const {
#ifdef TROUPE_CHECKS
  if (!books_.counters().balanced())
    throw std::logic_error("the tasks of scheduler " + std::to_string(rules_.id) +
                           " do not balance");
#endif
}

// -- what the plugin is told --------------------------------------------------------------------

void queue_plugin_core::begin() {
  if (std::exchange(begun_, true))
    return;
  auto later = std::exchange(told_, {});
  for (machine_id m = 0; m < notes_.size(); ++m)
    if (const auto has = notes_[m].told; has != machines_->machine(m).capacity)
      tell_capacity(m, has);
  std::ranges::move(later, std::back_inserter(told_));
}

std::vector<queue_plugin_core::plugin_message> queue_plugin_core::take_told() {
  check_balance();
  return begun_ ? std::exchange(told_, {}) : std::vector<plugin_message>{};
}

void queue_plugin_core::tell(plugin_message what) {
  ++told_count_;
  told_.push_back(std::move(what));
}

void queue_plugin_core::tell_start(const task_id& seen, machine_id machine, instant at) {
  tell(task_news{{{seen, machine, at}}, {}});
}

void queue_plugin_core::tell_end(const plugin_jobs::task_record& was, machine_id machine,
                                 task_outcome outcome, instant at) {
  if (was.shown)
    tell(task_news{{}, {{was.seen, machine, outcome, at}}});
}

void queue_plugin_core::tell_capacity(machine_id machine, const resources& capacity,
                                      std::uint32_t of_machine) {
  auto& note = notes_[machine];
  note.told = capacity;
  if (!begun_)
    return;
  unheard_[machine].push_back({++note.notices, capacity, of_machine});
  tell(capacity_notice{machine, capacity, note.notices});
}

void queue_plugin_core::submit_to_plugin(std::vector<job> jobs) {
  if (!jobs.empty())
    tell(submission{std::move(jobs)});
}

// -- jobs ---------------------------------------------------------------------------------------

void queue_plugin_core::submit(std::vector<job> jobs) {
  if (records_)
    for (const auto& j : jobs)
      records_->submit(j);
  submit_to_plugin(books_.add(std::move(jobs)));
}

void queue_plugin_core::resume(const kept_job& left, const std::map<task_id, machine_id>& runs_on) {
  const auto id = left.what.id;
  std::vector<task_place> running;
  for (std::uint32_t i = 0; i < left.what.task_count(); ++i)
    if (const auto at = runs_on.find({id, i});
        at != runs_on.end() && !std::ranges::binary_search(left.over, i))
      running.push_back({{id, i}, at->second});
  books_.count_left(left, running.size());
  if (records_)
    records_->resume(left, running);
  submit_to_plugin(
    books_.jobs.resume(left, [&](const task_id& task) { return runs_on.contains(task); }));
  for (const auto& [task, machine] : running) {
    books_.jobs.at(task).machine = machine;
    on_[machine].insert(task);
  }
}

std::uint64_t queue_plugin_core::abandon_queued(std::uint32_t group, std::uint64_t given_up,
                                                instant now, sparrow_outbox& out) {
  const auto tasks = books_.abandoned(group, given_up);
  for (const auto& task : tasks) {
    --books_.of(task).counts.queued;
    close(task, now, task_fate::abandoned, out);
  }
  return tasks.size();
}

// -- machines -----------------------------------------------------------------------------------

void queue_plugin_core::note_capacity(machine_id machine, const capacity_notice* notice,
                                      sparrow_outbox& out) {
  // The machine is given nothing that the plugin has sent before it is told of the notice.
  if (notice != nullptr)
    out.heard.push_back({machine, {rules_.id, notice->number}});
}

void queue_plugin_core::restore(machine_id machine, sparrow_outbox& out,
                                const capacity_notice* notice) {
  if (machine >= notes_.size())
    return;
  note_capacity(machine, notice, out);
  const auto& capacity =
    notice != nullptr ? notice->capacity : machines_->machine(machine).capacity;
  if (capacity != notes_[machine].told)
    tell_capacity(machine, capacity);
}

void queue_plugin_core::set_capacity(const capacity_notice& what, sparrow_outbox& out) {
  if (what.machine >= notes_.size())
    return;
  auto& note = notes_[what.machine];
  const bool is_drained = note.leaves && !drained_.contains(what.machine);
  if (is_drained || !begun_)
    note_capacity(what.machine, &what, out);
  if (!is_drained)
    tell_capacity(what.machine, what.capacity, what.number);
}

void queue_plugin_core::retire(machine_id machine, sparrow_outbox&) {
  if (machine >= notes_.size() || std::exchange(notes_[machine].leaves, true))
    return;
  auto& still = drained_[machine];
  if (const auto there = on_.find(machine); there != on_.end())
    for (const auto& task : there->second)
      if (books_.jobs.at(task).at == place::in_commit)
        still.insert(task);
  note_drained(machine);
}

/// All tasks that were sent to a machine that leaves have started: it has nothing more to give.
void queue_plugin_core::note_drained(machine_id machine) {
  const auto it = drained_.find(machine);
  if (it == drained_.end() || !it->second.empty())
    return;
  drained_.erase(it);
  if (!notes_[machine].told.is_zero())
    tell_capacity(machine, {});
}

void queue_plugin_core::remove(machine_id machine, instant now, sparrow_outbox& out) {
  if (machine >= notes_.size())
    return;
  auto& note = notes_[machine];
  note.leaves = false;
  drained_.erase(machine);
  requests_.erase(requests_.lower_bound({machine, 0, 0}),
                  requests_.lower_bound({machine + 1, 0, 0}));
  if (const auto pending = unheard_.find(machine); pending != unheard_.end())
    for (auto& notice : pending->second)
      notice.of_machine = 0; // its session is over
  const auto on = on_.find(machine);
  for (const auto& task : on == on_.end() ? std::set<task_id>{} : std::set{on->second})
    if (books_.jobs.at(task).at == place::running)
      stop(task, {task, machine, task_outcome::lost, now}, out);
  if (!note.told.is_zero())
    tell_capacity(machine, {});
  note.valid_from = note.notices;
  if (auto moved = stolen_.extract(machine))
    for (const auto& what : moved.mapped())
      if (seen(what.of))
        place_again(what, what.placed_on, out);
  check_balance();
}

// -- counts -------------------------------------------------------------------------------------

task_places queue_plugin_core::places() const {
  const auto& jobs = books_.jobs;
  task_places in;
  in.told = true;
  in.queued = jobs.count(place::held) + jobs.count(place::queued);
  in.in_commit = jobs.count(place::in_commit);
  in.running = jobs.count(place::running);
  return in;
}

std::vector<group_sample> queue_plugin_core::take_samples(instant now,
                                                          std::span<const kept_job> left) {
  return books_.take_samples(std::exchange(counted_, {}), left, now);
}

void queue_plugin_core::visit_running(
  const std::function<void(const task_id&, machine_id)>& tell) const {
  for (const auto& [machine, tasks] : on_)
    for (const auto& task : tasks)
      if (books_.jobs.at(task).at == place::running)
        tell(task, machine);
}

bool queue_plugin_core::may_run(const task_id& task, machine_id machine) const {
  const auto there = on_.find(machine);
  return there != on_.end() && there->second.contains(task);
}

} // namespace troupe
