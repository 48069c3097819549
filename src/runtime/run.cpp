#include "runtime/run.hpp"

#include "runtime/drive.hpp"
#include "runtime/fault_plan.hpp"
#include "runtime/results_of.hpp"
#include "runtime/stopwatch.hpp"
#include "runtime/traced_cluster.hpp"

namespace troupe {

run_results run(const run_settings& wanted, run_monitor& monitor) {
  const stopwatch watch;
  auto settings = wanted;
  resolve_machines(settings);
  const auto record = std::make_shared<run_record>();
  const auto outcome = settings.clock == "real"     ? drive_real(settings, record, monitor)
                       : watches_failures(settings) ? drive_failing(settings, record, monitor)
                                                    : drive_virtual(settings, record, monitor);
  return results_of(settings, *record, outcome, watch);
}

} // namespace troupe
