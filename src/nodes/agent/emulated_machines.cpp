#include "nodes/agent/emulated_machines.hpp"

#include "nodes/routing/heartbeat_pacer.hpp"
#include "runtime/cluster/places.hpp"

#include <caf/all.hpp>

#include <mutex>
#include <utility>

namespace troupe {

namespace {

machine_parts parts_of(caf::actor_system& system, const std::shared_ptr<const catalog>& all,
                       const std::shared_ptr<node_executor>& runs, const run_clock& clock,
                       const capacity_schedules& schedules, const machine_numbers& machines) {
  machine_parts parts{all, runs, clock, true, schedules, machines.first, machines.count};
  parts.since = std::chrono::duration_cast<instant>(system.clock().now() - clock.origin);
  return parts;
}

/// Lets all machines of the node share the handles by which they reach others, on any thread: one
/// for each pair would not fit into the caches of a processor.
reach_function reach_for_all(reach_function of_one) {
  return [of_one = std::move(of_one), mutex = std::make_shared<std::mutex>()](
           role what, std::uint32_t number, incarnation_id incarnation) {
    const std::lock_guard lock{*mutex};
    return of_one(what, number, incarnation);
  };
}

} // namespace

emulated_machines::emulated_machines(caf::actor_system& system, const run_settings& settings,
                                     const std::shared_ptr<const catalog>& all,
                                     const capacity_schedules& schedules,
                                     const machine_numbers& machines, incarnation_id incarnation,
                                     const run_clock& clock, reach_function reach,
                                     std::shared_ptr<node_executor> runs)
  : numbers_(machines),
    incarnation_(incarnation),
    runs_(std::move(runs)),
    to_empty_(std::make_shared<std::atomic<std::uint32_t>>(0)) {
  machine_factory factory{system, settings,
                          parts_of(system, all, runs_, clock, schedules, machines)};
  const auto others = reach_for_all(std::move(reach));
  heartbeat_pacer_config heart;
  heart.heartbeat = settings.failures.heartbeat;
  heart.numbers = machines;
  heart.incarnation = incarnation;
  heart.clock = clock;
  heart.board = std::make_shared<lease_board>(owner_places(settings), settings.schedulers);
  heart.reach = others;
  for (auto m = machines.first; m < machines.first + machines.count; ++m) {
    machines_.push_back(
      factory.spawn(m, {incarnation, others, true, heart.board, to_empty_, others}));
    heart.machines.push_back(caf::actor_cast<caf::actor>(machines_.back()));
  }
  node_ = factory.spawn_node();
  pacer_ = system.spawn(heartbeat_pacer, std::move(heart));
}

void emulated_machines::leave() {
  for (const auto& m : machines_)
    caf::anon_send(caf::actor_cast<caf::actor>(m), leave_atom_v);
}

bool emulated_machines::is_empty() const {
  const auto status = runs_->status();
  return status.launched == status.ended && *to_empty_ == 0;
}

void emulated_machines::quit(std::vector<caf::strong_actor_ptr>& ending) {
  const auto quit = [&](const auto& handle) {
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
    ending.push_back(caf::actor_cast<caf::strong_actor_ptr>(handle));
  };
  quit(pacer_);
  quit(node_);
  for (const auto& m : machines_)
    quit(m);
}

} // namespace troupe
