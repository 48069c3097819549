#include "report/export/export_jobs.hpp"
#include "workload/formats/swf_reader.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

using namespace troupe;
namespace fs = std::filesystem;

namespace {

/// A directory with records, gone after the test.
class records_directory {
public:
  records_directory() {
    auto name = (fs::temp_directory_path() / "troupe-export-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  records_directory(const records_directory&) = delete;
  records_directory& operator=(const records_directory&) = delete;
  ~records_directory() { fs::remove_all(path_); }

  const fs::path& path() const { return path_; }
  void put(const char* file, const std::string& text) const {
    std::ofstream(path_ / file, std::ios::binary) << text;
  }

private:
  fs::path path_;
};

constexpr auto exported_records =
  "job,group,tenant,state,tasks,submitted_s,first_placed_s,ended_s,ideal_s,cpu_cores,memory_gib\n"
  "1,a,red,finished,2,1.5,2,7.25,5,4,1\n"
  "2,\"b,c\",blue,abandoned,1,0.5,,,3,,\n"
  "0,a,red,failed,3,0.25,0.5,3.5,3,,\n"
  "9,a,red,running,3,3,4,,3,,\n";

std::string written(const exported_jobs& jobs, export_format format) {
  std::ostringstream out;
  write_exported(out, jobs, format);
  return out.str();
}

} // namespace

TEST_CASE("machines are written as intervals") {
  CHECK(interval_set({}) == "");
  CHECK(interval_set({5}) == "5");
  CHECK(interval_set({1, 2, 5, 10, 11, 12}) == "1-2 5 10-12");
}

TEST_CASE("records of jobs are written as Batsim's jobs.csv") {
  const records_directory here;
  here.put("jobs.csv.gz", exported_records);
  here.put("summary.json", R"({"name": "mine"})");
  auto jobs = read_exported_jobs(here.path());
  CHECK(jobs.open == 1);
  CHECK_FALSE(jobs.tasks_recorded);
  CHECK(written(jobs, export_format::batsim) ==
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
        "requested_time,success,final_state,starting_time,execution_time,finish_time,"
        "waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata\n"
        "0,mine,a,0.25,3,3,0,COMPLETED_FAILED,0.5,3,3.5,0.25,3.25,1.083333333,,,\n"
        "2,mine,\"b,c\",0.5,1,3,0,REJECTED,,,,,,,,,\n"
        "1,mine,a,1.5,2,5,1,COMPLETED_SUCCESSFULLY,2,5.25,7.25,0.5,5.75,1.095238095,,,\n");
  here.put("tasks.csv.gz", "job,task,machine,started_s\n1,0,7,1.75\n1,1,8,1.875\n0,0,3,\n");
  jobs = read_exported_jobs(here.path());
  CHECK(jobs.tasks_recorded);
  CHECK(jobs.jobs[2].started_s == 1.75);
  CHECK(written(jobs, export_format::batsim).find(",7-8,,\n") != std::string::npos);
}

TEST_CASE("records of jobs are written in the Standard Workload Format, which is read again") {
  const records_directory here;
  here.put("jobs.csv.gz", exported_records);
  const auto text = written(read_exported_jobs(here.path()), export_format::swf);
  CHECK(text.starts_with("; Version: 2.2\n"));
  CHECK(text.find("; Queue: 2 b,c\n") != std::string::npos);
  CHECK(text.ends_with("1 0.25 0.25 3 3 -1 -1 3 3 -1 0 1 -1 -1 1 -1 -1 -1\n"
                       "2 0.5 -1 -1 1 -1 -1 1 3 -1 5 2 -1 -1 2 -1 -1 -1\n"
                       "3 1.5 0.5 5.25 2 -1 524288 2 5 524288 1 1 -1 -1 1 -1 -1 -1\n"));
  here.put("jobs.swf", text);
  swf_reader in{(here.path() / "jobs.swf").string(), {}};
  trace_job job;
  std::vector<std::pair<double, std::uint32_t>> read;
  while (in.next(job))
    read.emplace_back(to_seconds(job.groups[0].durations[0]), job.groups[0].count);
  CHECK(read == std::vector<std::pair<double, std::uint32_t>>{{3, 3}, {5.25, 2}});
}

TEST_CASE("a job that runs as one piece asks for its estimate") {
  const records_directory here;
  here.put("jobs.csv.gz",
           "job,group,tenant,gang,state,tasks,submitted_s,first_placed_s,ended_s,ideal_s,cpu_cores,"
           "memory_gib,estimate_s\n"
           "0,a,,true,finished,4,0,0,10,10,,,20\n"
           "1,a,,false,finished,1,1,1,11,10,,,30\n"
           "2,a,,true,finished,2,2,2,12,10,,,\n"
           "3,a,,false,finished,2,3,3,13,10,,,5\n");
  const auto jobs = read_exported_jobs(here.path());
  CHECK(written(jobs, export_format::swf)
          .ends_with("1 0 0 10 4 -1 -1 4 20 -1 1 -1 -1 -1 1 -1 -1 -1\n"
                     "2 1 0 10 1 -1 -1 1 30 -1 1 -1 -1 -1 1 -1 -1 -1\n"
                     "3 2 0 10 2 -1 -1 2 -1 -1 1 -1 -1 -1 1 -1 -1 -1\n"
                     "4 3 0 10 2 -1 -1 2 10 -1 1 -1 -1 -1 1 -1 -1 -1\n"));
  const auto batsim = written(jobs, export_format::batsim);
  CHECK(batsim.find("\n0,troupe,a,0,4,20,1,") != std::string::npos);
  CHECK(batsim.find("\n2,troupe,a,2,2,,1,") != std::string::npos);
}

TEST_CASE("a run without records is refused, and so are damaged ones") {
  const records_directory here;
  CHECK_THROWS_WITH_AS(read_exported_jobs(here.path()), doctest::Contains("--records jobs"),
                       std::runtime_error);
  here.put("jobs.csv.gz", "job,group\n1,a\n");
  CHECK_THROWS_WITH_AS(read_exported_jobs(here.path()), doctest::Contains("no column 'tenant'"),
                       std::runtime_error);
}
