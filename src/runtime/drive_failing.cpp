#include "runtime/compare_running.hpp"
#include "runtime/drive.hpp"
#include "runtime/fault_plan.hpp"
#include "runtime/fault_schedule.hpp"
#include "runtime/huge_pages.hpp"
#include "runtime/stage.hpp"
#include "runtime/stopwatch.hpp"
#include "runtime/virtual_coordinator.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>

#include <stdexcept>

namespace troupe {

namespace {

/// Takes the last sample. Who stands still does not answer. After an interruption nothing goes on
/// for longer than that takes.
void flush(caf::actor_system& system, virtual_coordinator& time, const recorder_actor& recorder,
           bool interrupted) {
  caf::scoped_actor self{system};
  auto answer = self->request(recorder, caf::infinite, flush_atom_v);
  const auto answered = [&] { return !self->mailbox().empty(); };
  if (interrupted)
    time.stop_when(answered);
  const auto last = time.now() + std::chrono::seconds{1};
  time.run_until(last, false);
  if (time.stopped() && !answered()) {
    time.stop_when(answered);
    time.go_on();
    time.run_until(last, false);
  }
  answer.receive([](caf::ok_atom) {},
                 [&](caf::error& e) { throw std::runtime_error(system.render(e)); });
}

std::map<std::string, std::uint64_t> count_failures(const std::vector<fault>& plan, instant until) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& f : plan)
    if (f.from < until)
      ++counts[f.of_network() ? to_string(f.kind) : to_string(f.kind) + " " + to_string(f.what)];
  return counts;
}

} // namespace

drive_outcome drive_failing(const run_settings& settings, const std::shared_ptr<run_record>& record,
                            run_monitor& monitor) {
  const auto plan = planned_faults(settings);
  reserve_heap(memory_of(settings));
  caf::actor_system_config config;
  config.add_message_types<caf::id_block::troupe>();
  virtual_time_settings time_settings;
  time_settings.seed = settings.seed;
  virtual_coordinator::load(config, time_settings);
  caf::actor_system system{config};
  auto& time = virtual_coordinator::of(system);
  const stopwatch watch;
  stage cluster{system, settings, {{system.clock().now()}, record, true}, plan};
  cluster.start(true);
  fault_schedule schedule{plan};
  drive_outcome outcome;
  const auto go_to = [&](instant until) {
    while (!time.stopped() && schedule.next() <= until) {
      const auto& edge = schedule.take();
      time.run_until(edge.at);
      if (time.stopped())
        return;
      edge.begins ? cluster.begin(*edge.what) : cluster.end(*edge.what);
    }
    time.run_until(until);
  };
  const watched_run watched{time, settings, *record, watch, monitor};
  outcome.interrupted = run_intervals(time, settings, *record, watch, monitor, go_to);
  outcome.failures = count_failures(plan, time.now());
  monitor.watch({});
  const auto runs = compare_running(cluster, settings);
  flush(system, time, cluster.recorder(), outcome.interrupted);
  outcome.messages = time.counters().messages;
  const std::lock_guard lock{record->mutex};
  record->runs = runs;
  return outcome;
}

} // namespace troupe
