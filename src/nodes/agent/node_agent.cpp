#include "nodes/agent/node_agent.hpp"

#include "nodes/agent/process_usage.hpp"
#include "nodes/policies/policy_plan.hpp"
#include "runtime/cluster/places.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace troupe {

node_agent::node_agent(caf::actor_system& system, std::shared_ptr<message_router> mail,
                       node_identity who, std::filesystem::path state)
  : context_{system, std::move(mail), std::move(who), std::move(state), *this, {}} {}

node_agent::~node_agent() {
  std::vector<caf::strong_actor_ptr> all;
  const auto quit = [&](const auto& handle) {
    if (!handle)
      return;
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
    all.push_back(caf::actor_cast<caf::strong_actor_ptr>(handle));
  };
  {
    const std::lock_guard lock{context_.mutex};
    quit(workload_.recorder());
    for (const auto& [_, handle] : residents_.all())
      quit(handle);
    machines_.quit(all);
  }
  // Some of them may be about to call back.
  caf::scoped_actor self{context_.system};
  self->wait_for(all);
}

// -- begin and end -----------------------------------------------------------------------------

void node_agent::welcome(const node_welcome& as) {
  const std::lock_guard lock{context_.mutex};
  cluster_.welcome(as);
}

void node_agent::learn(const node_list& nodes) {
  const std::lock_guard lock{context_.mutex};
  roster_.learn(nodes.nodes);
  const auto* const own = roster_.find(cluster_.index());
  if (own != nullptr && own->draining && members_.drain())
    machines_.leave();
  if (cluster_.learn(nodes))
    begin();
  if (cluster_.begun() && cluster_.grows())
    learn_places(nodes);
  history_.learn(nodes.policies);
  policies_.learn(nodes.policies);
  policies_.tell_all(residents_);
}

void node_agent::begin() {
  context_.mail->expect(cluster_.sizes());
  members_.begin(record());
  if (context_.who.roles.machines > 0)
    machines_.start();
  if (context_.who.roles.master)
    master_.start(roster_.nodes());
  members_.fill_standbys();
}

/// Learns whether the machine of this node, in a cluster that grows, has another place, or is to
/// get one.
void node_agent::learn_places(const node_list& nodes) {
  const auto& who = context_.who;
  const auto* const own = roster_.find(cluster_.index());
  const bool has_machine = own != nullptr && own->who.boot == who.boot && who.roles.machines > 0 &&
                           own->machines.count == 1;
  places_.keep(nodes, has_machine ? own->machines : machine_numbers{});
  if (has_machine)
    machines_.learn_place(*own, members_.draining());
}

void node_agent::hand_over(const member& who) {
  members_.hand_over(who);
}

bool node_agent::is_empty(bool but_for_tasks) {
  const std::lock_guard lock{context_.mutex};
  return (but_for_tasks || machines_.is_empty()) && members_.is_empty();
}

bool node_agent::can_move() {
  const std::lock_guard lock{context_.mutex};
  return machines_.can_move();
}

// -- what follows the workload and its keeper --------------------------------------------------

void node_agent::follow_trace() {
  const std::lock_guard lock{context_.mutex};
  const auto workload = member_address(role::workload, 0);
  if (cluster_.begun() && cluster_.follows_work() && context_.mail->knows(workload))
    cluster_.schedules().begin->set(cluster_.work_begins(context_.mail->incarnation_of(workload)));
}

void node_agent::start_allocator() {
  const std::lock_guard lock{context_.mutex};
  master_.start_allocator();
}

void node_agent::follow_keeper() {
  const std::lock_guard lock{context_.mutex};
  const auto workload = member_address(role::workload, 0);
  if (cluster_.begun() && cluster_.settings()->runs_commands() && context_.mail->knows(workload) &&
      keeper_.has_changed(context_.mail->incarnation_of(workload)))
    members_.restart_schedulers();
}

// -- reports -----------------------------------------------------------------------------------

node_report node_agent::report() {
  live_.look();
  const std::lock_guard lock{context_.mutex};
  node_report r;
  r.index = cluster_.index();
  r.members = residents_.members();
  const auto tasks = machines_.status();
  if (tasks) {
    r.machines_up = cluster_.machines().count;
    r.launched = tasks->launched;
    r.tasks_running = tasks->launched - tasks->ended;
  }
  r.draining =
    members_.has_drained_for(tasks ? cluster_.settings()->failures.heartbeat : duration{0});
  policies_.tell_all(residents_); // again, if one was lost
  r.policies = policies_.states(residents_);
  const auto carried = context_.mail->counts();
  r.bytes_sent = carried.bytes_sent;
  r.sync_bytes = carried.sync_bytes;
  r.envelopes_sent = carried.envelopes_sent;
  r.envelopes_dropped = carried.dropped;
  r.memory_bytes = resident_memory();
  r.cpu_ms = cpu_time().count();
  r.work = workload_.progress();
  return r;
}

cluster_report node_agent::describe(const node_list& nodes) const {
  const std::lock_guard lock{context_.mutex};
  cluster_report all;
  all.nodes = nodes;
  all.origin = nodes.origin;
  all.master = master_.incarnation();
  if (!settings())
    return all;
  const auto& how = *settings();
  all.name = how.name;
  all.architecture = to_string(how.architecture);
  all.machines = how.cluster.machines;
  all.grows = how.runs_commands();
  all.places = places_of(how, 0).entries;
  if (cluster_.begun()) {
    all.now = cluster_.now();
    all.policies = policies_at(how, nodes.policies, all.now);
  }
  return all;
}

policy_reply node_agent::plan_policies(const policy_request& asked, instant after) const {
  const std::lock_guard lock{context_.mutex};
  if (!cluster_.begun())
    return {{}, "the cluster has not begun, so no scheduler has a policy yet", false};
  return troupe::plan_policies(*settings(), asked, std::max(cluster_.now(), after + instant{1}));
}

std::vector<machine_description> node_agent::machines() const {
  const std::lock_guard lock{context_.mutex};
  return roster_.machines();
}

std::vector<named_machine> node_agent::hosts() const {
  const std::lock_guard lock{context_.mutex};
  return roster_.hosts();
}

std::int64_t node_agent::time_of_day() const {
  const std::lock_guard lock{context_.mutex};
  return cluster_.time_of_day();
}

// -- the workload ------------------------------------------------------------------------------

bool node_agent::start_workload() {
  const std::lock_guard lock{context_.mutex};
  return workload_.start();
}

bool node_agent::workload_waits() const {
  const std::lock_guard lock{context_.mutex};
  return workload_.waits();
}

void node_agent::look_at_cluster() {
  const std::lock_guard lock{context_.mutex};
  if (workload_.has_begun())
    history_.look(workload_.begins(), *record()->live);
}

std::vector<run_event> node_agent::cluster_history() const {
  const std::lock_guard lock{context_.mutex};
  return history_.events();
}

std::vector<policy_change_settings> node_agent::policy_changes() const {
  const std::lock_guard lock{context_.mutex};
  return history_.policy_changes();
}

std::size_t node_agent::most_machines() const {
  const std::lock_guard lock{context_.mutex};
  return history_.most_machines();
}

duration node_agent::work_time() const {
  const std::lock_guard lock{context_.mutex};
  return workload_.time();
}

void node_agent::flush() {
  caf::scoped_actor self{context_.system};
  self->request(workload_.recorder(), std::chrono::minutes{1}, flush_atom_v)
    .receive([](caf::ok_atom) {},
             [&](caf::error& e) { throw std::runtime_error(context_.system.render(e)); });
}

} // namespace troupe
