#include "cli/process.hpp"
#include "cli/samples.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

using namespace troupe::test;

namespace {

/// The submission, in ns since the first one, run time, processors and status of each job in a log.
std::vector<std::vector<std::string>> swf_jobs(const std::string& text) {
  std::vector<std::vector<std::string>> jobs;
  std::istringstream in{text};
  long long first = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(";"))
      continue;
    std::istringstream row{line};
    std::vector<std::string> fields;
    for (std::string field; row >> field;)
      fields.push_back(field);
    REQUIRE(fields.size() == 18);
    const auto submitted = std::llround(std::stod(fields[1]) * 1e9);
    if (jobs.empty())
      first = submitted;
    jobs.push_back({std::to_string(submitted - first), fields[3], fields[7], fields[10]});
  }
  return jobs;
}

/// Jobs of one task each have room at once, so each runs for its time.
std::string with_room(const std::string& workload) {
  return R"(
schedulers = 2
[cluster]
machines = 50
slots = 4
partitions = 4
owners = 2
[workload]
)" + workload;
}

const auto roomy = "name = \"roomy\"" + with_room(R"(
arrivals = "poisson"
phases = [{ length = "5s", rate = 20 }]
duration = { kind = "exponential", value = 1 }
tasks_per_job = { value = 1 }
)");

const auto replayed = "name = \"replayed\"" + with_room(R"(
kind = "trace"
file = "one.swf"
)");

} // namespace

TEST_CASE("records that are exported as SWF can be replayed, with the same jobs") {
  const scratch here;
  here.write("roomy.toml", roomy);
  here.write("replayed.toml", replayed);
  REQUIRE(here.run({"run", "roomy.toml", "-q", "--no-report", "--records", "tasks", "--out", "one"})
            .code == 0);
  const auto exported = here.run({"export", "one", "--as", "swf"});
  CHECK(exported.code == 0);
  CHECK(contains(exported.out, "jobs in one.swf"));
  const auto replay =
    here.run({"run", "replayed.toml", "-q", "--no-report", "--records", "tasks", "--out", "two"});
  CAPTURE(replay.err);
  REQUIRE(replay.code == 0);
  REQUIRE(here.run({"export", "two", "--as", "swf"}).code == 0);
  const auto one = swf_jobs(read_file(here.path() / "one.swf"));
  CHECK(one.size() > 50);
  CHECK(one == swf_jobs(read_file(here.path() / "two.swf")));
}

TEST_CASE("export says where its file is, and refuses what it cannot do") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--no-report", "--records", "jobs", "--out", "some"})
            .code == 0);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--no-report", "--out", "none"}).code == 0);
  const auto exported = here.run({"export", "some/", "--as", "batsim"});
  CHECK(exported.code == 0);
  CHECK(contains(exported.out, "jobs in some-batsim.csv"));
  CHECK(contains(exported.out, "starts are those of grants"));
  CHECK(read_file(here.path() / "some-batsim.csv").starts_with("job_id,workload_name,profile,"));
  for (const auto& [words, expected] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
         {{"export", "none", "--as", "swf"}, "--records jobs or tasks"},
         {{"export", "missing", "--as", "swf"}, "no records of jobs in missing"},
         {{"export", "some", "--as", "csv"}, "batsim"},
         {{"export", "some", "--as", "swf", "--out", "no/x.swf"}, "a directory that exists"}}) {
    const auto wrong = here.run(words);
    CAPTURE(wrong.err);
    CHECK(wrong.code == 2);
    CHECK(contains(wrong.err, expected));
  }
}

TEST_CASE("export does not overwrite the results that it reads") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--no-report", "--records", "jobs", "--out", "some"})
            .code == 0);
  const auto jobs = read_file(here.path() / "some/jobs.csv.gz");
  std::filesystem::create_symlink("some/jobs.csv.gz", here.path() / "link.swf");
  std::filesystem::create_hard_link(here.path() / "some/jobs.csv.gz", here.path() / "hard.swf");
  for (const auto* out : {"some/jobs.csv.gz", "some/summary.json", "link.swf", "hard.swf"}) {
    CAPTURE(out);
    const auto wrong = here.run({"export", "some", "--as", "swf", "--out", out});
    CHECK(wrong.code == 2);
    CHECK(contains(wrong.err, "one of the results; expected another file"));
  }
  CHECK(read_file(here.path() / "some/jobs.csv.gz") == jobs);
  CHECK(here.run({"export", "some", "--as", "swf", "--out", "some.swf"}).code == 0);
  CHECK(contains(read_file(here.path() / "some.swf"), "; MaxProcs: 40\n")); // 20 machines of 2
}
