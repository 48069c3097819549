#include "runtime/audit.hpp"

#include "actors/guarded_queue.hpp"
#include "actors/guarded_sparrow.hpp"
#include "runtime/build_catalog.hpp"
#include "runtime/compare_running.hpp"
#include "runtime/state_of.hpp"
#include "runtime/virtual_coordinator.hpp"

#include <caf/scheduled_actor.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

std::string task_text(const task_id& task) {
  return "task " + to_string(task);
}

} // namespace

/// Tells the audit what the machines have done.
class audit::executor_watch final : public node_executor {
public:
  executor_watch(audit& tells, std::shared_ptr<node_executor> inner)
    : tells_(tells), inner_(std::move(inner)) {}

  run_number start(machine_id machine, const launch_order& order, instant now) override {
    const auto run = inner_->start(machine, order, now);
    tasks_.emplace(run, order.task);
    tells_.started(machine, order, run);
    return run;
  }

  void kill(machine_id machine, run_number run) override {
    if (const auto it = tasks_.find(run); it != tasks_.end())
      tells_.stopped(machine, run, it->second);
    inner_->kill(machine, run);
  }

  void refuse(machine_id machine, const launch_order& order) override {
    tells_.fail("machine " + std::to_string(machine) + " is told to run " + task_text(order.task) +
                " and has no room for it");
    inner_->refuse(machine, order);
  }

  void take_due(instant now, std::vector<task_end_queue::entry>& out) override {
    const auto first = out.size();
    inner_->take_due(now, out);
    for (auto i = first; i < out.size(); ++i) {
      tells_.stopped(out[i].end.machine, out[i].run, out[i].end.task);
      tasks_.erase(out[i].run);
    }
  }

  bool has_ended(run_number run) const override { return inner_->has_ended(run); }
  void attach(node_actor node) override { inner_->attach(std::move(node)); }
  instant next_due() override { return inner_->next_due(); }
  void take_started(std::vector<started_task>& out) override { inner_->take_started(out); }
  node_status status() override { return inner_->status(); }
  std::vector<std::uint64_t> starts_by_group() override { return inner_->starts_by_group(); }

private:
  audit& tells_;
  std::shared_ptr<node_executor> inner_;
  std::map<run_number, task_id> tasks_; ///< whose ends have not been reported
};

audit::audit(caf::actor_system& system, const run_settings& settings)
  : time_(virtual_coordinator::of(system)), settings_(settings), probing_(any_probes(settings)) {
  const auto machines = build_catalog(settings.cluster, settings.seed, settings.task_classes);
  for (machine_id m = 0; m < machines.machines(); ++m)
    capacity_.push_back(machines.machine(m).capacity);
}

std::shared_ptr<node_executor> audit::watched(std::shared_ptr<node_executor> inner) {
  return std::make_shared<executor_watch>(*this, std::move(inner));
}

void audit::begin(const stage& on) {
  stage_ = &on;
  time_.watch([this](const caf::scheduled_actor& actor) { look_at(actor); });
}

instant audit::now() const {
  return time_.now();
}

void audit::fail(const std::string& what) {
  if (!violation_)
    violation_ = what;
}

// -- what runs ----------------------------------------------------------------------------------

resources audit::used(machine_id machine) const {
  resources sum;
  for (const auto& [where, what] : runs_)
    if (where.second == machine)
      sum += what.demand;
  return sum;
}

void audit::started(machine_id machine, const launch_order& order, run_number run) {
  ++starts_;
  if (over(order.task))
    fail(task_text(order.task) + " is started on machine " + std::to_string(machine) +
         " although it is over");
  runs_.insert_or_assign({order.task, machine}, active_run{run, order.demand});
  if (!capacity_.at(machine).fits(used(machine)))
    fail("machine " + std::to_string(machine) + " runs more than it has room for");
  check_doubles();
}

void audit::stopped(machine_id machine, run_number run, const task_id& task) {
  const auto it = runs_.find({task, machine});
  if (it != runs_.end() && it->second.number == run)
    runs_.erase(it);
}

void audit::check_doubles() {
  const std::pair<task_id, machine_id>* before = nullptr;
  for (const auto& [where, what] : runs_) {
    if (still_.contains(where.second))
      continue;
    if (before != nullptr && before->first == where.first)
      fail(task_text(where.first) + " runs on machine " + std::to_string(before->second) +
           " and on machine " + std::to_string(where.second));
    before = &where;
  }
}

void audit::apply(const fault& f, bool begins) {
  if (f.of_network() || f.what != role::machine)
    return;
  if (f.kind == fault_kind::kill && begins)
    std::erase_if(runs_, [&](const auto& r) { return r.first.second == f.number; });
  if (f.kind == fault_kind::kill)
    still_.erase(f.number);
  else if (begins)
    still_.insert(f.number);
  else
    still_.erase(f.number);
}

bool audit::over(const task_id& task) const {
  const auto* store = stage_->latest(role::workload, static_cast<std::uint32_t>(task.job >> 40));
  if (store == nullptr)
    return false;
  const auto* state = state_of<guarded_workload_actor, workload_state>(*store);
  return state != nullptr && state->store && state->store->is_over(task);
}

void audit::compare_books() {
  if (const auto books = compare_running(*stage_, settings_); !books.wrong.empty())
    fail(books.wrong);
}

// -- books --------------------------------------------------------------------------------------

