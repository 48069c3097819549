#include "report/csv/partitions_csv.hpp"

#include "model/metrics/run_sums.hpp"
#include "report/csv/csv_row.hpp"

namespace troupe {

void write_partitions(std::ostream& out, const run_results& results) {
  write_header(out, partition_columns());
  for (const auto& r : results.partitions) {
    csv_row row;
    row.add(in_seconds(r.from));
    row.add(in_seconds(r.to));
    row.add(std::uint64_t{r.first});
    row.add(std::uint64_t{r.count});
    row.add(r.cell.mean_load(), r.cell.loads > 0);
    row.add(r.cell.mean_age(), r.cell.ages > 0);
    row.add(r.cell.age_max, r.cell.ages > 0);
    row.add(r.cell.placed);
    row.add(r.cell.conflicts);
    row.write(out);
  }
}

} // namespace troupe
