#include "cli/process.hpp"
#include "cli/samples.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

using namespace troupe::test;
namespace fs = std::filesystem;

TEST_CASE("chaos tells how many seeds held") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"chaos", "tiny.toml", "--seeds", "3..6", "--jobs", "2"});
  CAPTURE(run.err);
  CAPTURE(run.out);
  CHECK(run.code == 0);
  CHECK(run.out.find("tiny: 4 seeds, ") == 0);
  CHECK(run.out.find("every invariant held\n") != std::string::npos);
}

TEST_CASE("chaos reports the first seed that fails and how to reproduce it") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  // Tasks that run for 1,000 s are not over so soon.
  const auto run = here.run({"chaos", "tiny.toml", "--seeds", "1..3", "--events", "5", "--set",
                             "workload.duration.value=1000", "--set", "chaos.patience=1s"});
  CAPTURE(run.err);
  CAPTURE(run.out);
  CHECK(run.code == 1);
  CHECK(run.out.find("seed 1 fails at ") != std::string::npos);
  CHECK(run.out.find("3 seeds fail\n") != std::string::npos);
  CHECK(run.out.find("\nthe last 5 events before:\n") != std::string::npos);
  CHECK(run.out.find("to reproduce: troupe chaos tiny.toml --seeds 1 --set "
                     "workload.duration.value=1000 --set chaos.patience=1s\n") !=
        std::string::npos);
  const auto page = read_file(here.path() / "results/chaos/tiny-1/report.html");
  CHECK(page.find("tiny, chaos, seed 1") != std::string::npos);
}

TEST_CASE("the command that reproduces a failure of chaos is quoted for a shell") {
  const scratch here;
  here.write("my tiny's.toml", tiny_settings);
  const auto run = here.run({"chaos", "my tiny's.toml", "--seeds", "1", "--no-report", "--set",
                             "workload.duration={value=1000}", "--set", "chaos.patience=1s"});
  CAPTURE(run.out);
  CHECK(run.code == 1);
  CHECK(run.out.find("to reproduce: troupe chaos 'my tiny'\\''s.toml' --seeds 1 --set "
                     "'workload.duration={value=1000}' --set chaos.patience=1s\n") !=
        std::string::npos);
}

TEST_CASE("chaos refuses what it cannot do") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  CHECK(here.run({"chaos"}).code == 2);
  const auto seeds = here.run({"chaos", "tiny.toml", "--seeds", "5..1"});
  CHECK(seeds.code == 2);
  CHECK(seeds.err.find("'5..1' is not a range of seeds; expected one such as 1..1000") !=
        std::string::npos);
  const auto real = here.run({"chaos", "tiny.toml", "--set", "clock=real"});
  CHECK(real.code == 2);
  CHECK(real.err.find("tiny.toml: failures take virtual time: clock = \"virtual\"") !=
        std::string::npos);
}

TEST_CASE("a swarm draws a cluster for each seed") {
  const scratch here;
  const auto run = here.run({"chaos", "--swarm", "--seeds", "1..4", "--jobs", "2"});
  CAPTURE(run.err);
  CAPTURE(run.out);
  CHECK(run.code == 0);
  CHECK(run.out.find("swarm: 4 seeds, ") == 0);
  CHECK(run.out.find("every invariant held\n") != std::string::npos);
  CHECK(here.run({"chaos", "--swarm", "--calm", "--seeds", "1..2"}).code == 0);
  here.write("tiny.toml", tiny_settings);
  CHECK(here.run({"chaos", "tiny.toml", "--swarm"}).code == 2);
  CHECK(here.run({"chaos", "tiny.toml", "--calm"}).code == 2);
}

TEST_CASE("a swarm logs no warnings unless asked") {
  // One of these seeds, 38, draws gangs that the machines cannot hold.
  const scratch here;
  const std::vector<std::string> quiet{"chaos", "--swarm", "--seeds", "32..41"};
  CHECK(here.run(quiet).err.find("warning") == std::string::npos);
  auto verbose = quiet;
  verbose.insert(verbose.end(), {"--log-level", "warn"});
  CHECK(here.run(verbose).err.find("is abandoned") != std::string::npos);
}

TEST_CASE("a run with failures is run without them as well") {
  const scratch here;
  here.write("tiny.toml", std::string{tiny_settings} +
                            "\n[[faults.at]]\ntarget = \"machine.3\"\ntime = \"1s\"\n"
                            "duration = \"2s\"\n");
  const auto run = here.run({"run", "tiny.toml", "--out", "out"});
  CAPTURE(run.err);
  CAPTURE(run.out);
  CHECK(run.code == 0);
  CHECK(run.out.find("\nfailures: 1 x kill machine\n") != std::string::npos);
  CHECK(run.out.find("tasks finished ") != std::string::npos);
  const auto with = nlohmann::json::parse(read_file(here.path() / "out" / "summary.json"));
  CHECK(with.at("failures").at("kill machine") == 1);
  CHECK(with.at("tasks").at("finished") == with.at("tasks").at("submitted"));
  const auto without =
    nlohmann::json::parse(read_file(here.path() / "out-without-failures" / "summary.json"));
  CHECK_FALSE(without.contains("failures"));
  CHECK(without.at("tasks").at("submitted") == with.at("tasks").at("submitted"));
  CHECK(here.run({"run", "--verify", "out"}).code == 0);
  CHECK(here.run({"run", "tiny.toml", "--out", "alone", "--no-reference"}).code == 0);
  CHECK_FALSE(fs::exists(here.path() / "alone-without-failures"));
}

TEST_CASE("failures that cannot be had are refused before anything starts") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("faults.txt", "1 kill machine.99 5\n");
  const auto bad =
    here.run({"run", "tiny.toml", "--out", "out", "--set", "faults.trace=faults.txt"});
  CHECK(bad.code == 2);
  CHECK(bad.err.find("faults.txt:1: there is no 'machine.99'; expected master") !=
        std::string::npos);
  here.write("faults.txt", "# none yet\n1 kill machine.1\n");
  const auto cut =
    here.run({"run", "tiny.toml", "--out", "out", "--set", "faults.trace=faults.txt"});
  CHECK(cut.code == 2);
  CHECK(cut.err.find("faults.txt:2: '1 kill machine.1' is not a failure") != std::string::npos);
  for (const auto* no_file : {"/tmp", "/proc/self/mem"}) {
    const auto wrong = here.run(
      {"run", "tiny.toml", "--out", "out", "--set", std::string{"faults.trace="} + no_file});
    CAPTURE(wrong.err);
    CHECK(wrong.code == 2);
    CHECK(wrong.err.find(no_file == std::string{"/tmp"}
                           ? "/tmp: this is a directory; expected a file"
                           : "cannot be read to its end") != std::string::npos);
  }
  const auto endless = here.run({"run", "tiny.toml", "--out", "out", "--set", "network.loss=0.1",
                                 "--set", "architecture=sparrow", "--set", "duration=0s"});
  CHECK(endless.code == 2);
  CHECK(endless.err.find("network.loss: schedulers that probe") != std::string::npos);
  CHECK_FALSE(fs::exists(here.path() / "out"));
}
