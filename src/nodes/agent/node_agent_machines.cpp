#include "model/base/log.hpp"
#include "nodes/agent/node_agent.hpp"
#include "nodes/agent/places_file.hpp"
#include "nodes/clocks/utc_clock.hpp"
#include "nodes/registry/identity_text.hpp"
#include "runtime/cluster/make_executor.hpp"

#include <caf/all.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

/// The machines of a node, and their places in a cluster that grows.
namespace troupe {

namespace {

/// How long a machine is idle before it takes another place: its owner has heard of all ends.
constexpr auto idle_before_move = std::chrono::seconds{2};

} // namespace

/// Learns which machines have joined a cluster that grows, and whether the machine of this node has
/// another place, or is to get one.
void node_agent::learn_places(const node_list& nodes) {
  catalog_->growth()->set(nodes.described);
  const auto own = std::ranges::find(nodes.nodes, index_, &node_entry::index);
  const bool has_machine = own != nodes.nodes.end() && own->who.boot == who_.boot &&
                           who_.roles.machines > 0 && own->machines.count == 1;
  keep_places(nodes, has_machine ? own->machines : machine_numbers{});
  if (!has_machine)
    return;
  const bool moved = own->machines.first != machines_.first;
  if (moved || (moves_ && !own->moves)) {
    log::info("node {}: is machine {} from now on", who_.name, own->machines.first);
    give_up_place();
    machines_ = own->machines;
    start_machines();
    if (draining_)
      emulated_->leave();
  } else if (own->moves && !std::exchange(moves_, true)) {
    log::info("node {}: its machine takes another place as soon as it is idle", who_.name);
    emulated_->leave();
  }
}

/// Writes down for a restart since when there is a cluster and which place the machine of this node
/// has; on the node with the master also who has the other places, which policies clients have
/// ordered, and which nodes there are.
void node_agent::keep_places(const node_list& nodes, const machine_numbers& own) {
  if (!who_.roles.master && own.count == 0)
    return;
  node_identity known;
  known.origin = nodes.origin;
  known.machines = own;
  if (who_.roles.master) {
    known.described = nodes.described;
    known.policies = nodes.policies;
    for (const auto& e : nodes.nodes)
      known.known.push_back({e.who.name, e.index, e.machines});
  }
  const auto bytes = write_identity(system_, known);
  if (bytes == kept_places_)
    return;
  if (write_places(state_, bytes))
    kept_places_ = bytes;
}

void node_agent::give_up_place() {
  moves_ = false;
  idle_since_.reset();
  if (!emulated_)
    return;
  std::vector<caf::strong_actor_ptr> ending;
  emulated_->quit(ending);
  const auto incarnation = emulated_->incarnation();
  mail_->leave(member_address(role::machine, machines_.first, incarnation));
  mail_->leave(member_address(role::node, index_, incarnation));
  emulated_.reset();
}

bool node_agent::can_move() {
  const std::lock_guard lock{mutex_};
  if (!moves_ || !emulated_ || !emulated_->is_empty()) {
    idle_since_.reset();
    return false;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!idle_since_)
    idle_since_ = now;
  if (now - *idle_since_ < idle_before_move)
    return false;
  idle_since_ = now; // asks again, should the question be lost
  return true;
}

std::shared_ptr<node_executor> node_agent::executor() {
  if (!settings_->runs_commands())
    return make_executor(*settings_, false);
  if (!who_.is_machine())
    throw std::runtime_error("this cluster runs commands, and node " + who_.name +
                             " emulates machines; expected none of --machines");
  return make_command_executor([&system = system_, clock = clock_] {
    return std::chrono::duration_cast<instant>(system.clock().now() - clock.origin);
  });
}

void node_agent::start_machines() {
  const auto incarnation = timed_number("machine-incarnation");
  if (!executor_)
    executor_ = executor();
  if (catalog_->grows()) { // what this host has, and other places are not here
    schedules_ = {};
    schedules_.of.resize(catalog_->machines());
    auto& own = schedules_.of[machines_.first];
    own.add(instant{0}, who_.machine.capacity);
    own.share_with(executor_->use_by_others());
    schedules_.begin->set(instant{0});
  }
  // Nobody looks at the number of a machine that a message comes from.
  emulated_.emplace(system_, *settings_, catalog_, schedules_, machines_, incarnation, clock_,
                    reach_from(member_address(role::machine, machines_.first, incarnation)),
                    executor_);
  for (machine_id i = 0; i < machines_.count; ++i)
    mail_->settle(member_address(role::machine, machines_.first + i, incarnation),
                  emulated_->machines()[i]);
  mail_->settle(member_address(role::node, index_, incarnation),
                caf::actor_cast<caf::strong_actor_ptr>(emulated_->node()));
  on_change();
}

} // namespace troupe
