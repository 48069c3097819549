#include "runtime/faults/audit.hpp"

#include "actors/protocol/messages.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/cluster/state_of.hpp"
#include "runtime/faults/member_audit.hpp"
#include "runtime/run/compare_running.hpp"
#include "runtime/time/virtual_coordinator.hpp"

#include <caf/mailbox_element.hpp>
#include <caf/monitorable_actor.hpp>
#include <caf/type_erased_tuple.hpp>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

bool any_chooses_widths(const run_settings& settings) {
  return settings.scheduler.width != width_rule::requested ||
         std::ranges::any_of(settings.groups, [](const group_settings& g) {
           return g.scheduler.width != width_rule::requested;
         });
}

/// Within which time the messages that start the tasks of one job arrive on all its machines. One
/// that is lost is sent again; ten in a row are not lost.
duration start_spread(const run_settings& settings) {
  duration spread = std::chrono::seconds{1};
  const auto& network = settings.network;
  for (const auto& cut : network.cuts)
    spread = std::max(spread, cut.to - cut.from);
  // A commit is repeated ten times; an order to a machine five times, after 1, 2, 4, 8 and 8 times
  // the interval of heartbeats (`reliable_sender`).
  if (network.loss > 0 || !network.cuts.empty())
    spread += 10 * settings.scheduler.commit_timeout + 23 * settings.failures.heartbeat;
  return spread;
}

} // namespace

audit::audit(caf::actor_system& system, const run_settings& settings)
  : time_(virtual_coordinator::of(system)), settings_(settings), probing_(any_probes(settings)) {}

std::shared_ptr<node_executor> audit::watched(std::shared_ptr<node_executor> inner) {
  executor_events& tells = *this;
  return std::make_shared<executor_watch>(tells, std::move(inner));
}

void audit::begin(const simulated_cluster& on, instant first_failure) {
  cluster_ = &on;
  running_.begin(on);
  if (settings_.records != record_level::none)
    records_.emplace(on, settings_, first_failure, found_);
  if (any_chooses_widths(settings_))
    widths_.emplace(found_, first_failure, start_spread(settings_), kills_in(settings_));
  time_.watch([this](const caf::monitorable_actor& actor) { look_at(actor); });
}

instant audit::now() const {
  return time_.now();
}

// -- machines -----------------------------------------------------------------------------------

void audit::started(machine_id machine, const launch_order& order, run_number run, instant now) {
  if (records_)
    records_->truth().started(order.task, machine, run, now);
  if (widths_)
    widths_->started(order, now);
  running_.started(machine, order, run, now);
}

void audit::killed(machine_id machine, run_number run, const task_id& task) {
  running_.killed(machine, run, task);
  if (records_)
    records_->truth().killed(task, run, now());
}

void audit::refused(machine_id machine, const launch_order& order) {
  found_.fail("machine " + std::to_string(machine) + " is ordered to run task " +
              to_string(order.task) + " without room for it");
}

void audit::ended(const task_end& end, run_number run) {
  running_.ended(end.machine, run, end.task);
  if (records_)
    records_->truth().ended(end, run);
}

void audit::apply(const fault& f, bool begins) {
  if (f.of_network() || f.what != role::machine)
    return;
  if (f.kind == fault_kind::drain && begins)
    return;
  if (f.kind == fault_kind::drain || (f.kind == fault_kind::kill && begins)) {
    running_.lose(f.number);
    if (records_)
      records_->truth().lose_machine(f.number, now());
  }
  running_.freeze(f.number, f.kind == fault_kind::freeze && begins);
}

// -- members ------------------------------------------------------------------------------------

void audit::hear(const caf::monitorable_actor& actor, const caf::mailbox_element* message) {
  if (widths_ && message != nullptr && message->content().match_elements<job_delivery>())
    widths_->delivered(message->content().get_as<job_delivery>(0));
  if (records_ && message != nullptr)
    records_->hear(actor, message->content(), now());
}

void audit::look_at(const caf::monitorable_actor& actor) {
  if (const auto* who = owner_or_scheduler(*cluster_, actor)) {
    if (who->what == role::owner)
      check_owner(*who, false, found_);
    else
      look_at_scheduler(*who, false);
  }
}

void audit::look_at_scheduler(const simulated_cluster::process& who, bool at_end) {
  const auto books = scheduler_books::of(who, settings_);
  if (!books)
    return;
  if (records_)
    records_->look_at(who, books->recording(), now());
  check_scheduler(who, *books, at_end, found_);
  if (const auto* failover = books->failover())
    failover->visit_untold([this](const task_id& task, task_fate fate) {
      if (fate == task_fate::lost || fate == task_fate::abandoned)
        running_.give_up(task);
    });
}

void audit::compare_books() {
  running_.check_rooms(now());
  if (const auto books = compare_running(*cluster_, settings_); !books.wrong.empty())
    found_.fail(books.wrong);
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

namespace {

/// Returns the sum of a number over the job stores of a cluster.
template <class Count>
std::uint64_t sum_of_stores(const simulated_cluster& cluster, Count count) {
  std::uint64_t n = 0;
  for (const auto& [who, all] : cluster.incarnations())
    if (who.first == role::workload)
      if (const auto* state = state_of<workload_actor, workload_state>(all.back()))
        n += count(*state->store);
  return n;
}

} // namespace

std::uint64_t audit::tasks() const {
  return sum_of_stores(*cluster_, [](const job_store& store) { return store.tasks(); });
}

std::uint64_t audit::tasks_over() const {
  return sum_of_stores(*cluster_, [](const job_store& store) { return store.over(); });
}

bool audit::at_rest() {
  check_end();
  return !found_.take();
}

void audit::check_end() {
  for (const auto& [who, all] : cluster_->incarnations()) {
    if (who.first == role::workload) {
      const auto* state = state_of<workload_actor, workload_state>(all.back());
      if (state == nullptr)
        found_.fail("workload " + std::to_string(who.second) + " has died");
      else if (const auto open = state->store->tasks() - state->store->over(); open > 0)
        found_.fail(std::to_string(open) + " of " + std::to_string(state->store->tasks()) +
                    " tasks are not over in the end");
    }
    if (who.first == role::owner)
      check_owner(all.back(), true, found_);
    if (who.first == role::scheduler)
      look_at_scheduler(all.back(), true);
    if (who.first == role::machine && probing_)
      check_queue_at_end(all.back(), found_);
  }
  running_.check_end();
  if (widths_)
    widths_->check_end();
  if (records_)
    records_->check_end(now());
}

} // namespace troupe
