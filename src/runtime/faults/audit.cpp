#include "runtime/faults/audit.hpp"

#include "actors/queue/queueing_machine.hpp"
#include "runtime/cluster/places.hpp"
#include "runtime/cluster/placing_core.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/probing_member.hpp"
#include "runtime/cluster/state_of.hpp"
#include "runtime/run/compare_running.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <caf/monitorable_actor.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

std::string task_text(const task_id& task) {
  return "task " + to_string(task);
}

} // namespace

/// Reports starts and ends of tasks on machines to the audit.
class audit::executor_watch final : public node_executor {
public:
  executor_watch(audit& tells, std::shared_ptr<node_executor> inner)
    : tells_(tells), inner_(std::move(inner)) {}

  run_number start(machine_id machine, const launch_order& order, instant now) override {
    const auto run = inner_->start(machine, order, now);
    tasks_.emplace(run, order.task);
    if (tells_.records_)
      tells_.records_->truth().started(order.task, machine, run, now);
    tells_.started(machine, order, run);
    return run;
  }

  void kill(machine_id machine, run_number run) override {
    if (const auto it = tasks_.find(run); it != tasks_.end()) {
      tells_.stopped(machine, run, it->second);
      if (tells_.records_)
        tells_.records_->truth().killed(it->second, run, tells_.now());
    }
    inner_->kill(machine, run);
  }

  void refuse(machine_id machine, const launch_order& order) override {
    tells_.fail("machine " + std::to_string(machine) + " is ordered to run " +
                task_text(order.task) + " without room for it");
    inner_->refuse(machine, order);
  }

