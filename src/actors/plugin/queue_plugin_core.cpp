#include "actors/plugin/queue_plugin_core.hpp"

#include "model/base/planted_faults.hpp"

#include <algorithm>
#include <stdexcept>

namespace troupe {

queue_plugin_core::queue_plugin_core(const queue_plugin_rules& rules, const catalog& machines)
  : rules_(rules),
    machines_(&machines),
    books_(rules.group, rules.warmup, instant{0}),
    notes_(machines.machines()) {
  for (machine_id m = 0; m < notes_.size(); ++m)
    notes_[m].heard = machines.machine(m).capacity;
}

void queue_plugin_core::survive(std::uint32_t retries, instant begin) {
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

// -- events of machines -------------------------------------------------------------------------

void queue_plugin_core::asked(const get_task_request& request, sparrow_outbox& out) {
  const auto machine = request.machine;
  const reservation of{request.job, request.group};
  const auto known = seen(of);
  const bool was_stolen = take_stolen(request);
  if (!known || !begun_ || notes_.at(machine).leaves) {
    task_assignment none{true, request.group, {}};
    none.order.task.job = request.job;
    none.order.owner = rules_.id;
    out.assignments.emplace_back(machine, none);
    if (known && was_stolen)
      place_again({of, request.placed_on, request.length_met}, request.placed_on, out);
    return;
  }
  auto& open = requests_[{machine, known->job, known->group}];
  open.of = of;
  ++open.count;
  tell(get_task_request{known->job, known->group, machine, request.placed_on, request.length_met});
}

/// Forgets where a reservation is whose machine asks for its task. Returns whether it was stolen.
bool queue_plugin_core::take_stolen(const get_task_request& request) {
  const auto here = stolen_.find(request.machine);
  if (here == stolen_.end())
    return false;
  auto& all = here->second;
  const auto it = std::ranges::find_if(all, [&](const stolen_reservation& s) {
    return s.of.job == request.job && s.of.group == request.group &&
           s.placed_on == request.placed_on;
  });
  if (it == all.end())
    return false;
  all.erase(it);
  if (all.empty())
    stolen_.erase(here);
  return true;
}

void queue_plugin_core::answer(const probe_answer& answer, sparrow_outbox&) {
  tell(answer);
}

void queue_plugin_core::book(const task_news& news, sparrow_outbox& out) {
  for (const auto& s : news.started)
    start(s);
  for (const auto& e : news.ended)
    end(e, out);
  check_balance();
}

void queue_plugin_core::start(const task_start& what) {
  const bool known =
    may_run(what.task, what.machine) && books_.jobs.at(what.task).at == place::in_commit;
  if (!known) {
    ++books_.counters().own().duplicate_grants;
    return;
  }
  auto& record = books_.jobs.at(what.task);
  record.at = place::running;
  auto& counts = books_.of(what.task).counts;
  --counts.in_commit;
  ++counts.running;
  ++counts.placed;
  tell_start(record.seen, what.machine, what.at);
  if (const auto leaving = drained_.find(what.machine); leaving != drained_.end()) {
    leaving->second.erase(what.task);
    note_drained(what.machine);
  }
}

void queue_plugin_core::end(const task_end& what, sparrow_outbox& out) {
  if (may_run(what.task, what.machine) && books_.jobs.at(what.task).at == place::running)
    stop(what.task, what, out);
  else
    ++books_.counters().own().duplicate_grants;
}

/// A running task has ended.
void queue_plugin_core::stop(const task_id& task, const task_end& how, sparrow_outbox& out) {
  --books_.of(task).counts.running;
  leave(task, how.machine);
  const bool lost = how.outcome == task_outcome::lost;
  const bool again = lost ? may_retry(task) : how.outcome == task_outcome::preempted;
  const auto was = books_.jobs.at(task);
  if (!again) {
    // The plugin would run a lost task again.
    tell_end(was, how.machine, lost ? task_outcome::failed : how.outcome, how.at);
    close(task, how.at, fate_of(how.outcome), out);
    return;
  }
  ++books_.of(task).counts.queued;
  books_.jobs.put_back(task);
  if (!was.shown)
    submit_to_plugin(books_.jobs.release(task.job));
  else if (!planted(planted_fault::dropped_rejection))
    tell_end(was, how.machine, how.outcome, how.at);
}

void queue_plugin_core::close(const task_id& task, instant at, task_fate fate,
                              sparrow_outbox& out) {
  losses_.erase(task);
  out.over.emplace_back(task, fate);
  submit_to_plugin(books_.close(task, at, fate));
}

void queue_plugin_core::move(const moved_reservation& what, machine_id from, sparrow_outbox& out) {
  const stolen_reservation moved{{what.job, what.group}, what.placed_on, what.length_met};
  take_stolen({what.job, what.group, from, what.placed_on});
  if (!seen(moved.of))
    return;
  const auto& demand = group_of(moved.of).demand;
  for (const auto to : {what.to, from})
    if (takes(to, demand)) {
      place_again(moved, to, out);
      return;
    }
  place_again(moved, what.placed_on, out);
}

void queue_plugin_core::place_again(const stolen_reservation& what, machine_id on,
                                    sparrow_outbox& out) {
  const auto& group = group_of(what.of);
  if (!takes(on, group.demand))
    return; // it is the plugin's choice, which hears of that and moves the reservation itself
  const auto& j = *books_.jobs.find(what.of.job);
  queue_entry entry{
    entry_kind::reservation, {}, what.of.group, j.tenant, j.priority, what.placed_on,
    what.length_met};
  entry.order.task.job = what.of.job;
  entry.order.owner = rules_.id;
  entry.order.demand = group.demand;
  entry.order.by_scheduler = true;
  out.entries.emplace_back(on, entry);
  if (on == what.placed_on)
    return;
  auto& there = stolen_[on];
  std::erase_if(there, [&](const stolen_reservation& s) { return !seen(s.of); });
  there.push_back(what);
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
