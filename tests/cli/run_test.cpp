#include "cli/process.hpp"
#include "cli/samples.hpp"
#include "cli/summary.hpp"
#include "support/gzip_csv.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

nlohmann::json without_host(const fs::path& directory) {
  auto summary = summary_in(directory);
  summary.erase("host");
  return summary;
}

const std::vector<std::string> result_files = {"config.toml",   "delays.csv",     "partitions.csv",
                                               "report.html",   "schedulers.csv", "summary.json",
                                               "timeseries.csv"};

void check_complete(const fs::path& directory) {
  auto expected = result_files;
  if (!(summary_in(directory)["simulated_seconds"] > 0)) // no interval has begun
    for (const char* file : {"partitions.csv", "schedulers.csv"})
      std::erase(expected, file);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator{directory})
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  CHECK(names == expected);
}

} // namespace

TEST_CASE("a run writes its results where it says, and shows them") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"run", "tiny.toml"});
  CAPTURE(run.err);
  CHECK(run.code == 0);
  check_complete(here.path() / "results" / "tiny-1");
  CHECK(run.out.find("results/tiny-1") != std::string::npos);
  CHECK(run.out.find("PASS") != std::string::npos);
  CHECK(run.out.find("FAIL") == std::string::npos);
  const auto summary = summary_in(here.path() / "results" / "tiny-1");
  CHECK(summary.at("name") == "tiny");
  CHECK(summary.at("seed") == 1);
  CHECK(summary.at("policy") == "latency-first");
  const auto& tasks = summary.at("tasks");
  CHECK(tasks.at("submitted") > 100);
  CHECK(tasks.at("finished") == tasks.at("submitted"));
  for (const auto& check : summary.at("checks"))
    CHECK_MESSAGE(check.at("passed") == true, check.at("name"));
}

TEST_CASE("a run writes a page with plots, which its seed determines but for the host") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"run", "tiny.toml", "--out", "one"});
  CHECK(run.out.find("plots in one/report.html") != std::string::npos);
  REQUIRE(here.run({"run", "tiny.toml", "--quiet", "--out", "two"}).code == 0);
  const auto page = [&](const char* directory) {
    const auto text = read_file(here.path() / directory / "report.html");
    const auto begin = text.find("<section id=\"host\">");
    const auto end = text.find("</section><!-- host -->");
    REQUIRE(begin < end);
    REQUIRE(end != std::string::npos);
    return text.substr(0, begin) + text.substr(end);
  };
  CHECK(page("one") == page("two"));
  CHECK(page("one").find("scheduling_delay_mean_s") != std::string::npos);

  REQUIRE(here.run({"run", "tiny.toml", "-q", "--out", "none", "--no-report"}).code == 0);
  CHECK_FALSE(fs::exists(here.path() / "none/report.html"));
  CHECK(here.run({"report", "none"}).code == 0);
  CHECK(page("none") == page("one"));
  CHECK(here.run({"report", "one", "two", "--out", "both.html"}).code == 0);
  CHECK(fs::exists(here.path() / "both.html"));
  const auto settings = read_file(here.path() / "one/config.toml");
  fs::create_symlink("one/config.toml", here.path() / "link.html");
  for (const auto* out : {"one/config.toml", "link.html", "two/../one/summary.json"}) {
    const auto taken = here.run({"report", "one", "two", "--out", out});
    CHECK(taken.code == 2);
    CHECK(contains(taken.err, "report: --out " + std::string{out} + ": it is one/"));
    CHECK(contains(taken.err, ", one of the results; expected another file"));
  }
  CHECK(read_file(here.path() / "one/config.toml") == settings);
  CHECK(here.run({"report", "one", "--out", "one/report.html"}).code == 0);
  const auto refused = here.run({"report", "nowhere"});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("there are no results of a run in nowhere") != std::string::npos);
}

TEST_CASE("--quiet says nothing, --out chooses the directory") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"run", "tiny.toml", "--quiet", "--out", "a/b"});
  CHECK(run.code == 0);
  CHECK(run.out == "");
  CHECK(run.err == "");
  check_complete(here.path() / "a" / "b");
}

TEST_CASE("--records writes what became of jobs and tasks, and the same bytes again") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  for (const char* out : {"one", "two"}) {
    const auto run = here.run({"run", "tiny.toml", "-q", "--records", "tasks", "--out", out});
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
  }
  const auto one = here.path() / "one";
  const auto summary = summary_in(one);
  CHECK(gzip_rows(one / "jobs.csv.gz").size() == summary.at("jobs").at("submitted"));
  const auto tasks = gzip_rows(one / "tasks.csv.gz");
  CHECK(tasks.size() == summary.at("tasks").at("submitted"));
  for (const auto& task : tasks)
    CHECK(task.at("state") == "finished");
  CHECK(gzip_rows(one / "attempts.csv.gz").size() == summary.at("conflicts"));
  for (const char* file : {"jobs.csv.gz", "tasks.csv.gz", "attempts.csv.gz"})
    CHECK(read_file(one / file) == read_file(here.path() / "two" / file));
  CHECK(here.run({"run", "--verify", "one", "-q"}).code == 0);
  // A run without records removes those of the run before.
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--out", "one", "--overwrite"}).code == 0);
  check_complete(one);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--records", "jobs", "--out", "jobs"}).code == 0);
  CHECK_FALSE(fs::exists(here.path() / "jobs" / "tasks.csv.gz"));
  const auto wrong = here.run({"run", "tiny.toml", "--records", "all"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("none, jobs or tasks") != std::string::npos);
}

