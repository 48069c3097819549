#include "runtime/drive.hpp"
#include "runtime/huge_pages.hpp"
#include "runtime/stall_detector.hpp"
#include "runtime/stopwatch.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace troupe {

namespace {

/// How often the run's end is looked for.
constexpr auto pause = std::chrono::milliseconds{20};

/// How long the actors may take to come into being before the run's time begins.
duration time_to_spawn(const run_settings& settings) {
  return std::chrono::milliseconds{200} +
         settings.cluster.machines * duration{std::chrono::microseconds{10}};
}

void flush(caf::actor_system& system, const cluster& c) {
  caf::scoped_actor self{system};
  self->request(c.recorder, std::chrono::minutes{2}, flush_atom_v)
    .receive([](caf::ok_atom) {},
             [&](caf::error& e) { throw std::runtime_error(system.render(e)); });
}

} // namespace

drive_outcome drive_real(const run_settings& settings, const std::shared_ptr<run_record>& record,
                         run_monitor& monitor) {
  reserve_heap(memory_of(settings));
  caf::actor_system_config config;
  config.add_message_types<caf::id_block::troupe>();
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads",
             std::max<std::size_t>(2, std::thread::hardware_concurrency()));
  config.set("scheduler.max-throughput", std::size_t{300});
  caf::actor_system system{config};
  const auto origin =
    system.clock().now() +
    std::chrono::duration_cast<caf::actor_clock::duration_type>(time_to_spawn(settings));
  const wiring_options options{{origin}, record, false};
  const auto c = wire(system, settings, options);
  const stopper at_end{c};
  start(system, c, settings, options);
  const stopwatch watch;
  drive_outcome outcome;
  stall_detector detector{settings};
  auto next_report = settings.interval;
  for (;;) {
    std::this_thread::sleep_for(pause);
    const instant now = system.clock().now() - origin;
    if (now >= next_report) {
      report_progress(settings, *record, now, watch.seconds(), monitor);
      next_report += settings.interval;
    }
    outcome.interrupted = monitor.stop_requested();
    std::lock_guard lock{record->mutex};
    if (outcome.interrupted || !record->error.empty())
      break;
    if (settings.length > duration::zero() ? now >= settings.length : record->finished)
      break;
    if (settings.length == duration::zero())
      detector.check(record->totals.tasks, now);
  }
  check_for_failure(*record);
  flush(system, c);
  report_progress(settings, *record, record->sampled_at, watch.seconds(), monitor);
  return outcome;
}

} // namespace troupe
