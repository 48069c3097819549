#include "report/csv/shares.hpp"

#include "report/csv/csv_row.hpp"

namespace troupe {

share_totals share_between(const run_results& results, std::uint32_t tenant, instant from,
                           instant to) {
  if (results.sums)
    return from == instant::min()
             ? results.sums->share_over_run(tenant)
             : results.sums->share_over_phase(from, tenant).value_or(share_totals{});
  share_sum sum;
  for (const auto& row : results.shares) {
    const auto middle = middle_of(row.from, row.to);
    if (row.tenant == tenant && middle >= from && middle < to)
      sum.add(row);
  }
  return sum.result();
}

void write_shares_header(std::ostream& out) {
  write_header(out, share_columns());
}

void write_shares_row(std::ostream& out, const tenant_record& row, const run_results& of) {
  csv_row line;
  line.add(in_seconds(row.from));
  line.add(in_seconds(row.to));
  line.add(std::string_view(of.tenants.at(row.tenant).name));
  line.add(row.mean);
  line.add(row.last);
  line.write(out);
}

void write_shares(std::ostream& out, const run_results& results) {
  write_shares_header(out);
  for (const auto& row : results.shares)
    write_shares_row(out, row, results);
}

} // namespace troupe
