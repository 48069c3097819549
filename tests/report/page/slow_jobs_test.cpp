#include "report/page/page.hpp"
#include "report/page/run_directory.hpp"
#include "report/page/runs/slow_jobs.hpp"
#include "report/records/gzip_file.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

constexpr auto slow_header =
  "job,group,tasks,state,submitted_s,wait_s,scheduling_delay_max_s,response_s,attempts,conflicts\n";

std::string slow_rows(int n) {
  std::string text = slow_header;
  for (int i = 0; i < n; ++i)
    text += std::to_string(i) + ",\"a,\"\"b\"\"\",3,finished,1.5,0.25," +
            (i % 7 == 0 ? "" : std::to_string((i * 37) % n) + ".5") + ",12,4,1\n";
  return text;
}

} // namespace

TEST_CASE("the slowest jobs are found in the records, by their longest delay") {
  const run_directory here;
  const auto file = here.path() / "jobs.csv.gz";
  CHECK(slow_jobs_in(file).empty());
  {
    gzip_file out{file};
    out.add(slow_rows(101));
    out.close();
  }
  const auto jobs = slow_jobs_in(file);
  REQUIRE(jobs.size() == most_slow_jobs);
  for (std::size_t i = 1; i < jobs.size(); ++i)
    CHECK(jobs[i - 1].delay_s > jobs[i].delay_s);
  CHECK(jobs.front().delay_s == 100.5);
  CHECK(jobs.front().group == "a,\"b\"");
  CHECK(jobs.front().job == "30");
  CHECK(jobs.front().wait_s == 0.25);
  const auto page = page_html(contents_for({here.path()}));
  CHECK(page.find("troupe explain 30 --in DIR") != std::string::npos);
  CHECK(page.find("Slowest 20 jobs") != std::string::npos);
}

TEST_CASE("damaged records are refused by name and line") {
  const run_directory here;
  here.put("jobs.csv.gz", "job,group\n1,a\n");
  CHECK_THROWS_WITH_AS(slow_jobs_in(here.path() / "jobs.csv.gz"),
                       doctest::Contains("it has no column 'tasks'"), std::runtime_error);
  here.put("jobs.csv.gz", std::string{slow_header} + "1,a\n");
  CHECK_THROWS_WITH_AS(slow_jobs_in(here.path() / "jobs.csv.gz"),
                       doctest::Contains("jobs.csv.gz:2: 2 cells; expected 10"),
                       std::runtime_error);
}