TEST_CASE("--timeline writes a trace beside the same results") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--out", "plain"}).code == 0);
  const auto drawn = here.run({"run", "tiny.toml", "--out", "drawn", "--timeline", "t.json"});
  CHECK(drawn.code == 0);
  CHECK(drawn.out.find("events in t.json") != std::string::npos);
  check_complete(here.path() / "drawn");
  CHECK(without_host(here.path() / "plain") == without_host(here.path() / "drawn"));
  REQUIRE(here
            .run({"run", "tiny.toml", "-q", "--out", "drawn", "--timeline", "t.json.gz",
                  "--timeline-jobs", "0-3", "--timeline-machines", "none"})
            .code == 0);
  const auto trace = nlohmann::json::parse(read_file(here.path() / "t.json"));
  CHECK(trace["traceEvents"].size() > 100);
  std::string text;
  for (const auto& line : gzip_lines(here.path() / "t.json.gz"))
    text += line;
  const auto less = nlohmann::json::parse(text);
  CHECK(less["otherData"]["events"] < trace["otherData"]["events"]);
  // Records are written as the settings want them.
  REQUIRE(here.run({"run", "tiny.toml", "-q", "--out", "a", "--records", "jobs"}).code == 0);
  REQUIRE(
    here.run({"run", "tiny.toml", "-q", "--out", "b", "--records", "jobs", "--timeline", "t.json"})
      .code == 0);
  CHECK_FALSE(fs::exists(here.path() / "b/tasks.csv.gz"));
  CHECK(read_file(here.path() / "a/jobs.csv.gz") == read_file(here.path() / "b/jobs.csv.gz"));
  for (const auto& [option, value, expected] :
       {std::array{"--timeline", "none/t.json", "a directory that exists"},
        std::array{"--timeline-from", "3", "a duration such as"},
        std::array{"--timeline-members", "node.1", "owner.2"},
        std::array{"--timeline-machines", "3-1", "such as 0-9"}}) {
    std::vector<std::string> words{"run", "tiny.toml"};
    if (std::string{option} != "--timeline")
      words.insert(words.end(), {"--timeline", "t.json"});
    words.insert(words.end(), {option, value});
    const auto wrong = here.run(words);
    CHECK(wrong.code == 2);
    CHECK(wrong.err.find(expected) != std::string::npos);
    CHECK(wrong.err.find(value) != std::string::npos);
  }
}

TEST_CASE("one seed gives the same bytes, another seed does not") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "--quiet", "--seed", "5", "--out", "one"}).code == 0);
  REQUIRE(here.run({"run", "tiny.toml", "--quiet", "--set", "seed=5", "--out", "two"}).code == 0);
  REQUIRE(here.run({"run", "tiny.toml", "--quiet", "--seed", "6", "--out", "other"}).code == 0);
  for (const char* file : {"config.toml", "timeseries.csv"})
    CHECK(read_file(here.path() / "one" / file) == read_file(here.path() / "two" / file));
  CHECK(without_host(here.path() / "one") == without_host(here.path() / "two"));
  CHECK(summary_in(here.path() / "other").at("seed") == 6);
  CHECK(read_file(here.path() / "one" / "timeseries.csv") !=
        read_file(here.path() / "other" / "timeseries.csv"));
}

TEST_CASE("a run writes over the results of the same settings only") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("more.toml", "extends = \"tiny.toml\"\nschedulers = 3\n"); // the name, too
  CHECK(here.run({"run", "tiny.toml", "-q"}).code == 0);
  CHECK(here.run({"run", "tiny.toml", "-q"}).err == "");
  const auto first = read_file(here.path() / "results/tiny-1/summary.json");
  for (int again = 0; again < 2; ++again) {
    const auto other = here.run({"run", "more.toml", "-q"});
    CHECK(other.code == 0);
    CHECK(other.err.find("go to results/tiny-1.2") != std::string::npos);
  }
  CHECK(read_file(here.path() / "results/tiny-1/summary.json") == first);
  CHECK(std::distance(fs::directory_iterator{here.path() / "results"}, {}) == 2);
  const auto refused = here.run({"run", "more.toml", "-q", "--out", "results/tiny-1"});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("--overwrite") != std::string::npos);
  CHECK(here.run({"run", "more.toml", "-q", "--overwrite"}).code == 0);
  CHECK(read_file(here.path() / "results/tiny-1/config.toml") ==
        read_file(here.path() / "results/tiny-1.2/config.toml"));
}

