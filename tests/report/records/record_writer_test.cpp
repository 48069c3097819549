#include "report/records/record_writer.hpp"
#include "report/results/results_directory.hpp"
#include "support/gzip_csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

class scratch_folder {
public:
  scratch_folder()
    : path_(fs::temp_directory_path() / ("troupe-records-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~scratch_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

std::string bytes_of(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// Returns the cell of a row under a heading.
std::string cell(const std::vector<std::string>& lines, std::size_t row, const std::string& name) {
  const auto header = csv_cells(lines.at(0));
  const auto at = std::find(header.begin(), header.end(), name);
  REQUIRE(at != header.end());
  const auto cells = csv_cells(lines.at(row));
  CHECK(cells.size() == header.size());
  return cells.at(static_cast<std::size_t>(at - header.begin()));
}

run_results about(record_level level) {
  run_results run;
  run.records = level;
  run.groups = {{"all", "adaptive", 1}};
  return run;
}

record_batch one_of_each() {
  record_batch batch;
  job_record job;
  job.job = 12;
  job.tasks = 3;
  job.demand.amount = {1500, 512, 0, 3};
  job.state = record_state::finished;
  job.over = {3, 0, 0, 0};
  job.at = {1s, 1500ms, 1510ms, 1512ms, 2s, 7012345678ns};
  job.ideal = 2s;
  job.placed = {3, 300ms, 200ms, 4.5, 0, 0s};
  job.conflicts = {2, 1, 0, 0};
  job.used.amount[0] = 7500;
  batch.jobs.push_back(job);
  task_record task;
  task.task = {12, 2};
  task.state = record_state::running;
  task.at.submitted = 1s;
  task.at.eligible = 1s;
  task.at.granted = 1250ms;
  task.machine = 4;
  task.partition = 1;
  task.owner = 0;
  task.quality = 0.1;
  task.tallies.refused = 12ms;
  batch.tasks.push_back(task);
  attempt_record attempt;
  attempt.at = 1s;
  attempt.task = {12, 1};
  attempt.cause = conflict_cause::gone;
  attempt.reason = wait_reason::backing_off;
  attempt.retry_at = 1020ms;
  batch.attempts.push_back(attempt);
  return batch;
}

} // namespace

TEST_CASE("records are rows of gzipped CSV files with a header") {
  const scratch_folder folder;
  record_writer writer{folder.path()};
  auto results = about(record_level::tasks);
  writer.add(one_of_each(), results);
  writer.finish(results);
  REQUIRE(results.record_files.size() == 3);
  CHECK(results.record_files[0].first == "jobs.csv.gz");
  CHECK(results.record_files[0].second == folder.path() / "jobs.partial.csv.gz");
  const auto jobs = gzip_lines(results.record_files[0].second);
  REQUIRE(jobs.size() == 2);
  CHECK(cell(jobs, 1, "job") == "12");
  CHECK(cell(jobs, 1, "group") == "all");
  CHECK(cell(jobs, 1, "tenant") == "");
  CHECK(cell(jobs, 1, "gang") == "false");
  CHECK(cell(jobs, 1, "cpu_cores") == "1.5");
  CHECK(cell(jobs, 1, "memory_gib") == "0.5");
  CHECK(cell(jobs, 1, "gpus") == "");
  CHECK(cell(jobs, 1, "slots") == "3");
  CHECK(cell(jobs, 1, "state") == "finished");
  CHECK(cell(jobs, 1, "tasks_finished") == "3");
  CHECK(cell(jobs, 1, "submitted_s") == "1");
  CHECK(cell(jobs, 1, "first_decided_s") == "1.51");
  CHECK(cell(jobs, 1, "ended_s") == "7.012345678");
  CHECK(cell(jobs, 1, "wait_s") == "0.5");
  CHECK(cell(jobs, 1, "scheduling_delay_mean_s") == "0.1");
  CHECK(cell(jobs, 1, "scheduling_delay_max_s") == "0.2");
  CHECK(cell(jobs, 1, "response_s") == "6.012345678");
  CHECK(std::stod(cell(jobs, 1, "slowdown")) == doctest::Approx(3.006172839));
  CHECK(cell(jobs, 1, "conflicts") == "3");
  CHECK(cell(jobs, 1, "conflicts_changed") == "1");
  CHECK(cell(jobs, 1, "quality_mean") == "1.5");
  CHECK(cell(jobs, 1, "placement_staleness_mean_s") == "");
  CHECK(cell(jobs, 1, "cpu_core_s") == "7.5");
  const auto tasks = gzip_lines(results.record_files[1].second);
  REQUIRE(tasks.size() == 2);
  CHECK(cell(tasks, 1, "state") == "running");
  CHECK(cell(tasks, 1, "scheduling_delay_s") == "0.25");
  CHECK(cell(tasks, 1, "ended_s") == "");
  CHECK(cell(tasks, 1, "machine") == "4");
  CHECK(cell(tasks, 1, "quality") == "0.1");
  CHECK(cell(tasks, 1, "last_conflict") == "none");
  CHECK(cell(tasks, 1, "diverted") == "false");
  CHECK(cell(tasks, 1, "reason") == "");
  CHECK(cell(tasks, 1, "refused_s") == "0.012");
  CHECK(cell(tasks, 1, "backed_off_s") == "");
  const auto attempts = gzip_lines(results.record_files[2].second);
  REQUIRE(attempts.size() == 2);
  CHECK(cell(attempts, 1, "cause") == "gone");
  CHECK(cell(attempts, 1, "winner") == "");
  CHECK(cell(attempts, 1, "reason") == "backing_off");
  CHECK(cell(attempts, 1, "retry_at_s") == "1.02");
}

TEST_CASE("jobs alone make no file of tasks, and equal records give equal bytes") {
  const scratch_folder folder;
  std::string first;
  for (int i = 0; i < 2; ++i) {
    record_writer writer{folder.path()};
    auto results = about(record_level::jobs);
    for (int n = 0; n < 3000; ++n) // several members
      writer.add(one_of_each(), results);
    writer.finish(results);
    REQUIRE(results.record_files.size() == 2);
    CHECK(results.record_files[1].first == "attempts.csv.gz");
    const auto bytes = bytes_of(results.record_files[0].second);
    CHECK(gzip_lines(results.record_files[0].second).size() == 3001);
    if (i == 0)
      first = bytes;
    else
      CHECK(bytes == first);
  }
}

TEST_CASE("records that do not fit on the disk end with a whole row, and are told") {
  const scratch_folder folder;
  record_writer writer{folder.path()};
  auto results = about(record_level::jobs);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  std::uintmax_t limit = 0;
  for (int n = 0; n < 9000; ++n) {
    writer.add(one_of_each(), results);
    const auto size = fs::file_size(folder.path() / "jobs.partial.csv.gz");
    if (limit == 0 && size > 0) { // amid the second member
      limit = size + size / 2;
      auto small = before;
      small.rlim_cur = limit;
      setrlimit(RLIMIT_FSIZE, &small);
    }
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  writer.finish(results);
  const auto incomplete = writer.incomplete();
  REQUIRE_FALSE(incomplete.empty());
  CHECK(incomplete.front() == "jobs.csv.gz");
  const auto& file = results.record_files.at(0).second;
  CHECK(fs::file_size(file) < limit);
  const auto lines = gzip_lines(file);
  CHECK(lines.size() > 100);
  CHECK(lines.size() < 9001);
  for (const auto& line : lines)
    REQUIRE(csv_cells(line).size() == csv_cells(lines.front()).size());
}

TEST_CASE("records that were removed while they were written count as incomplete") {
  const scratch_folder folder;
  record_writer writer{folder.path()};
  auto results = about(record_level::jobs);
  writer.add(one_of_each(), results);
  fs::remove(folder.path() / "attempts.partial.csv.gz");
  writer.finish(results);
  CHECK(writer.incomplete() == std::vector<std::string>{"attempts.csv.gz"});
}

TEST_CASE("a writer that was told of nothing has written nothing") {
  const scratch_folder folder;
  record_writer writer{folder.path()};
  auto results = about(record_level::tasks);
  writer.finish(results);
  CHECK(results.record_files.empty());
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("times are written with all digits that they have, and no others") {
  const auto text_of = [](auto value) {
    record_text text;
    text.add_row(record_cells::longest_cell, [&](record_cells& row) { row.add(value); });
    return std::string{text.view()};
  };
  CHECK(text_of(duration{0}) == "0\n");
  CHECK(text_of(duration{1}) == "0.000000001\n");
  CHECK(text_of(duration{1s}) == "1\n");
  CHECK(text_of(duration{1500ms}) == "1.5\n");
  CHECK(text_of(duration{-1500ms}) == "-1.5\n");
  CHECK(text_of(duration{10ms}) == "0.01\n");
  CHECK(text_of(duration{1001us}) == "0.001001\n");
  CHECK(text_of(duration{2s + 30us}) == "2.00003\n");
  CHECK(text_of(duration{123456789012ns}) == "123.456789012\n");
  CHECK(text_of(duration::max()) == "9223372036.854775807\n");
  CHECK(text_of(duration::min()) == "-9223372036.854775808\n");
  CHECK(text_of(0.1F) == "0.1\n");
  CHECK(text_of(true) == "true\n");
  CHECK(text_of(-3) == "-3\n");
  CHECK(text_of(std::uint32_t{7}) == "7\n");
  CHECK(text_of(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808\n");
  for (const double x : {1.0 / 3, 1e-7, 12345.678901234567})
    CHECK(std::strtod(text_of(x).c_str(), nullptr) == x);
}

TEST_CASE("times are written rightly behind rows with equal and with other times") {
  const std::vector<std::vector<duration>> rows{
    {1s, 1500ms, duration::min()}, {1s, 1501ms}, {0s, 1501ms, 2s}, {0s, 0s, duration::min()}};
  record_text text;
  for (const auto& times : rows)
    text.add_row(4 * record_cells::longest_cell, [&](record_cells& row) {
      for (const auto t : times)
        row.add(t);
    });
  CHECK(text.view() == "1,1.5,-9223372036.854775808\n1,1.501\n0,1.501,2\n"
                       "0,0,-9223372036.854775808\n");
}

TEST_CASE("numbers are written as std::to_chars writes them") {
  const auto text_of = [](auto fill) {
    record_text text;
    text.add_row(record_cells::longest_cell, fill);
    return std::string{text.view()};
  };
  const auto plain = [](auto number) {
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, number).ptr) + '\n';
  };
  std::uint64_t random = 1;
  for (int i = 0; i < 50'000; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const auto n = random >> (random % 64); // of each length
    REQUIRE(text_of([&](record_cells& row) { row.add(n); }) == plain(n));
    const auto mib = static_cast<std::int64_t>(n >> 20);
    REQUIRE(text_of([&](record_cells& row) { row.add_1024ths(mib); }) ==
            plain(static_cast<double>(mib) / 1024));
    const auto ns = static_cast<std::int64_t>(n);
    auto expected = std::to_string(ns / 1'000'000'000);
    auto rest = std::to_string(1'000'000'000 + ns % 1'000'000'000).substr(1);
    rest.erase(rest.find_last_not_of('0') + 1);
    if (ns >= 0)
      REQUIRE(text_of([&](record_cells& row) { row.add(duration{ns}); }) ==
              expected + (rest.empty() ? "" : "." + rest) + '\n');
  }
  for (std::int64_t n = 0; n < 3'000; ++n) {
    REQUIRE(text_of([&](record_cells& row) { row.add_1024ths(n); }) ==
            plain(static_cast<double>(n) / 1024));
    REQUIRE(std::strtod(text_of([&](record_cells& row) { row.add_thousandths(n); }).c_str(),
                        nullptr) == static_cast<double>(n) / 1000);
  }
}

TEST_CASE("names with commas and quotes are quoted") {
  CHECK(as_cell("plain") == "plain");
  CHECK(as_cell("a,b") == "\"a,b\"");
  CHECK(as_cell("say \"x\"") == "\"say \"\"x\"\"\"");
}

TEST_CASE("names that there are not, of a record from elsewhere, are empty") {
  auto batch = one_of_each();
  batch.jobs[0].group = 99;
  batch.jobs[0].state = static_cast<record_state>(200);
  batch.tasks[0].tallies.last_conflict = 77;
  const record_names names{about(record_level::tasks)};
  record_text text;
  add_row(text, batch.jobs[0], names);
  add_row(text, batch.tasks[0], names);
  CHECK(text.view().find("12,,") == 0);
}
