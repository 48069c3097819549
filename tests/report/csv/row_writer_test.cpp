#include "report/csv/row_writer.hpp"
#include "report/csv/timeseries_csv.hpp"
#include "report/sample_results.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace troupe;

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

struct fixture {
  fs::path scratch = fs::temp_directory_path() / ("row-writer-test-" + std::to_string(getpid()));
  run_results results = sample_results();
  std::vector<interval_record> rows = results.series;
  std::string whole = csv();

  fixture() { fs::remove_all(scratch); }
  ~fixture() { fs::remove_all(scratch); }

  std::string csv() const {
    std::ostringstream out;
    write_timeseries(out, results);
    return out.str();
  }

  /// What `rows` and the results look like to a run that keeps none.
  void write_as_they_come(const results_directory& to) {
    row_writer writer{to};
    for (const auto& row : rows)
      writer.add(row, results);
    results.series.clear();
    writer.finish(results);
  }
};

} // namespace

TEST_CASE_FIXTURE(fixture, "rows are in a file of their own until the run is over") {
  const results_directory directory{scratch};
  row_writer writer{directory};
  CHECK(fs::is_empty(scratch));
  writer.add(rows[0], results);
  writer.add(rows[1], results);
  writer.flush();
  const auto partial = text_of(scratch / "timeseries.partial.csv");
  CHECK(partial.size() > 100);
  CHECK(whole.starts_with(partial));
  CHECK_FALSE(fs::exists(directory.timeseries()));
  writer.add(rows[2], results);
  writer.add(rows[3], results);
  results.series.clear();
  writer.finish(results);
  directory.write(results, "");
  CHECK(text_of(directory.timeseries()) == whole);
  CHECK_FALSE(fs::exists(scratch / "timeseries.partial.csv"));
}

TEST_CASE_FIXTURE(fixture, "results of an earlier run stay until those of the next one are whole") {
  const results_directory first{scratch};
  first.write(results, "first");
  const results_directory second{scratch};
  row_writer writer{second};
  writer.add(rows[0], results);
  writer.flush();
  CHECK(text_of(second.timeseries()) == whole);
  CHECK(text_of(second.config()) == "first");
  // The run is killed here, and another one begins.
  CHECK_NOTHROW(results_directory{scratch});
}

TEST_CASE_FIXTURE(fixture,
                  "what a killed run has left stands alone, and gives way to the next one") {
  {
    row_writer writer{results_directory{scratch}};
    writer.add(rows[0], results);
    writer.flush();
  }
  const results_directory next{scratch};
  CHECK(whole.starts_with(text_of(scratch / "timeseries.partial.csv")));
  write_as_they_come(next);
  next.write(results, "");
  CHECK(text_of(next.timeseries()) == whole);
}

TEST_CASE_FIXTURE(fixture, "policies are told where they were changed, and only there") {
  const results_directory directory{scratch};
  SUBCASE("in time") {
    results.policy_changes = {{std::chrono::seconds{1}, 0, "quality-first", "latency-first"}};
    whole = csv();
    CHECK(whole.find("policy\r\n") != std::string::npos);
    write_as_they_come(directory);
  }
  SUBCASE("after the end") {
    results.policy_changes = {{std::chrono::seconds{9}, 0, "quality-first", "latency-first"}};
    row_writer writer{directory};
    for (const auto& row : rows)
      writer.add(row, results);
    results.series.clear();
    results.policy_changes.clear();
    writer.finish(results);
  }
  SUBCASE("perhaps, in real time") {
    results.clock = clock_kind::real_time;
    write_as_they_come(directory);
  }
  directory.write(results, "");
  CHECK(text_of(directory.timeseries()) == whole);
}

TEST_CASE_FIXTURE(fixture, "tenants' shares are written likewise") {
  using std::chrono::seconds;
  results.tenants = {{"red", 1, 0, 1, {0}}, {"blue", 1, 0, 1, {1}}};
  const results_directory directory{scratch};
  row_writer writer{directory};
  for (const auto& row : rows)
    writer.add(row, results);
  writer.add(tenant_record{seconds{0}, seconds{1}, 0, 0.5, 0.75}, results);
  writer.add(tenant_record{seconds{0}, seconds{1}, 1, 0.25, 0.25}, results);
  writer.finish(results);
  directory.write(results, "");
  CHECK(text_of(directory.tenants()) == "from_s,to_s,tenant,share_mean,share_last\r\n"
                                        "0,1,red,0.5,0.75\r\n0,1,blue,0.25,0.25\r\n");
  CHECK_FALSE(fs::exists(scratch / "tenants.partial.csv"));
}

TEST_CASE_FIXTURE(fixture, "rows go elsewhere when the disk is full, and come back") {
  const results_directory directory{scratch};
  fs::create_symlink("/dev/full", scratch / "timeseries.partial.csv");
  write_as_they_come(directory);
  CHECK(results.series_file.parent_path() == fs::temp_directory_path());
  directory.write(results, "");
  CHECK(text_of(directory.timeseries()) == whole);
  CHECK_FALSE(fs::exists(results.series_file));
}

TEST_CASE_FIXTURE(fixture, "rows that stay in their place are given up there") {
  results_directory directory{scratch};
  directory.stay_here();
  fs::create_symlink("/dev/full", scratch / "timeseries.partial.csv");
  row_writer writer{directory};
  writer.add(rows[0], results);
  writer.flush();
  writer.finish(results);
  CHECK(results.series_file.parent_path() == scratch);
  CHECK(writer.incomplete() == std::vector<std::string>{"timeseries.partial.csv"});
}

TEST_CASE_FIXTURE(fixture, "results with rows that were written can go to another directory") {
  write_as_they_come(results_directory{scratch / "a"});
  const results_directory other{scratch / "b"};
  other.write(results, "");
  CHECK(text_of(other.timeseries()) == whole);
}
