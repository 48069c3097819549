#include "cli/mistakes.hpp"
#include "cli/samples.hpp"
#include "support/long_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <sched.h>

using namespace troupe::test;

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> small_sweep{
  "sweep", "tiny.toml", "--vary", "schedulers=1..2", "--vary", "sync.gap=500ms,1s", "--seeds",
  "3",     "--jobs",    "2"};

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string table_in(const scratch& here, const std::string& out) {
  return read_file(here.path() / out / "sweep.csv") + read_file(here.path() / out / "sweep.json") +
         read_file(here.path() / out / "sweep.md");
}

} // namespace

TEST_CASE("sweep makes one table of all combinations, and reuses earlier results" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto first = here.run(with(small_sweep, {"--format", "csv"}));
  CAPTURE(first.err);
  CHECK(first.code == 0);
  CHECK(first.out.starts_with("schedulers,sync.gap,seeds,tasks placed,tasks placed half_width_95"));
  CHECK(contains(first.out, "\r\n2,1s,3,"));
  CHECK(first.out == read_file(here.path() / "results/sweep/tiny/sweep.csv"));
  const auto table = table_in(here, "results/sweep/tiny");
  const auto second = here.run(with(small_sweep, {"--format", "csv"}));
  CHECK(second.out == first.out);
  CHECK(contains(second.err, "12 runs were done before"));
  CHECK(table_in(here, "results/sweep/tiny") == table);
  CHECK_FALSE(contains(here.run(with(small_sweep, {"--fresh"})).err, "done before"));
}

TEST_CASE("a sweep can be in the settings file, and be overridden" * long_case) {
  const scratch here;
  here.write("tiny.toml", std::string(tiny_settings) + R"(
[sweep]
seeds = 2
metrics = ["tasks.placed"]
vary = { schedulers = "1..2", "sync.gap" = ["1s"] }
)");
  const auto as_written = here.run({"sweep", "tiny.toml", "-q", "--format", "csv"});
  CAPTURE(as_written.err);
  CHECK(as_written.code == 0);
  CHECK(as_written.out.starts_with(
    "schedulers,sync.gap,seeds,tasks.placed,tasks.placed half_width_95\r\n1,1s,2,"));
  const auto other =
    here.run({"sweep", "tiny.toml", "-q", "--format", "json", "--vary", "sync.gap=2s,3s", "--seeds",
              "1", "--metrics", "quality.mean,{tasks.placed} / 2"});
  const auto json = nlohmann::json::parse(other.out);
  CHECK(json["combinations"].size() == 4);
  CHECK(json["combinations"][0]["set"]["sync.gap"] == "2s");
  CHECK(json["metrics"].size() == 2);
  CHECK(json["seeds"] == 1);
  CHECK(here.run({"run", "tiny.toml", "-q"}).code == 0);
}

TEST_CASE("a sweep that was killed goes on, to the same table" * long_case) {
  // The runs last long enough to be killed, with sanitizers too, under which they take ten times as
  // much.
#ifdef TROUPE_SANITIZE
  const std::string length = "50s";
#else
  const std::string length = "300s";
#endif
  for (const int signal : {SIGKILL, SIGINT}) {
    const scratch here;
    here.write("tiny.toml", tiny_settings);
    const std::vector<std::string> slower{"--set", "workload.phases.0.length=" + length, "--set",
                                          "workload.phases.0.rate=35"};
    const auto command = with(small_sweep, slower);
    CHECK(here.run(with(command, {"--out", "whole"})).code == 0);
    program running(here.path(), with(command, {"--out", "killed"}));
    while (!fs::exists(here.path() / "killed/runs/schedulers=1,sync.gap=500ms/seed-1.stamp"))
      sched_yield();
    running.send_signal(signal);
    const auto ended = running.wait();
    CHECK((ended.code == -signal || ended.code == 128 + signal));
    CHECK_FALSE(fs::exists(here.path() / "killed/sweep.csv"));
    const auto again = here.run(with(command, {"--out", "killed"}));
    CHECK(again.code == 0);
    CHECK(contains(again.err, "done before"));
    CHECK(table_in(here, "killed") == table_in(here, "whole"));
  }
}

TEST_CASE("a run that fails is told, and the others go on" * long_case) {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  fs::create_directories(here.path() / "out/runs/schedulers=1,sync.gap=1s");
  here.write("out/runs/schedulers=1,sync.gap=1s/seed-2", "no folder");
  const auto run = here.run(with(small_sweep, {"--out", "out", "-q"}));
  CHECK(run.code == 1);
  CHECK(contains(run.err, "schedulers=1, sync.gap=1s, seed 2: exit code"));
  CHECK(contains(run.out, "2 of 3"));
  fs::remove(here.path() / "out/runs/schedulers=1,sync.gap=1s/seed-2");
  const auto again = here.run(with(small_sweep, {"--out", "out"}));
  CHECK(again.code == 0);
  CHECK(contains(again.err, "11 runs were done before"));
}

TEST_CASE("sweep refuses what cannot be run, before anything runs, as run would") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const std::vector<mistake> mistakes = {
    {{"sweep"}, "CONFIG"},
    {{"sweep", "tiny.toml"}, "no setting varies"},
    {{"sweep", "tiny.toml", "--vary", "schedulers"}, "expected a setting with its values"},
    {{"sweep", "tiny.toml", "--vary", "schedulers=1,0"}, "value 0; expected a whole number"},
    {{"sweep", "tiny.toml", "--vary", "shedulers=1"}, "expected 'schedulers'?"},
    {{"sweep", "tiny.toml", "--vary", "schedulers=5..1"}, "a range that goes up"},
    {{"sweep", "tiny.toml", "--vary", "seed=1,2"}, "--seeds N"},
    {{"sweep", "tiny.toml", "--vary", "schedulers=1", "--set", "seed=4"},
     "sweep: --set seed=4: the runs have seeds 1 to N; expected --seeds N instead"},
    {{"sweep", "tiny.toml", "--vary", "cluster.machines=1..5000", "--seeds", "1000"},
     "more than 1,000,000 runs"},
    {{"sweep", "tiny.toml", "--vary", "schedulers=1", "--metrics", "{a"}, "without its }"},
    {{"sweep", "tiny.toml", "--vary", "schedulers=1", "--metrics", "qualty.mean"},
     "--metrics qualty.mean: qualty.mean: there is no 'qualty'; did you mean 'quality'?"},
  };
  check_refused(here, mistakes);
  const auto swept = here.run({"sweep", "tiny.toml", "--vary", "schedulers=0"});
  const auto ran = here.run({"run", "tiny.toml", "--set", "schedulers=0"});
  CHECK(swept.err == ran.err);
}
