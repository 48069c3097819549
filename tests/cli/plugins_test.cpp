#include "cli/process.hpp"
#include "cli/samples.hpp"
#include "cli/summary.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

using namespace troupe::test;
namespace fs = std::filesystem;

namespace {

std::string library(const char* name) {
  return std::string{TROUPE_PLUGIN_DIR} + "/" + name + ".so";
}

/// Runs the tiny cluster with the faulty policy.
outcome run_faulty(const scratch& here, std::vector<std::string> more) {
  here.write("tiny.toml", tiny_settings);
  std::vector<std::string> arguments{"run",
                                     "tiny.toml",
                                     "-q",
                                     "--plugin",
                                     library("faulty_policy"),
                                     "--set",
                                     "scheduler.policy=faulty"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return here.run(arguments);
}

} // namespace

TEST_CASE("a run with a plugin says so in its settings, from which it can be run again") {
  const scratch here;
  const auto run = run_faulty(here, {"--set", "policy.faulty.count=12"});
  CAPTURE(run.err);
  CHECK(run.code == 0);
  const auto results = here.path() / "results" / "tiny-1";
  CHECK(summary_in(results).at("policy") == "faulty");
  const auto used = read_file(results / "config.toml");
  CHECK(contains(used, "paths = [\"" + fs::canonical(library("faulty_policy")).string() + "\"]"));
  CHECK(contains(used, "count = 12"));
  CHECK(here.run({"run", "--verify", results.string()}).code == 0);
}

TEST_CASE("chaos takes a scheduler from a plugin, and names it where it finds a fault") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const std::vector<std::string> common{"chaos",    "tiny.toml",
                                        "--seeds",  "1..3",
                                        "--plugin", library("faulty_scheduler"),
                                        "--set",    "scheduler.actor=faulty"};
  const auto good = here.run(common);
  CAPTURE(good.out);
  CAPTURE(good.err);
  CHECK(good.code == 0);
  auto faulty = common;
  faulty.insert(faulty.end(), {"--set", "scheduler.faulty.fault=twice"});
  const auto bad = here.run(faulty);
  CAPTURE(bad.out);
  CHECK(bad.code == 1);
  CHECK(contains(bad.out, "fails at "));
  CHECK(contains(bad.out, "plugin 'faulty' ("));
  CHECK(contains(bad.out, " --plugin " + library("faulty_scheduler")));
}

TEST_CASE("a plugin that uses queues runs in every kind of time, and under failures") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto with_prober = [&](std::vector<std::string> command, std::vector<std::string> more) {
    command.insert(command.end(), {"--plugin", library("prober"), "--set", "architecture=sparrow",
                                   "--set", "scheduler.actor=prober"});
    command.insert(command.end(), more.begin(), more.end());
    return here.run(command);
  };
  const auto faults = "faults.at=[{kind=\"kill\",target=\"machine.1\",time=\"200ms\","
                      "duration=\"300ms\"}]";
  for (const auto& set : {"clock=virtual", "clock=real", faults}) {
    const auto run = with_prober({"run", "tiny.toml"}, {"--set", set});
    CAPTURE(run.err);
    CHECK(run.code == 0);
    CHECK(contains(run.out, "tiny: prober, "));
  }
  const auto good = with_prober({"chaos", "tiny.toml", "--seeds", "1..3"}, {});
  CAPTURE(good.out);
  CAPTURE(good.err);
  CHECK(good.code == 0);
  const auto bad = with_prober({"chaos", "tiny.toml", "--seeds", "1..3"},
                               {"--set", "scheduler.prober.fault=answers-twice"});
  CAPTURE(bad.out);
  CHECK(bad.code == 1);
  CHECK(contains(bad.out, "plugin 'prober' ("));
}

TEST_CASE("a bad plugin is refused with exit code 2 before anything is written") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("text.so", "no library");
  for (const auto& path :
       {std::string{"none.so"}, std::string{"text.so"}, library("bad_other_abi"),
        library("bad_no_abi"), library("bad_other_kind"), library("bad_taken_name")}) {
    const auto before = here.entries();
    const auto run = here.run({"run", "tiny.toml", "--plugin", path});
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(contains(run.err, "troupe: --plugin "));
    CHECK(contains(run.err, fs::path{path}.filename().string() + ": "));
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
    CHECK(here.entries() == before);
  }
  const auto bad = run_faulty(here, {"--set", "policy.faulty.count=many"});
  CHECK(bad.code == 2);
  CHECK(contains(bad.err, "'policy.faulty.count': value \"many\"; expected a whole number"));
  CHECK(run_faulty(here, {"--set", "policy.faulty.fault=make"}).code == 2);
}

TEST_CASE("a plugin that makes a mistake ends the run with exit code 1, in both kinds of time") {
  for (const auto* clock : {"virtual", "real"}) {
    const scratch here;
    const auto run =
      run_faulty(here, {"--set", "policy.faulty.fault=throws", "--set", "policy.faulty.after=300ms",
                        "--set", std::string{"clock="} + clock});
    CAPTURE(run.err);
    CHECK(run.code == 1);
    CHECK(contains(run.err, "troupe: plugin 'faulty' ("));
    CHECK(contains(run.err, "): pick() threw: lost the map\n"));
    CHECK_FALSE(fs::exists(here.path() / "results" / "tiny-1" / "summary.json"));
  }
}

