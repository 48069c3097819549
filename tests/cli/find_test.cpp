#include "cli/mistakes.hpp"
#include "cli/samples.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <utility>

using namespace troupe::test;

TEST_CASE("find shows each step and the least value that does" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"find", "tiny.toml", "--vary", "cluster.machines=5..40", "--until",
                             "scheduling_delay_s.mean <= 0.1"});
  CAPTURE(run.err);
  CHECK(run.code == 0);
  CHECK(contains(run.err, "tiny: cluster.machines = 40 does, scheduling_delay_s.mean = "));
  CHECK(contains(run.out, "tiny: the least value that meets the goal is cluster.machines = "));
  const auto json =
    nlohmann::json::parse(read_file(here.path() / "results/find/tiny/found.json"))["searches"][0];
  const auto found = std::stoi(json["found"].get<std::string>());
  for (const auto& step : json["tried"])
    CHECK(step["holds"].get<bool>() == (std::stoi(step["value"].get<std::string>()) >= found));
  CHECK(json["contradictions"].empty());
}

TEST_CASE("find searches for each goal and each combination, and shares their runs" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"find", "tiny.toml", "--vary", "cluster.machines=5..40", "--vary",
                             "schedulers=1,2", "--until", "scheduling_delay_s.mean <= 0.1",
                             "--until", "scheduling_delay_s.mean <= 0.5", "--format", "csv"});
  CHECK(run.code == 0);
  CHECK(run.out.starts_with("run,goal,setting,found,there,seeds,tried\r\nschedulers=1,"));
  CHECK(contains(run.out, "\r\nschedulers=2,scheduling_delay_s.mean <= 0.5,cluster.machines,"));
  CHECK(contains(run.err, "runs were done before"));
}

TEST_CASE("with --fresh, find repeats all runs once, and its goals share them" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto search = [&](bool fresh) {
    std::vector<std::string> words{"find",    "tiny.toml",
                                   "--vary",  "cluster.machines=5..40",
                                   "--jobs",  "1",
                                   "--seeds", "1",
                                   "--until", "scheduling_delay_s.mean <= 0.1",
                                   "--until", "scheduling_delay_s.mean <= 0.5",
                                   "--json"};
    if (fresh)
      words.emplace_back("--fresh");
    const auto run = here.run(words);
    CHECK(run.code == 0);
    std::string reused; // one line for each goal with such runs
    std::istringstream lines{run.err};
    for (std::string line; std::getline(lines, line);)
      if (contains(line, "were done before"))
        reused += line + '\n';
    return std::pair{reused, run.out};
  };
  const auto first = search(false);
  CHECK(search(true) == first);
  CHECK(search(false).first != first.first);
}

TEST_CASE("find says so when nothing is found") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"find", "tiny.toml", "--vary", "sync.gap=100ms..1s", "--tolerance",
                             "10ms", "--until", "scheduling_delay_s.mean > 100", "-q"});
  CHECK(run.code == 1);
  CHECK(contains(run.out, "not even sync.gap = 1s meets it (from 100ms to 1s in steps of 10ms)"));
}

TEST_CASE("find refuses what cannot be searched, before anything runs") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const std::vector<mistake> mistakes = {
    {{"find", "tiny.toml", "--vary", "schedulers=1..4"}, "--until"},
    {{"find", "tiny.toml", "--until", "quality.mean > 1"}, "no range to search"},
    {{"find", "tiny.toml", "--vary", "schedulers=1,4", "--until", "quality.mean > 1"},
     "no range to search"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--vary", "cluster.slots=1..4", "--until",
      "quality.mean > 1"},
     "schedulers has a range already"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--vary", "scheduler.batch=1", "--vary",
      "scheduler.batch=2", "--until", "quality.mean > 1"},
     "find: scheduler.batch: it varies twice; expected one list of values"},
    {{"find", "tiny.toml", "--vary", "schedulers=2,3", "--vary", "schedulers=1..4", "--until",
      "quality.mean > 1"},
     "find: schedulers: it varies twice; expected its range only"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--set", "seed=4", "--until",
      "quality.mean > 1"},
     "find: --set seed=4: the runs have seeds 1 to N; expected --seeds N instead"},
    {{"find", "tiny.toml", "--vary", "schedulers=0..4", "--until", "quality.mean > 1"},
     "expected a whole number"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--until", "1 > 0"},
     "expected values of the run"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--until", "quality.mean >"}, "expression"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--tolerance", "1s", "--until",
      "quality.mean > 1"},
     "a number of more than 0"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--until", "quality.mean"},
     "expected a comparison"},
    {{"find", "tiny.toml", "--vary", "schedulers=1..4", "--until", "1 <= quality.mean <= 3"},
     "write 1 <= {quality.mean} && {quality.mean} <= 3"},
    {{"find", "tiny.toml", "--vary", "schedulers=2..4", "--seeds", "1", "--until",
      "foo.bar <= 1.5"},
     "--until 'foo.bar <= 1.5': foo.bar: there is no 'foo'"},
  };
  check_refused(here, mistakes);
}