TEST_CASE("a run may write over the results of an earlier one, but over nothing else") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  CHECK(here.run({"run", "tiny.toml", "--quiet", "--out", "out"}).code == 0);
  CHECK(
    here.run({"run", "tiny.toml", "--quiet", "--out", "out", "--seed", "2", "--overwrite"}).code ==
    0);
  CHECK(summary_in(here.path() / "out").at("seed") == 2);
  fs::create_directory(here.path() / "photos");
  here.write("photos/cat.jpg", "purr");
  const auto refused = here.run({"run", "tiny.toml", "--out", "photos"});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("cat.jpg") != std::string::npos);
  CHECK(std::distance(fs::directory_iterator{here.path() / "photos"}, {}) == 1);
}

TEST_CASE("a trace is replayed to its last task") {
  const scratch here;
  here.write("replay.toml", tiny_trace_settings);
  here.write("tiny.tr", tiny_trace);
  const auto run =
    here.run({"run", "replay.toml", "--set", "workload.file=tiny.tr", "--out", "out"});
  CAPTURE(run.err);
  CHECK(run.code == 0);
  const auto summary = summary_in(here.path() / "out");
  CHECK(summary.at("tasks").at("finished") == 6);
}

TEST_CASE("--verify says whether a second run gives the same results") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "--quiet", "--out", "out"}).code == 0);
  const auto same = here.run({"run", "--verify", "out"});
  CAPTURE(same.err);
  CHECK(same.code == 0);
  CHECK(same.out.find("the same results") != std::string::npos);
  check_complete(here.path() / "out");

  std::ofstream{here.path() / "out" / "timeseries.csv", std::ios::app} << "1,2,3\n";
  const auto differs = here.run({"run", "--verify", "out"});
  CHECK(differs.code == 1);
  CHECK(differs.out.find("timeseries.csv") != std::string::npos);
  CHECK(here.entries() == std::vector<std::string>{"out", "out/config.toml", "out/delays.csv",
                                                   "out/partitions.csv", "out/report.html",
                                                   "out/schedulers.csv", "out/summary.json",
                                                   "out/timeseries.csv", "tiny.toml"});
}

TEST_CASE("--verify does not take what differs by nature for a fault") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  REQUIRE(here.run({"run", "tiny.toml", "--quiet", "--out", "out"}).code == 0);
  auto summary = nlohmann::ordered_json::parse(read_file(here.path() / "out" / "summary.json"));
  summary["host"]["wall_seconds"] = 12345.0;
  std::ofstream{here.path() / "out" / "summary.json"} << summary.dump(2) << '\n';
  CHECK(here.run({"run", "--verify", "out"}).code == 0);
  summary["conflicts"] = 999999;
  std::ofstream{here.path() / "out" / "summary.json"} << summary.dump(2) << '\n';
  const auto differs = here.run({"run", "--verify", "out"});
  CHECK(differs.code == 1);
  CHECK(differs.out.find("conflicts") != std::string::npos);
}

TEST_CASE("--verify refuses what no second run can repeat") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  fs::create_directory(here.path() / "out");
  here.write("out/config.toml", here.run({"config", "tiny.toml", "--set", "clock=real"}).out);
  here.write("out/summary.json", "{}");
  const auto real = here.run({"run", "--verify", "out"});
  CHECK(real.code == 2);
  CHECK(real.err.find("real time") != std::string::npos);

  here.write("out/config.toml", here.run({"config", "tiny.toml"}).out);
  here.write("out/summary.json", "nothing");
  const auto broken = here.run({"run", "--verify", "out"});
  CHECK(broken.code == 2);
  CHECK(broken.err.find("summary.json") != std::string::npos);
  CHECK(here.entries().size() == 4);
}

TEST_CASE("a signal stops a run gracefully, with the results so far") {
  struct ending {
    std::string clock;
    int signal;
    int code;
  };
  const std::vector<ending> endings = {{"virtual", SIGINT, 130},
                                       {"virtual", SIGTERM, 143},
                                       {"virtual", SIGHUP, 143},
                                       {"real", SIGINT, 130}};
  for (const auto& [clock, signal, code] : endings) {
    CAPTURE(clock);
    CAPTURE(signal);
    const scratch here;
    here.write("tiny.toml", tiny_settings);
    program run{here.path(),
                {"run", "tiny.toml", "--log-level", "info", "--out", "out", "--set",
                 "workload.phases.0.length=100000h", "--set", "clock=" + clock}};
    REQUIRE(run.wait_for("run started"));
    run.send_signal(signal);
    const auto result = run.wait();
    CAPTURE(result.err);
    CHECK(result.code == code);
    CHECK(result.out.find("interrupted") != std::string::npos);
    check_complete(here.path() / "out");
    const auto summary = summary_in(here.path() / "out");
    CHECK(summary.at("interrupted") == true);
    for (const auto& check : summary.at("checks"))
      CHECK_MESSAGE(check.at("passed") == true, check.at("name"));
    const auto verify = here.run({"run", "--verify", "out"});
    CHECK(verify.code == 2);
    CHECK(verify.err.find(clock == "real" ? "real time" : "interrupted") != std::string::npos);
  }
}
