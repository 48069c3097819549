#include "report/csv/schedulers_csv.hpp"

#include "model/metrics/run_sums.hpp"
#include "report/csv/csv_row.hpp"

namespace troupe {

void write_schedulers(std::ostream& out, const run_results& results) {
  write_header(out, scheduler_columns());
  for (const auto& r : results.schedulers) {
    csv_row row;
    row.add(in_seconds(r.from));
    row.add(in_seconds(r.to));
    row.add(std::uint64_t{r.scheduler});
    row.add(r.busyness());
    row.add(r.queued);
    row.add(r.placed);
    row.add(r.conflicts);
    row.add(r.age_weighted / r.age_seconds, r.age_seconds > 0);
    row.write(out);
  }
}

} // namespace troupe