TEST_CASE("a plugin that ends the program is named, with the call") {
  struct end {
    const char* fault;
    const char* complaint;
  };
  const end ends[] = {{"exits", " ended the program: it called exit() with 0\n"},
                      {"crashes", " ended the program with SIGSEGV, a segmentation fault\n"}};
  for (const auto* clock : {"virtual", "real"})
    for (const auto& [fault, complaint] : ends) {
      CAPTURE(clock);
      CAPTURE(fault);
      const scratch here;
      const auto of = [&](const char* kind) {
        return std::string{kind} + ".faulty.fault=" + fault;
      };
      const auto policy =
        run_faulty(here, {"--set", of("policy"), "--set", "policy.faulty.after=300ms", "--set",
                          std::string{"clock="} + clock});
      CAPTURE(policy.err);
      CHECK(policy.code != 0);
      CHECK(contains(policy.err, "troupe: plugin 'faulty' ("));
      CHECK(contains(policy.err, std::string{"): pick()"} + complaint));
      const auto scheduler =
        here.run({"run", "tiny.toml", "-q", "--plugin", library("faulty_scheduler"), "--set",
                  "scheduler.actor=faulty", "--set", of("scheduler"), "--set",
                  std::string{"clock="} + clock});
      CAPTURE(scheduler.err);
      CHECK(scheduler.code != 0);
      CHECK(contains(scheduler.err, std::string{"): its code"} + complaint));
    }
}

// glibc 2.36 frees memory twice when threads call exit() together: AddressSanitizer ends the
// program.
#ifndef TROUPE_SANITIZE
TEST_CASE("a plugin that ends the program in several threads at once is named") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  for (int i = 0; i < 5; ++i) {
    const auto run = here.run(
      {"run", "tiny.toml", "-q", "--overwrite", "--plugin", library("faulty_scheduler"), "--set",
       "scheduler.actor=faulty", "--set", "scheduler.faulty.fault=exits", "--set", "clock=real",
       "--set", "schedulers=8", "--set", "workload.phases=[{length=\"5s\", rate=3000}]"});
    CAPTURE(run.err);
    CHECK(run.code != 0);
    CHECK(contains(run.err, "troupe: plugin 'faulty' ("));
    CHECK(contains(run.err, "): its code ended the program"));
  }
}
#endif

TEST_CASE("a plugin's scheduler gives the run its name") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"run", "tiny.toml", "--plugin", library("faulty_scheduler"), "--set",
                             "scheduler.actor=faulty"});
  CAPTURE(run.out);
  CHECK(run.code == 0);
  CHECK(contains(run.out, "tiny: faulty, virtual time"));
}

TEST_CASE("a plugin's scheduler that makes a mistake is caught in real time, too") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto run = here.run({"run", "tiny.toml", "-q", "--plugin", library("faulty_scheduler"),
                             "--set", "scheduler.actor=faulty", "--set",
                             "scheduler.faulty.fault=twice", "--set", "clock=real"});
  CAPTURE(run.err);
  CHECK(run.code == 1);
  CHECK(contains(run.err, "a second time: it is committed already on machine "));
}

TEST_CASE("policies lists plugins with their settings, for people and for programs") {
  const scratch here;
  const auto table = here.run({"policies", "--plugin", library("faulty_policy")});
  CHECK(table.code == 0);
  CHECK(contains(table.out, "faulty "));
  CHECK(contains(table.out, "policy.faulty.level = 0.5: does nothing [0 .. 1]"));
  CHECK(contains(table.out, "policy.tau = 1500ms"));
  const auto listed =
    nlohmann::json::parse(
      here.run({"policies", "--json", "--plugin", library("faulty_scheduler")}).out)
      .at("plugins");
  const auto named = [&](const char* name) {
    return *std::ranges::find_if(listed, [&](const auto& p) { return p.at("name") == name; });
  };
  CHECK(named("adaptive").at("plugin").is_null());
  CHECK(named("adaptive").at("settings").at(0).at("key") == "policy.tau");
  CHECK(named("adaptive").at("settings").at(0).at("default") == "1500ms");
  CHECK(named("faulty").at("kind") == "scheduler-actor");
  CHECK(named("faulty").at("settings").at(0).at("key") == "scheduler.faulty.fault");
}

TEST_CASE("check policy passes what conforms and fails what does not") {
  const scratch here;
  CHECK(here.run({"check", "policy", "random-fit"}).code == 0);
  const auto plugin = library("faulty_policy");
  const auto good = here.run({"check", "policy", "faulty", "--plugin", plugin});
  CAPTURE(good.out);
  CHECK(good.code == 0);
  CHECK(contains(good.out, "us per decision"));
  const auto bad = here.run(
    {"check", "policy", "faulty", "--plugin", plugin, "--set", "policy.faulty.fault=misfit"});
  CHECK(bad.code == 1);
  CHECK(contains(bad.out, "FAIL  picks machines with room that pass the filter"));
  CHECK(contains(bad.out, "FAIL  in a cluster: the run comes to its end"));
  CHECK(here.run({"check", "policy", "nobody"}).code == 2);
  CHECK(here.run({"check", "scheduler", "faulty", "--plugin", library("faulty_scheduler")}).code ==
        0);
}

