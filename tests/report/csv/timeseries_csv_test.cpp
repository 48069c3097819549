#include "report/csv/timeseries_csv.hpp"
#include "report/sample_results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace troupe;

namespace {

std::vector<std::string> rows_of(const run_results& results) {
  std::ostringstream out;
  write_timeseries(out, results);
  std::istringstream in(out.str());
  std::vector<std::string> rows;
  for (std::string row; std::getline(in, row);) {
    REQUIRE(row.back() == '\r');
    row.pop_back();
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> fields_of(const std::string& row) {
  std::vector<std::string> fields;
  std::istringstream in(row + ",");
  for (std::string field; std::getline(in, field, ',');)
    fields.push_back(field);
  return fields;
}

/// Returns `n` fields of a row, from the one with this name on.
std::string columns(const std::vector<std::string>& rows, std::size_t row, const char* name,
                    std::size_t n) {
  const auto names = fields_of(rows[0]);
  const auto fields = fields_of(rows[row]);
  const auto at =
    static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  REQUIRE(at + n <= fields.size());
  std::string text = fields[at];
  for (std::size_t i = 1; i < n; ++i)
    text += "," + fields[at + i];
  return text;
}

} // namespace

TEST_CASE("the time series of the sample") {
  const auto rows = rows_of(sample_results());
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].starts_with(
    "from_s,to_s,group,submitted,placed,finished,failed,lost,abandoned,queued,"
    "in_commit,running,conflicts,conflicts_taken,conflicts_changed,conflicts_gone,"
    "conflicts_moved,conflict_fraction,scheduling_delay_mean_s,"
    "scheduling_delay_p50_s,scheduling_delay_p90_s,scheduling_delay_p99_s,"
    "scheduling_delay_max_s,quality_mean,quality_stddev,utilization,"
    "staleness_mean_s,staleness_min_s,staleness_max_s,placement_staleness_mean_s,"
    "jobs_submitted,jobs_finished,job_response_mean_s,busyness,commits,retransmits,"
    "snapshots,"));
  CHECK(rows[1].starts_with("0,1,a,10,8,4,0,0,0,2,0,4,2,2,0,0,0,0.25,0.5,0.5,0.5,0.5,0.5,2,1,0.5,"
                            "0.5,0.25,0.75,0.25,3,1,2,0.5,5,0,20"));
  CHECK(rows[2].starts_with("0,1,b,1,0,0,0,0,0,1,0,0,0,0,0,0,0,,,,,,,,,0.5,,,,,0,0,,0,0,0,0"));
  CHECK(rows[3].starts_with("1,2,a,4,6,3,2,1,0,0,1,4,5,1,4,0,0,0.833333333,2,2,2,2,2,2,0,0.75,"
                            "0.25,0.125,0.5,,0,0,,0.1,0,1,0"));
  CHECK(rows[4].starts_with("1,2,b,0,0,0,0,0,1,0,0,0,0,0,0,0,0,,,,,,,,,0.75,,,,,0,0,,0,0,0,0"));
}

TEST_CASE("where there is an allocator, the offers to each group are told") {
  auto results = sample_results();
  results.has_offers = true;
  results.series[0].offers = {.made = 5,
                              .accepted = 3,
                              .declined = 1,
                              .timed_out = 1,
                              .rescinded = 1,
                              .seconds = 2,
                              .locked_seconds = 1,
                              .locked_max = 0.75,
                              .share_seconds = 0.25,
                              .share_max = 0.5};
  const auto rows = rows_of(results);
  CHECK(columns(rows, 1, "offers_made", 9) == "5,3,1,1,1,0.5,0.75,0.125,0.5");
  CHECK(columns(rows, 2, "offers_made", 9) == "0,0,0,0,0,0,0,0,0");
}

TEST_CASE("every row has as many fields as the header") {
  const auto rows = rows_of(sample_results());
  for (const auto& row : rows)
    CHECK(std::count(row.begin(), row.end(), ',') ==
          std::count(rows[0].begin(), rows[0].end(), ','));
}

TEST_CASE("names with commas and quotes are quoted") {
  auto results = sample_results();
  results.groups[0].name = "big, \"fast\"";
  CHECK(rows_of(results)[1].starts_with("0,1,\"big, \"\"fast\"\"\",10,"));
}

TEST_CASE("a run without intervals has only a header") {
  CHECK(rows_of(run_results{}).size() == 1);
}
