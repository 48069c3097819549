#include "report/csv/delays_csv.hpp"

#include "report/csv/csv_row.hpp"
#include "report/summary/totals.hpp"

#include <array>
#include <map>

namespace troupe {

namespace {

using bin_counts = std::array<std::uint64_t, 3>;

void write_group(std::ostream& out, std::string_view group, const scheduler_sample& sample) {
  std::map<std::uint32_t, bin_counts> bins;
  const distribution* const columns[] = {&sample.delay, &sample.waiting, &sample.given_up};
  for (std::size_t i = 0; i < std::size(columns); ++i)
    for (const auto& [bin, count] : columns[i]->bins())
      bins[bin][i] += count;
  for (const auto& [bin, counts] : bins) {
    csv_row row;
    row.add(group);
    row.add(distribution::lower_edge(bin));
    row.add(distribution::lower_edge(bin + 1));
    for (auto n : counts)
      row.add(n);
    row.write(out);
  }
}

} // namespace

void write_delays(std::ostream& out, const run_results& results) {
  write_header(out, delay_columns());
  for (std::uint32_t g = 0; g < results.groups.size(); ++g)
    write_group(out, results.groups[g].name, totals_of(results, g).sample);
}

} // namespace troupe
