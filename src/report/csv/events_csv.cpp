#include "report/csv/events_csv.hpp"

#include "model/metrics/run_sums.hpp"
#include "report/csv/csv_row.hpp"

namespace troupe {

void write_events(std::ostream& out, const run_results& results) {
  write_header(out, event_columns());
  for (const auto& e : results.events) {
    csv_row row;
    row.add(in_seconds(e.at));
    for (const auto text :
         {name_of(e.event), std::string_view(e.member), std::string_view(e.detail)})
      row.add(text);
    row.write(out);
  }
}

} // namespace troupe
