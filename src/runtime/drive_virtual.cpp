#include "actors/scheduler_plugin.hpp"
#include "runtime/drive.hpp"
#include "runtime/huge_pages.hpp"
#include "runtime/stopwatch.hpp"
#include "runtime/virtual_coordinator.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>

#include <stdexcept>

namespace troupe {

namespace {

void flush(caf::actor_system& system, virtual_coordinator& time, const cluster& c,
           run_monitor& monitor) {
  caf::scoped_actor self{system};
  auto answer = self->request(c.recorder, caf::infinite, flush_atom_v);
  time.settle();
  if (time.stopped())
    end_instant(time, monitor);
  answer.receive([](caf::ok_atom) {},
                 [&](caf::error& e) { throw std::runtime_error(system.render(e)); });
}

} // namespace

drive_outcome drive_virtual(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor) {
  reserve_heap(memory_of(settings));
  caf::actor_system_config config;
  config.add_message_types<caf::id_block::troupe>();
  register_plugin_types(config);
  virtual_time_settings time_settings;
  time_settings.seed = settings.seed;
  virtual_coordinator::load(config, time_settings);
  caf::actor_system system{config};
  auto& time = virtual_coordinator::of(system);
  const stopwatch watch;
  const wiring_options options{{system.clock().now()}, record, true};
  const auto c = wire(system, settings, options);
  const stopper at_end{c};
  start(system, c, settings, options);
  drive_outcome outcome;
  const watched_run watched{time, settings, *record, watch, monitor};
  outcome.interrupted = run_intervals(time, settings, *record, watch, monitor,
                                      [&](instant until) { time.run_until(until); });
  monitor.watch({});
  flush(system, time, c, monitor);
  outcome.messages = time.counters().messages;
  return outcome;
}

} // namespace troupe
