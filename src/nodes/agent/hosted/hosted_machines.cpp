#include "nodes/agent/hosted/hosted_machines.hpp"

#include "model/base/log.hpp"
#include "runtime/cluster/make_executor.hpp"

#include <caf/all.hpp>

#include <stdexcept>
#include <utility>

namespace troupe {

namespace {

/// How long a machine is idle before it takes another place: its owner has heard of all ends.
constexpr auto idle_before_move = std::chrono::seconds{2};

} // namespace

std::shared_ptr<node_executor> hosted_machines::executor() const {
  if (!cluster_.settings()->runs_commands())
    return make_executor(*cluster_.settings(), false);
  if (!node_.who.is_machine())
    throw std::runtime_error("this cluster runs commands, and node " + node_.who.name +
                             " emulates machines; expected none of --machines");
  return node_.hooks.make_command_executor([&system = node_.system, clock = cluster_.clock()] {
    return std::chrono::duration_cast<instant>(system.clock().now() - clock.origin);
  });
}

/// What this host has; other places are not here.
capacity_schedules hosted_machines::own_schedules() const {
  capacity_schedules all;
  all.of.resize(cluster_.all_machines()->machines());
  auto& own = all.of[cluster_.machines().first];
  own.add(instant{0}, node_.who.machine.capacity);
  own.share_with(executor_->use_by_others());
  all.begin->set(instant{0});
  return all;
}

void hosted_machines::start() {
  const auto incarnation = node_.timed_number("machine-incarnation");
  if (!executor_)
    executor_ = executor();
  const auto numbers = cluster_.machines();
  // Nobody looks at the number of a machine that a message comes from.
  running_.emplace(node_.system, *cluster_.settings(), cluster_.all_machines(),
                   cluster_.grows() ? own_schedules() : cluster_.schedules(), numbers, incarnation,
                   cluster_.clock(),
                   node_.reach_from(member_address(role::machine, numbers.first, incarnation)),
                   executor_);
  for (machine_id i = 0; i < numbers.count; ++i)
    node_.mail->settle(member_address(role::machine, numbers.first + i, incarnation),
                       running_->machines()[i]);
  node_.mail->settle(member_address(role::node, cluster_.index(), incarnation),
                     caf::actor_cast<caf::strong_actor_ptr>(running_->node()));
  node_.hooks.on_change();
}

void hosted_machines::learn_place(const node_entry& own, bool draining) {
  const auto& name = node_.who.name;
  const bool moved = own.machines.first != cluster_.machines().first;
  if (moved || (moves_ && !own.moves)) {
    log::info("node {}: is machine {} from now on", name, own.machines.first);
    give_up_place();
    cluster_.renumber(own.machines);
    start();
    if (draining)
      running_->leave();
  } else if (own.moves && !std::exchange(moves_, true)) {
    log::info("node {}: its machine takes another place as soon as it is idle", name);
    running_->leave();
  }
}

void hosted_machines::give_up_place() {
  moves_ = false;
  idle_since_.reset();
  if (!running_)
    return;
  std::vector<caf::strong_actor_ptr> ending;
  running_->quit(ending);
  const auto incarnation = running_->incarnation();
  node_.mail->leave(member_address(role::machine, cluster_.machines().first, incarnation));
  node_.mail->leave(member_address(role::node, cluster_.index(), incarnation));
  running_.reset();
}

bool hosted_machines::can_move() {
  if (!moves_ || !running_ || !running_->is_empty()) {
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

void hosted_machines::leave() {
  if (running_)
    running_->leave();
}

std::optional<node_status> hosted_machines::status() const {
  return running_ ? std::optional{running_->status()} : std::nullopt;
}

void hosted_machines::quit(std::vector<caf::strong_actor_ptr>& ending) {
  if (running_)
    running_->quit(ending);
}

} // namespace troupe
