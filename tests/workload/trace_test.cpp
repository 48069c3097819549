#include "workload/generate/factory.hpp"
#include "workload/generate/gangless_source.hpp"
#include "workload/temp_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using test::gzip;
using test::temp_file;
using counts = std::map<std::string, std::uint64_t>;

struct trace_result {
  std::vector<job> jobs;
  counts skipped;
};

trace_result read(const std::string& path, const trace_settings& trace = {},
                  std::uint64_t seed = 1) {
  workload_settings settings;
  settings.kind = workload_kind::trace;
  settings.file = path;
  settings.trace = trace;
  settings.trace.keep_times = true;
  check_workload(settings);
  const auto source = make_job_source(settings, 1, 1, random_stream::derive(seed, "workload", 0));
  trace_result result;
  while (auto next = source->next()) {
    REQUIRE(next->id == result.jobs.size());
    if (!result.jobs.empty())
      REQUIRE(next->submitted >= result.jobs.back().submitted);
    result.jobs.push_back(std::move(*next));
  }
  result.skipped = source->skipped_rows();
  return result;
}

trace_result read_text(const std::string& text, const trace_settings& trace = {},
                       std::uint64_t seed = 1) {
  const temp_file file{text};
  return read(file.path(), trace, seed);
}

/// Well-formed single-task rows, submitted at 0, 1, 2, ... s.
std::string rows(int n) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text += std::to_string(i) + " 1 2 2\n";
  return text;
}

const std::string three_jobs = "0.004 2 1.5 1 2\n7.5 1 3 3\n8 3 4 4 4 4\n";

void check_three_jobs(const std::vector<job>& jobs) {
  REQUIRE(jobs.size() == 3);
  CHECK(jobs[0].submitted == 4ms);
  CHECK(jobs[0].estimate == 1500ms);
  CHECK(jobs[0].task_count() == 2);
  CHECK(jobs[0].groups[0].durations == std::vector<duration>{1s, 2s});
  CHECK(jobs[0].groups[0].demand == resources::of_slots(1));
  CHECK(jobs[1].submitted == 7500ms);
  CHECK(jobs[1].groups[0].durations == std::vector<duration>{3s});
  CHECK(jobs[2].task_count() == 3);
  CHECK(jobs[2].groups[0].durations == std::vector<duration>{4s});
}

} // namespace

TEST_CASE("a row is a job with its tasks, estimate and durations") {
  const auto result = read_text(three_jobs);
  check_three_jobs(result.jobs);
  CHECK(result.skipped.empty());
}

TEST_CASE("the forms in which traces come are all read alike") {
  SUBCASE("repeated and trailing spaces") {
    check_three_jobs(read_text("0.004 2 1.5  1   2 \n  7.5 1 3 3  \n8 3 4 4 4 4 \n").jobs);
  }
  SUBCASE("tabs") {
    check_three_jobs(read_text("0.004\t2\t1.5\t1\t2\t\n7.5\t1 3\t3\n8 3\t\t4 4 4 4\n").jobs);
  }
  SUBCASE("CRLF") {
    check_three_jobs(read_text("0.004 2 1.5 1 2\r\n7.5 1 3 3 \r\n\r\n8 3 4 4 4 4\r\n").jobs);
  }
  SUBCASE("blank lines and comments") {
    check_three_jobs(
      read_text("# submit tasks mean ...\n\n0.004 2 1.5 1 2\n   \n  # x\n7.5 1 3 3\n8 3 4 4 4 4\n")
        .jobs);
  }
  SUBCASE("no newline at the end") {
    check_three_jobs(read_text("0.004 2 1.5 1 2\n7.5 1 3 3\n8 3 4 4 4 4").jobs);
  }
  SUBCASE("exponents and whole numbers with a fraction") {
    check_three_jobs(read_text("4e-3 2.0 1.5 1.0 2\n7.5 1 3 3.00\n8 3 4 4 4 4\n").jobs);
  }
  SUBCASE("a byte order mark") {
    check_three_jobs(read_text("\xEF\xBB\xBF" + three_jobs).jobs);
  }
  SUBCASE("gzip") {
    check_three_jobs(read_text(gzip(three_jobs)).jobs);
  }
  SUBCASE("gzip in several members") {
    check_three_jobs(read_text(gzip("0.004 2 1.5 1 2\n7.5 1") + gzip(" 3 3\n8 3 4 4 4 4\n")).jobs);
  }
}