  void take_due(instant now, std::vector<task_end_queue::entry>& out) override {
    const auto first = out.size();
    inner_->take_due(now, out);
    for (auto i = first; i < out.size(); ++i) {
      tells_.stopped(out[i].end.machine, out[i].run, out[i].end.task);
      tells_.ended_.insert(out[i].end.task);
      if (tells_.records_)
        tells_.records_->truth().ended(out[i].end, out[i].run);
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
  std::map<run_number, task_id> tasks_; ///< tasks whose ends have not been reported
};

audit::audit(caf::actor_system& system, const run_settings& settings)
  : time_(virtual_coordinator::of(system)), settings_(settings), probing_(any_probes(settings)) {}

std::shared_ptr<node_executor> audit::watched(std::shared_ptr<node_executor> inner) {
  return std::make_shared<executor_watch>(*this, std::move(inner));
}

void audit::begin(const simulated_cluster& on, instant first_failure) {
  cluster_ = &on;
  first_failure_ = first_failure;
  if (settings_.records != record_level::none)
    records_.emplace(*on.machines());
  time_.watch([this](const caf::monitorable_actor& actor) { look_at(actor); });
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
  check_request(order.task, machine);
  runs_.insert_or_assign({order.task, machine}, active_run{run, order.demand});
  check_room(machine);
  check_doubles();
}

void audit::check_room(machine_id machine) {
  if (!cluster_->capacity_of(machine, now()).fits(used(machine)))
    fail("machine " + std::to_string(machine) + " runs more than it has room for");
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
  if (f.kind == fault_kind::drain && begins)
    return;
  if (f.kind == fault_kind::drain || (f.kind == fault_kind::kill && begins)) {
    std::erase_if(runs_, [&](const auto& r) { return r.first.second == f.number; });
    if (records_)
      records_->truth().lose_machine(f.number, now());
  }
  if (f.kind == fault_kind::freeze && begins)
    still_.insert(f.number);
  else
    still_.erase(f.number);
}

const job_store* audit::store_of(job_id job) const {
  const auto* one = cluster_->latest(role::workload, troupe::store_of(job));
  const auto* state = one == nullptr ? nullptr : state_of<workload_actor, workload_state>(*one);
  return state != nullptr && state->store ? &*state->store : nullptr;
}

bool audit::over(const task_id& task) const {
  const auto* store = store_of(task.job);
  return store != nullptr && store->is_over(task);
}

namespace {

/// The first number of the tasks of each group, and behind the last: consecutive groups have
/// consecutive numbers.
std::vector<std::uint32_t> first_tasks(const job& of) {
  std::vector<std::uint32_t> first{0};
  for (const auto& group : of.groups)
    first.push_back(first.back() + group.count);
  return first;
}

} // namespace

void audit::check_request(const task_id& task, machine_id machine) {
  const auto* store = store_of(task.job);
  const auto* of = store == nullptr ? nullptr : store->find(task.job);
  if (of == nullptr)
    return;
  const auto first = first_tasks(*of);
  const auto behind = std::ranges::upper_bound(first, task.index);
  const auto group = static_cast<std::size_t>(behind - first.begin()) - 1;
  if (group >= of->groups.size())
    return;
  const auto& asked = of->groups[group];
  for (const auto parent : asked.after)
    for (auto i = first[parent]; i < first[parent + 1]; ++i)
      if (const task_id awaited{task.job, i};
          !ended_.contains(awaited) && !given_up_.contains(awaited) && !store->is_over(awaited))
        fail(task_text(task) + " is started before " + task_text(awaited) +
             ", for which it waits, is over");
  const auto& has = cluster_->machines()->kind_of(machine).attributes;
  if (std::ranges::any_of(asked.constraints, [&](const auto& c) { return !meets(has, c); }))
    fail(task_text(task) + " is started on machine " + std::to_string(machine) +
         ", which does not meet its constraints");
  for (auto run = runs_.lower_bound({{task.job, 0}, 0});
       of->spread && run != runs_.end() && run->first.first.job == task.job; ++run)
    if (run->first.second == machine && run->first.first != task)
      fail(task_text(task) + " is started on machine " + std::to_string(machine) + " beside " +
           task_text(run->first.first) + " of its job, which spreads");
}

void audit::note_given_up(const failover_books& books) {
  books.visit_untold([this](const task_id& task, task_fate fate) {
    if (fate == task_fate::lost || fate == task_fate::abandoned)
      given_up_.insert(task);
  });
}

void audit::compare_books() {
  for (const auto& [where, _] : runs_)
    if (!still_.contains(where.second))
      check_room(where.second);
  if (const auto books = compare_running(*cluster_, settings_); !books.wrong.empty())
    fail(books.wrong);
}

// -- books --------------------------------------------------------------------------------------

const simulated_cluster::process* audit::process_of(const caf::monitorable_actor& actor) const {
  for (const auto& [who, all] : cluster_->incarnations()) {
    if (who.first != role::owner && who.first != role::scheduler)
      continue;
    for (const auto& one : all)
      if (one.handle->id() == actor.id())
        return &one;
  }
  return nullptr;
}

void audit::look_at(const caf::monitorable_actor& actor) {
  if (const auto* who = process_of(actor))
    who->what == role::owner ? look_at_owner(*who, false) : look_at_scheduler(*who, false);
}

void audit::look_at_owner(const simulated_cluster::process& who, bool at_end) {
  const auto* state = state_of<owner_actor, owner_state>(who);
  if (state == nullptr || !state->core)
    return;
  const auto name = "owner " + std::to_string(who.number);
  if (state->core->inconsistent() > 0)
    fail("the books of " + name +
         " are wrong: a machine is over capacity, or free and used resources do not add up");
  if (const auto n = state->core->counted().unknown_ends; n > 0)
    fail(name + " receives the end of a task that does not run");
  for (scheduler_id s = 0; at_end && s < state->config.schedulers; ++s)
    for (const auto& r : state->core->running_of(s))
      fail("in the end " + name + " believes that " + task_text(r.task) + " of scheduler " +
           std::to_string(s) + " runs on machine " + std::to_string(r.machine));
}

void audit::look_at_sparrow(const simulated_cluster::process& who, bool at_end) {
  const auto of = probing_member::of(who);
  if (!of)
    return;
  const auto name = "scheduler " + std::to_string(who.number);
  look_at_records(who, of->core->recording());
  check_counts(name, of->core->counts(), at_end && !who.dead);
  note_given_up(of->session->books());
  if (of->core->unknown_news() > 0)
    fail(name + " receives a start or an end that it does not expect");
  if (at_end && !who.dead && of->session->taking_over())
    fail("in the end " + name + " has still not taken over from its earlier incarnation");
}

void audit::look_at_queue(const simulated_cluster::process& who) {
  const auto* state = light_state_of<queueing_machine_state>(who);
  if (state != nullptr && !who.dead && !state->sessions()->idle())
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

void audit::look_at_scheduler(const simulated_cluster::process& who, bool at_end) {
  if (probes(settings_, who.number)) {
    look_at_sparrow(who, at_end);
    return;
  }
  const auto core = placing_core::of(who);
  if (!core)
    return;
  look_at_records(who, core->recording());
  const auto counts = core->counts();
  const auto name = "scheduler " + std::to_string(who.number);
  check_counts(name, counts, at_end);
  if (counts.in_commit != core->under_way())
    fail(name + " counts " + std::to_string(counts.in_commit) + " tasks in commit and has " +
         std::to_string(core->under_way()));
  if (core->failover() && counts.running != core->failover()->running.size())
    fail(name + " counts " + std::to_string(counts.running) + " running tasks and knows of " +
         std::to_string(core->failover()->running.size()));
  if (core->failover())
    note_given_up(*core->failover());
  if (core->granted_twice() > 0)
    fail(name + " was granted a task twice");
}

// -- records ------------------------------------------------------------------------------------

void audit::hear(const caf::monitorable_actor& actor, const caf::mailbox_element* message) {
  if (!records_ || message == nullptr)
    return;
  const auto& content = message->content();
  const bool asks = content.match_elements<commit_request>();
  const bool answers = content.match_elements<commit_reply>();
  if (!asks && !answers && !content.match_elements<owner_statement>())
    return;
  const auto* who = process_of(actor);
  if (who == nullptr || asks != (who->what == role::owner))
    return;
  auto& truth = records_->truth();
  if (asks)
    truth.asked(who->number, content.get_as<commit_request>(0));
  else if (answers)
    truth.answered(who->number, content.get_as<commit_reply>(0), now());
  else
    truth.stated(content.get_as<owner_statement>(0).owner, who->number, now());
}

void audit::look_at_records(const simulated_cluster::process& who, const record_outbox* kept) {
  if (!records_ || kept == nullptr)
    return;
  if (who.number_of_incarnation > 1 || now() >= first_failure_)
    records_->disturb();
  if (const auto wrong =
        records_->look_at(who.number, who.number_of_incarnation, kept->book(), now()))
    fail(*wrong);
}

void audit::check_records() {
  if (!records_)
    return;
  if (now() >= first_failure_)
    records_->disturb();
  record_audit::totals all;
  for (const auto& [who, incarnations] : cluster_->incarnations()) {
    const auto& last = incarnations.back();
    if (who.first == role::workload)
      if (const auto* state = state_of<workload_actor, workload_state>(last)) {
        all.tasks += state->store->tasks();
        for (std::size_t f = 0; f < task_fates; ++f) {
          all.tasks_by_fate[f] += state->store->tasks_by_fate()[f];
          all.jobs_by_fate[f] += state->store->jobs_by_fate()[f];
        }
      }
    if (who.first != role::scheduler || last.number_of_incarnation > 1)
      continue;
    const group_counters* counters = nullptr;
    if (probes(settings_, who.second)) {
      if (const auto of = probing_member::of(last))
        counters = &of->core->counters();
    } else if (const auto core = placing_core::of(last)) {
      counters = &core->counters();
    }
    if (counters != nullptr)
      if (const auto wrong = records_->compare(who.second, *counters))
        fail(*wrong);
  }
  if (const auto wrong = records_->check_end(all))
    fail(*wrong);
}

// -- the end ------------------------------------------------------------------------------------

bool audit::complete() const {
  for (const auto& [who, all] : cluster_->incarnations()) {
    if (who.first != role::workload)
      continue;
    const auto* state = state_of<workload_actor, workload_state>(all.back());
    if (state == nullptr || !state->status.ended || state->store->open_jobs() > 0)
      return false;
  }
  return true;
}

std::uint64_t audit::tasks() const {
  std::uint64_t n = 0;
  for (const auto& [who, all] : cluster_->incarnations())
    if (who.first == role::workload)
      if (const auto* state = state_of<workload_actor, workload_state>(all.back()))
        n += state->store->tasks();
  return n;
}

std::uint64_t audit::tasks_over() const {
  std::uint64_t n = 0;
  for (const auto& [who, all] : cluster_->incarnations())
    if (who.first == role::workload)
      if (const auto* state = state_of<workload_actor, workload_state>(all.back()))
        n += state->store->over();
  return n;
}

bool audit::at_rest() {
  check_end();
  return !std::exchange(violation_, std::nullopt);
}

void audit::check_end() {
  for (const auto& [who, all] : cluster_->incarnations()) {
    if (who.first == role::workload) {
      const auto* state = state_of<workload_actor, workload_state>(all.back());
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
         std::to_string(runs_.begin()->first.second) + ", and no scheduler waits for it");
  check_records();
}

} // namespace troupe
