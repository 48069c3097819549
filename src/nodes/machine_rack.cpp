#include "nodes/machine_rack.hpp"

#include "actors/node.hpp"
#include "nodes/pulse.hpp"
#include "runtime/make_executor.hpp"
#include "runtime/wire_queues.hpp"
#include "runtime/wire_survival.hpp"

#include <caf/all.hpp>

namespace troupe {

machine_rack::machine_rack(caf::actor_system& system, const run_settings& settings,
                           const std::shared_ptr<const catalog>& all,
                           const machine_numbers& machines, incarnation life,
                           const run_clock& clock, const reach_maker& reach)
  : numbers_(machines),
    life_(life),
    runs_(make_executor(settings, false)),
    machines_(std::make_shared<std::vector<task_host_actor>>(all->machines())),
    to_empty_(std::make_shared<std::atomic<std::uint32_t>>(0)) {
  node_config config{runs_, clock};
  config.guarded = machines_;
  if (any_probes(settings))
    config.meter = std::make_shared<queue_meter>(
      *all, static_cast<std::uint32_t>(settings.tenants.size()), machines.first, machines.count,
      std::chrono::duration_cast<instant>(system.clock().now() - clock.origin));
  const auto shared = std::make_shared<const machine_config>(machine_config{runs_, clock});
  pulse_config heart;
  heart.heartbeat = settings.failures.heartbeat;
  heart.numbers = machines;
  heart.life = life;
  heart.clock = clock;
  if (config.meter && machines.count > 0) {
    heart.board = std::make_shared<lease_board>(settings.schedulers);
    heart.reach = reach(machines.first);
  }
  for (auto m = machines.first; m < machines.first + machines.count; ++m) {
    if (config.meter) {
      const auto& capacity = all->machine(m).capacity;
      auto with =
        guarded_queue_config_of(settings, *all, m, life, runs_,
                                std::make_shared<machine_usage>(capacity, config.meter), clock);
      with.rules.pulsed = true;
      with.board = heart.board;
      with.to_empty = to_empty_;
      with.reach = reach(m);
      (*machines_)[m] = system.spawn(guarded_queue, std::move(with));
    } else {
      auto with = machine_session_config_of(settings, *all, m, life);
      with->paced = true;
      with->reach = reach(m);
      (*machines_)[m] = system.spawn(machine, m, all->machine(m).capacity, shared,
                                     std::shared_ptr<const machine_session_config>{with});
    }
    heart.machines.push_back(caf::actor_cast<caf::actor>((*machines_)[m]));
  }
  node_ = system.spawn(troupe::node, std::move(config));
  runs_->attach(node_);
  pulse_ = system.spawn(pulse, std::move(heart));
}

void machine_rack::leave() {
  for (auto m = numbers_.first; m < numbers_.first + numbers_.count; ++m)
    caf::anon_send(caf::actor_cast<caf::actor>((*machines_)[m]), leave_atom_v);
}

bool machine_rack::is_empty() const {
  const auto status = runs_->status();
  return status.launched == status.ended && *to_empty_ == 0;
}

void machine_rack::quit(std::vector<caf::strong_actor_ptr>& ending) {
  const auto quit = [&](const auto& handle) {
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
    ending.push_back(caf::actor_cast<caf::strong_actor_ptr>(handle));
  };
  quit(pulse_);
  quit(node_);
  for (auto m = numbers_.first; m < numbers_.first + numbers_.count; ++m)
    quit((*machines_)[m]);
}

} // namespace troupe