TEST_CASE("compare gives its plugins to every run") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  const auto both = here.run({"compare", "tiny.toml", "--plugin", library("faulty_policy"), "--set",
                              "scheduler.policy=faulty", "--seeds", "2", "-q", "--format", "csv"});
  CAPTURE(both.err);
  CHECK(both.code == 0);
}

TEST_CASE("new scheduler writes a project as new policy does") {
  const scratch here;
  const auto made = here.run({"new", "scheduler", "my-own"});
  CHECK(made.code == 0);
  CHECK(contains(made.out, "my-own contains a working scheduler. Next:"));
  CHECK(contains(read_file(here.path() / "my-own" / "my_own.cpp"), "TROUPE_SCHEDULER_PLUGIN({"));
  for (const auto* file :
       {"CMakeLists.txt", "my_own.cpp", "my_own_test.cpp", "run.toml", "README.md"})
    CHECK_FALSE(contains(read_file(here.path() / "my-own" / file), "@"));
  const auto taken = here.run({"new", "scheduler", "placing"});
  CHECK(taken.code == 2);
  CHECK(contains(taken.err, "new scheduler: NAME 'placing' is that of a built-in scheduler"));
}

TEST_CASE("an experiment gives its plugins to every run") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  here.write("try.toml", "name = \"try\"\nbase = \"tiny.toml\"\n"
                         "set = [\"scheduler.policy=faulty\"]\n[[run]]\nname = \"a\"\n");
  const auto run = here.run({"experiment", "try.toml", "-q", "--plugin", library("faulty_policy")});
  CAPTURE(run.err);
  CHECK(run.code == 0);
  CHECK(here.run({"experiment", "try.toml", "-q"}).code == 2);
}

TEST_CASE("new policy writes a project, and does not write over one") {
  const scratch here;
  const auto made = here.run({"new", "policy", "my-own", "--out", "there"});
  CHECK(made.code == 0);
  CHECK(fs::exists(here.path() / "there" / "my_own.cpp"));
  CHECK(contains(read_file(here.path() / "there" / "my_own.cpp"), ".name = \"my-own\""));
  for (const auto* file : {"CMakeLists.txt", "my_own_test.cpp", "run.toml", "README.md"})
    CHECK_FALSE(contains(read_file(here.path() / "there" / file), "@"));
  const auto again = here.run({"new", "policy", "my-own", "--out", "there"});
  CHECK(again.code == 2);
  CHECK(contains(again.err, "there exists already; expected"));
  CHECK(here.run({"new", "policy", "My Own"}).code == 2);
  CHECK(here.run({"new", "policy", "best-fit"}).code == 2);
}

TEST_CASE("SIGHUP has a live emulation take the policy that its settings name now") {
  const scratch here;
  const std::string live = std::string{tiny_settings} + "[executor]\n";
  const auto with = [&](const std::string& policy) {
    auto text = live;
    text.replace(text.find("latency-first"), std::string{"latency-first"}.size(), policy);
    here.write("live.toml", text);
  };
  with("latency-first");
  program run{here.path(),
              {"--log-level", "info", "run", "live.toml", "-q", "--set", "clock=real", "--set",
               "workload.phases.0.length=60s", "--out", "out"}};
  REQUIRE(run.wait_for("run started"));
  with("luck");
  run.send_signal(SIGHUP);
  REQUIRE(run.wait_for("the policies do not change: live.toml:"));
  with("best-fit");
  run.send_signal(SIGHUP);
  REQUIRE(run.wait_for("live.toml was read again; the policies are now best-fit"));
  REQUIRE(run.wait_for("scheduler 1: policy best-fit (scan = 0) from now on"));
  run.send_signal(SIGINT);
  const auto end = run.wait();
  CAPTURE(end.err);
  CHECK(end.code == 130);
  const auto changes = summary_in(here.path() / "out").at("policy_changes");
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].at("from") == "latency-first");
  CHECK(changes[0].at("to") == "best-fit");
}

TEST_CASE("a signal ends a run whose policy loops, and says where it was") {
  const scratch here;
  here.write("tiny.toml", tiny_settings);
  program run{here.path(),
              {"run", "tiny.toml", "-q", "--plugin", library("faulty_policy"), "--set",
               "scheduler.policy=faulty", "--set", "policy.faulty.fault=loops"}};
  REQUIRE(run.wait_for("looping"));
  run.send_signal(SIGINT);
  const auto ended = run.wait();
  CAPTURE(ended.err);
  CHECK(ended.code == 130);
  CHECK(contains(ended.err, "of simulated time, while it handles a message to actor '"));
  CHECK(contains(ended.err, "there are no results"));
}
