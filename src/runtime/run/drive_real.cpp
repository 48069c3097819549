#include "actors/plugin/scheduler_plugin.hpp"
#include "actors/protocol/register_messages.hpp"
#include "runtime/cluster/policy_configs.hpp"
#include "runtime/cluster/probing.hpp"
#include "runtime/run/drive.hpp"
#include "runtime/run/huge_pages.hpp"
#include "runtime/time/stall_detector.hpp"
#include "runtime/time/stopwatch.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace troupe {

namespace {

/// The interval of checks for the end of the run.
constexpr auto pause = std::chrono::milliseconds{20};

/// The time allowed for the creation of the actors before the run's time begins.
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

/// Applies the policies of `wanted` that differ from the `known` ones to the schedulers.
void change_policies(const cluster& c, run_settings& known, const run_settings& wanted, instant now,
                     drive_outcome& outcome) {
  for (auto& change : differences(known, wanted, now)) {
    std::size_t s = 0;
    for (auto& group : known.groups) {
      const auto n = known.pool > 0 ? known.pool : group.schedulers;
      for (std::size_t i = 0; i < n && (change.group.empty() || change.group == group.name); ++i)
        if (!probes(known.pool > 0 ? known.scheduler : group.scheduler, known,
                    static_cast<std::uint32_t>(i)))
          caf::anon_send(caf::actor_cast<placing_scheduler_actor>(c.schedulers[s + i]),
                         choose(change.to, change.policy.of(change.to)));
      s += n;
      if (known.pool > 0)
        break;
    }
    outcome.changes.push_back(std::move(change));
  }
  known.scheduler.policy = wanted.scheduler.policy;
  known.policy = wanted.policy;
  for (auto& was : known.groups)
    for (const auto& is : wanted.groups)
      if (was.name == is.name) {
        was.scheduler.policy = is.scheduler.policy;
        was.policy = is.policy;
      }
}

} // namespace

drive_outcome drive_real(const run_settings& settings, const std::shared_ptr<run_record>& record,
                         run_monitor& monitor) {
  reserve_heap(memory_of(settings));
  caf::actor_system_config config;
  register_messages(config);
  register_plugin_types(config);
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads",
             std::max<std::size_t>(2, std::thread::hardware_concurrency()));
  config.set("scheduler.max-throughput", std::size_t{300});
  caf::actor_system system{config};
  const auto origin =
    system.clock().now() +
    std::chrono::duration_cast<caf::actor_clock::duration_type>(time_to_spawn(settings));
  if (record->live)
    record->live->change([&](live_state& state) {
      const std::chrono::duration<double> unix_now =
        std::chrono::system_clock::now().time_since_epoch();
      state.about.origin = unix_now.count() + to_seconds(origin - system.clock().now());
    });
  const assembly_options options{{origin}, record, false};
  const auto c = assemble(system, settings, options);
  const stopper at_end{c};
  start(system, c, settings, options);
  const stopwatch watch;
  drive_outcome outcome;
  auto known = settings;
  stall_detector detector{settings};
  auto next_report = settings.interval;
  std::size_t changes = 0;
  for (;;) {
    const stopwatch slept;
    std::this_thread::sleep_for(pause);
    const auto late = from_seconds(slept.seconds()) - pause;
    const instant now = system.clock().now() - origin;
    if (now >= next_report) {
      report_progress(settings, *record, now, watch.seconds(), monitor);
      next_report += settings.interval;
    }
    if (const auto wanted = monitor.new_settings())
      change_policies(c, known, *wanted, now, outcome);
    if (changes < outcome.changes.size())
      monitor.policies_changed(outcome.changes);
    changes = outcome.changes.size();
    outcome.interrupted = monitor.stop_requested();
    std::lock_guard lock{record->mutex};
    record->host_delay = std::max(record->host_delay, late);
    if (outcome.interrupted || !record->error.empty())
      break;
    if (settings.length > duration::zero() ? now >= settings.length : record->finished)
      break;
    if (settings.length == duration::zero())
      detector.check(record->totals.tasks, record->sampled_at);
  }
  check_for_failure(*record);
  flush(system, c);
  report_progress(settings, *record, record->sampled_at, watch.seconds(), monitor);
  return outcome;
}

} // namespace troupe
