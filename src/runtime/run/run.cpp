#include "runtime/run/run.hpp"

#include "runtime/cluster/traced_cluster.hpp"
#include "runtime/faults/fault_plan.hpp"
#include "runtime/run/drive.hpp"
#include "runtime/run/live_about.hpp"
#include "runtime/run/results_of.hpp"
#include "runtime/run/row_feed.hpp"
#include "runtime/time/endless.hpp"
#include "runtime/time/stopwatch.hpp"
#include "settings/schema/think_times.hpp"

#include <stdexcept>

namespace troupe {

run_results run(const run_settings& wanted, run_monitor& monitor, run_inspector* inspector) {
  const stopwatch watch;
  if (const auto why = why_endless(wanted); !why.empty())
    throw std::runtime_error(why);
  if (wanted.clock == clock_kind::real_time && any_think_times(wanted))
    throw std::runtime_error(
      "clock = \"real\"; expected virtual, as workload.trace.think_times needs "
      "job stores that hear of ends: in real time, only clusters of nodes "
      "have them");
  auto settings = wanted;
  resolve_machines(settings);
  const auto record = std::make_shared<run_record>();
  if (const auto live = monitor.live()) {
    record->live = live;
    auto about = live_about_of(settings);
    if (auto served = live->read([](const live_state& s) { return s.about.run; }); !served.empty())
      about.run = std::move(served); // readers know it by that name
    live->begin(std::move(about));
  }
  row_feed feed{settings, record, monitor};
  const auto outcome = settings.clock == clock_kind::real_time ? drive_real(settings, record, feed)
                       : watches_failures(settings)
                         ? drive_failing(settings, record, feed, inspector)
                         : drive_virtual(settings, record, feed, inspector);
  if (record->live)
    record->live->change([](live_state& state) { state.over = true; });
  feed.pass_on(true);
  return results_of(settings, *record, outcome, watch);
}

} // namespace troupe
