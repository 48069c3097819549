#include "report/shares.hpp"

#include "report/csv_row.hpp"
#include "report/totals.hpp"

#include <algorithm>

namespace troupe {

share_totals share_between(const run_results& results, std::uint32_t tenant, instant from,
                           instant to) {
  share_totals total;
  double seconds = 0;
  for (const auto& record : results.shares) {
    const auto middle = record.from + (record.to - record.from) / 2;
    if (record.tenant != tenant || middle < from || middle >= to)
      continue;
    const auto length = in_seconds(record.to - record.from);
    total.mean += record.mean * length;
    total.max = std::max(total.max, record.last);
    seconds += length;
  }
  total.mean = seconds > 0 ? total.mean / seconds : 0;
  return total;
}

void write_shares(std::ostream& out, const run_results& results) {
  csv_row header;
  for (auto name : {"from_s", "to_s", "tenant", "share_mean", "share_last"})
    header.add(std::string_view(name));
  header.write(out);
  for (const auto& record : results.shares) {
    csv_row line;
    line.add(in_seconds(record.from));
    line.add(in_seconds(record.to));
    line.add(std::string_view(results.tenants.at(record.tenant).name));
    line.add(record.mean);
    line.add(record.last);
    line.write(out);
  }
}

} // namespace troupe
