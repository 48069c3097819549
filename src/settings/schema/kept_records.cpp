#include "settings/schema/kept_records.hpp"

#include <algorithm>

namespace troupe {

bool measures_jobs(const run_settings& settings) {
  if (settings.runs_commands())
    return false;
  const bool pool_is_disciplined =
    settings.pool > 0 && settings.scheduler.discipline != start_discipline::fit;
  return pool_is_disciplined || std::ranges::any_of(settings.groups, [&](const group_settings& g) {
           return g.workload.job_metrics ||
                  (settings.pool == 0 && g.scheduler.discipline != start_discipline::fit);
         });
}

record_level kept_records(const run_settings& settings) {
  return measures_jobs(settings) ? std::max(settings.records, record_level::jobs)
                                 : settings.records;
}

} // namespace troupe