void audit::look_at(const caf::scheduled_actor& actor) {
  for (const auto& [who, all] : stage_->lives()) {
    if (who.first != role::owner && who.first != role::scheduler)
      continue;
    for (const auto& one : all)
      if (one.handle->id() == actor.id())
        who.first == role::owner ? look_at_owner(one, false) : look_at_scheduler(one, false);
  }
}

void audit::look_at_owner(const stage::process& who, bool at_end) {
  const auto* state = state_of<guarded_owner_actor, owner_state>(who);
  if (state == nullptr || !state->core)
    return;
  const auto name = "owner " + std::to_string(who.number);
  if (state->core->inconsistent() > 0)
    fail("the books of " + name +
         " are wrong: a machine is over capacity, or what is free and "
         "what runs do not add up");
  if (const auto n = state->core->counted().unknown_ends; n > 0)
    fail(name + " is told of the end of a task that does not run");
  for (scheduler_id s = 0; at_end && s < state->config.schedulers; ++s)
    for (const auto& r : state->core->running_of(s))
      fail("in the end " + name + " believes that " + task_text(r.task) + " of scheduler " +
           std::to_string(s) + " runs on machine " + std::to_string(r.machine));
}

void audit::look_at_sparrow(const stage::process& who, bool at_end) {
  const auto* state = state_of<guarded_sparrow_actor, guarded_sparrow_state>(who);
  if (state == nullptr || !state->core)
    return;
  const auto name = "scheduler " + std::to_string(who.number);
  check_counts(name, state->core->core().counts(), at_end && !who.dead);
  if (state->core->core().unknown_news() > 0)
    fail(name + " is told of a start or an end that it does not wait for");
  if (at_end && !who.dead && state->core->taking_over())
    fail("in the end " + name + " has still not taken over from its earlier life");
}

void audit::look_at_queue(const stage::process& who) {
  const auto* state = state_of<guarded_queue_actor, guarded_queue_state>(who);
  if (state != nullptr && state->guard && !who.dead && !state->guard->idle())
    fail("in the end machine " + std::to_string(who.number) + " is not idle");
}

void audit::check_counts(const std::string& name, const task_counts& counts, bool at_end) {
  if (!counts.balanced())
    fail("the tasks of " + name + " are not each in exactly one place");
  if (at_end && (counts.queued > 0 || counts.in_commit > 0 || counts.running > 0))
    fail("in the end " + name + " has " + std::to_string(counts.queued) + " tasks queued, " +
         std::to_string(counts.in_commit) + " in commit and " + std::to_string(counts.running) +
         " running");
}

void audit::look_at_scheduler(const stage::process& who, bool at_end) {
  if (probing_) {
    look_at_sparrow(who, at_end);
    return;
  }
  const auto* state = state_of<guarded_scheduler_actor, scheduler_state>(who);
  if (state == nullptr || !state->core)
    return;
  const auto& core = *state->core;
  const auto counts = core.counts();
  const auto name = "scheduler " + std::to_string(who.number);
  check_counts(name, counts, at_end);
  if (counts.in_commit != core.under_way())
    fail(name + " counts " + std::to_string(counts.in_commit) + " tasks in commit and has " +
         std::to_string(core.under_way()));
  if (core.survival() && counts.running != core.survival()->running.size())
    fail(name + " counts " + std::to_string(counts.running) + " running tasks and knows of " +
         std::to_string(core.survival()->running.size()));
  if (core.granted_twice() > 0)
    fail(name + " was granted a task twice");
}

// -- the end ------------------------------------------------------------------------------------

bool audit::complete() const {
  for (const auto& [who, all] : stage_->lives()) {
    if (who.first != role::workload)
      continue;
    const auto* state = state_of<guarded_workload_actor, workload_state>(all.back());
    if (state == nullptr || !state->status.ended || state->store->open_jobs() > 0)
      return false;
  }
  return true;
}

std::uint64_t audit::tasks() const {
  std::uint64_t n = 0;
  for (const auto& [who, all] : stage_->lives())
    if (who.first == role::workload)
      if (const auto* state = state_of<guarded_workload_actor, workload_state>(all.back()))
        n += state->store->tasks();
  return n;
}

std::uint64_t audit::tasks_over() const {
  std::uint64_t n = 0;
  for (const auto& [who, all] : stage_->lives())
    if (who.first == role::workload)
      if (const auto* state = state_of<guarded_workload_actor, workload_state>(all.back()))
        n += state->store->over();
  return n;
}

bool audit::at_rest() {
  check_end();
  return !std::exchange(violation_, std::nullopt);
}

void audit::check_end() {
  for (const auto& [who, all] : stage_->lives()) {
    if (who.first == role::workload) {
      const auto* state = state_of<guarded_workload_actor, workload_state>(all.back());
      if (state == nullptr)
        fail("workload " + std::to_string(who.second) + " has died");
      else if (const auto open = state->store->tasks() - state->store->over(); open > 0)
        fail(std::to_string(open) + " of " + std::to_string(state->store->tasks()) +
             " tasks are not over in the end");
    }
    if (who.first == role::owner)
      look_at_owner(all.back(), true);
    if (who.first == role::scheduler)
      look_at_scheduler(all.back(), true);
    if (who.first == role::machine && probing_)
      look_at_queue(all.back());
  }
  check_doubles();
  if (!runs_.empty())
    fail("in the end " + task_text(runs_.begin()->first.first) + " runs on machine " +
         std::to_string(runs_.begin()->first.second) + ", and nobody waits for it");
}

} // namespace troupe