TEST_CASE("tasks of no length take a nanosecond") {
  const auto result = read_text("0 2 0 0 0\n");
  REQUIRE(result.jobs.size() == 1);
  CHECK(result.jobs[0].groups[0].durations == std::vector<duration>{1ns});
  CHECK(result.jobs[0].estimate == 0s);
}

TEST_CASE("rows longer than the read buffer are whole") {
  std::string text = "0 100000 2";
  for (int i = 0; i < 100'000; ++i)
    text += i % 2 == 0 ? " 1.000" : " 3.000";
  text += "\n1 1 1 1\n";
  for (const auto& content : {text, gzip(text)}) {
    const auto result = read_text(content);
    REQUIRE(result.jobs.size() == 2);
    CHECK(result.jobs[0].groups[0].durations.size() == 100'000);
    CHECK(result.jobs[0].groups[0].durations.back() == 3s);
    CHECK(result.jobs[1].submitted == 1s);
  }
}

TEST_CASE("the window starts at 0 and leaves its end out") {
  const auto result = read_text(rows(10), {.from = 3s, .to = 6s});
  REQUIRE(result.jobs.size() == 3);
  CHECK(result.jobs[0].submitted == 0s);
  CHECK(result.jobs[2].submitted == 2s);
  CHECK(result.skipped == counts{{"before the window", 3}, {"after the window", 4}});
}

TEST_CASE("rows outside the window are not malformed, however many") {
  std::string text = rows(50) + "50 broken\n51 broken\n";
  const auto result = read_text(text, {.to = 5s});
  CHECK(result.jobs.size() == 5);
  CHECK(result.skipped == counts{{"after the window", 47}});
}

TEST_CASE("speedup divides submit times and nothing else") {
  const auto result = read_text(three_jobs, {.from = 4ms, .speedup = 4});
  REQUIRE(result.jobs.size() == 3);
  CHECK(result.jobs[1].submitted == 1874ms);
  CHECK(result.jobs[1].groups[0].durations[0] == 3s);
  CHECK(result.jobs[1].estimate == 3s);
}

TEST_CASE("replicas without jitter follow their row at once") {
  const auto result = read_text(three_jobs, {.replicas = 3});
  REQUIRE(result.jobs.size() == 9);
  for (std::size_t i = 0; i < 9; ++i)
    CHECK(result.jobs[i].task_count() == std::vector<std::uint32_t>{2, 1, 3}[i / 3]);
  CHECK(result.jobs[0].groups[0].durations == result.jobs[2].groups[0].durations);
}

TEST_CASE("jitter submits each replica up to so much later, in order") {
  // Every row is known by its number of tasks.
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += std::to_string(i * 0.5) + " " + std::to_string(i + 1) + " 1";
    for (int k = 0; k <= i; ++k)
      text += " 1";
    text += "\n";
  }
  const auto result = read_text(text, {.replicas = 5, .jitter = 3s});
  REQUIRE(result.jobs.size() == 1000);
  std::map<std::uint32_t, int> copies;
  duration latest{0};
  double sum = 0;
  for (const auto& j : result.jobs) {
    ++copies[j.task_count()];
    const auto late = j.submitted - (j.task_count() - 1) * 500ms;
    CHECK(late >= 0s);
    CHECK(late <= 3s);
    latest = std::max(latest, late);
    sum += to_seconds(late);
  }
  CHECK(copies.size() == 200);
  CHECK(std::all_of(copies.begin(), copies.end(), [](const auto& c) { return c.second == 5; }));
  CHECK(latest > 2900ms);
  CHECK(sum / 1000 == doctest::Approx(1.5).epsilon(0.07));

  const auto submits = [](const trace_result& r) {
    std::vector<instant> at;
    for (const auto& j : r.jobs)
      at.push_back(j.submitted);
    return at;
  };
  CHECK(submits(read_text(text, {.replicas = 5, .jitter = 3s})) == submits(result));
  CHECK(submits(read_text(text, {.replicas = 5, .jitter = 3s}, 2)) != submits(result));
}

TEST_CASE("malformed rows are skipped and counted by reason") {
  const auto result = read_text(rows(2000) + "2000 2 1 1\n"
                                             "2001 1 1 1 1\n"
                                             "2002 1 1 1 1\n"
                                             "-1 1 1 1\n"
                                             "2003 0 1\n"
                                             "2004 1.5 1 1 1\n"
                                             "2005 x 1 1\n"
                                             "nan 1 1 1\n"
                                             "2006 1 1 1s\n"
                                             "2007 1 1 -5\n"
                                             "2008 1\n"
                                             "1e10 1 1 1\n"
                                             "1998.5 1 1 1\n"
                                             "2009 1 1 1\n");
  CHECK(result.jobs.size() == 2001);
  CHECK(result.jobs.back().submitted == 2009s);
  CHECK(result.skipped == counts{{"fewer durations than tasks", 1},
                                 {"more durations than tasks", 2},
                                 {"negative time", 1},
                                 {"no tasks", 1},
                                 {"not a whole number of tasks", 1},
                                 {"not a number", 3},
                                 {"duration out of range", 1},
                                 {"too few fields", 1},
                                 {"time out of range", 1},
                                 {"earlier than the row before", 1}});
}

TEST_CASE("jobs ends the trace early") {
  const temp_file file{rows(10)};
  workload_settings settings;
  settings.kind = workload_kind::trace;
  settings.file = file.path();
  settings.jobs = 4;
  settings.cpu = 0.5;
  const auto source = make_job_source(settings, 1, 1, random_stream{});
  for (int i = 0; i < 4; ++i)
    CHECK(source->next()->groups[0].demand[resource::cpu] == 500);
  CHECK_FALSE(source->next());
}

TEST_CASE("a real trace is read to its end") {
  const auto path = std::filesystem::path{TROUPE_SOURCE_DIR} / ".." / "shared" / "data" /
                    "google2011_part0_finished_tasks.tr";
  if (!std::filesystem::exists(path)) {
    MESSAGE("left out: there is no " << path.string());
    return;
  }
  const auto result = read(path.string());
  std::uint64_t tasks = 0;
  for (const auto& j : result.jobs)
    tasks += j.task_count();
  CHECK(result.jobs.size() == 699);
  CHECK(tasks == 38'046);
  CHECK(result.skipped.empty());
}

TEST_CASE("a run begins with the first job of a trace, unless its times are kept") {
  const std::string log = "1 7200 0 60 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                          "2 3600 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n";
  for (const auto& text : {std::string{"3600 1 2 2\n7200 1 2 2\n"}, log}) {
    const temp_file file{text};
    workload_settings settings;
    settings.kind = workload_kind::trace;
    settings.file = file.path();
    settings.trace.from = 60s;
    const auto source = make_job_source(settings, 1, 1, random_stream{});
    CHECK(source->next()->submitted == 0s);
    CHECK(source->next()->submitted == 3600s);
    CHECK(source->moved() == 3540s);
    settings.trace.keep_times = true;
    const auto kept = make_job_source(settings, 1, 1, random_stream{});
    CHECK(kept->next()->submitted == 3540s);
    CHECK(kept->moved() == 0s);
  }
}

TEST_CASE("gangs are refused where schedulers probe machines, tasks that wait for others are not") {
  const auto refusal = [](const std::string& text, bool gangs) {
    const temp_file file{text};
    workload_settings settings;
    settings.kind = workload_kind::trace;
    settings.file = file.path();
    settings.trace.gangs = gangs;
    check_workload(settings);
    try {
      check_workload(settings, true);
    } catch (const std::runtime_error& e) {
      return std::string{e.what()};
    }
    return std::string{};
  };
  const std::string alone = "2 3600 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n";
  const std::string log = alone + "1 7200 0 60 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n";
  CHECK(refusal(log, true).find("a job of it is a gang of 4 tasks, which start together") !=
        std::string::npos);
  CHECK(refusal(log, true).find("workload.trace.gangs = false") != std::string::npos);
  CHECK(refusal(log, false).empty());
  CHECK(refusal(alone, true).empty());
  CHECK(refusal("M1,1,j_1,1,Terminated,10,20,100,0.3\n", true).empty());
}

TEST_CASE("a gang that comes late in a trace is refused when it comes") {
  const temp_file file{"2 3600 0 60 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                       "1 7200 0 60 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n"};
  workload_settings settings;
  settings.kind = workload_kind::trace;
  settings.file = file.path();
  gangless_source source{make_job_source(settings, 1, 1, random_stream{}), "log.swf"};
  CHECK(source.next());
  CHECK_THROWS_WITH_AS(
    source.next(),
    "[workload] file = \"log.swf\": a job of it is a gang of 4 tasks, which start together; "
    "schedulers that probe machines place tasks one by one. Choose an architecture other than "
    "sparrow and hybrid, or set workload.trace.gangs = false",
    std::runtime_error);
}

} // namespace troupe
