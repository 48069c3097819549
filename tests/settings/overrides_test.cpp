#include "settings/reading.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;

TEST_CASE("an override wins over the file, and the file over the default") {
  const auto text = "[sync]\ngap = \"2s\"\n" + one_phase;
  CHECK(parsed(one_phase).sync.gap == 1s);
  CHECK(parsed(text).sync.gap == 2s);
  CHECK(parsed(text, {"sync.gap=\"3s\""}).sync.gap == 3s);
  CHECK(parsed(text, {"sync.gap=3s", "sync.gap=4s"}).sync.gap == 4s);
}

TEST_CASE("an override is TOML, or else a bare text") {
  const auto s = parsed(one_phase, {"workload.file=../x y#z.tr", "name=\"quoted\"", "seed=7",
                                    "policy.tau=2s", "duration=0", "policy.ema_weight=0.25",
                                    "workload.duration_per_job=true", "network.loss=1e-3",
                                    "workload.duration={ kind = \"quantiles\", levels = [0, 1], "
                                    "values = [1, 2] }"});
  CHECK(s.workload.file == "../x y#z.tr");
  CHECK(s.name == "quoted");
  CHECK(s.seed == 7);
  CHECK(s.policy.of("adaptive").get<duration>("tau") == 2s);
  CHECK(s.policy.of("adaptive").get<double>("ema_weight") == 0.25);
  CHECK(s.workload.duration_per_job);
  CHECK(s.network.loss == 0.001);
  CHECK(s.workload.duration.levels == std::vector<double>{0, 1});
  CHECK(parsed(one_phase, {"workload.file=a\nb = 1"}).workload.file == "a\nb = 1");
  CHECK(parsed(one_phase, {"workload.file="}).workload.file.empty());
  CHECK(parsed(one_phase, {"name=a\"b\\c"}).name == "a\"b\\c");
}

TEST_CASE("an override reaches into arrays and appends") {
  const auto text = one_phase + "[[groups]]\nname = \"a\"\nschedulers = 1\n"
                                "[[groups]]\nname = \"b\"\nschedulers = 2\n";
  const auto s = parsed(
    text, {"groups.1.schedulers=5", "workload.phases.0.load=0.9", "workload.phases.1.rate=3"});
  CHECK(s.schedulers == 6);
  CHECK(s.groups[1].schedulers == 5);
  REQUIRE(s.workload.phases.size() == 2);
  CHECK(s.workload.phases[0].load == 0.9);
  CHECK(s.workload.phases[1].rate == 3);
  CHECK(parsed("", {"workload.phases.0.rate=3"}).workload.phases.size() == 1);
  CHECK(parsed(one_phase, {"workload.duration.levels=[0,1]", "workload.duration.levels.1=0.5"})
          .workload.duration.levels == std::vector<double>{0, 0.5});
}

TEST_CASE("a bad override names itself") {
  const auto refused = [](const std::string& override_) { return refusal(one_phase, {override_}); };
  CHECK(refused("sync.gap=5") ==
        "--set sync.gap=5: key 'sync.gap': value 5; expected a duration with its unit: write "
        "\"5s\"");
  CHECK(refused("sync.gpa=5s") == "--set sync.gpa=5s: key 'sync.gpa' is unknown; expected 'gap'?");
  CHECK(refused("sync.gap") == "--set sync.gap: not an assignment; expected x.y=value");
  CHECK(refused("=3") == "--set =3: not an assignment; expected x.y=value");
  CHECK(refused("sync..gap=3s") == "--set sync..gap=3s: not an assignment; expected x.y=value");
  CHECK(refused("workload.phases.0.load.x=1") ==
        "--set workload.phases.0.load.x=1: key 'workload.phases.0.load' is 0.5; expected a table "
        "or an array");
  CHECK(refused("workload.phases.2.load=1") ==
        "--set workload.phases.2.load=1: '2' is no index of the array; expected 0 .. 1");
  CHECK(refused("workload.phases.last.load=1") ==
        "--set workload.phases.last.load=1: 'last' is no index of the array; expected 0 .. 1");
  CHECK(refused("name=\xff") == "--set name=\xff: the value is not UTF-8 text");
  CHECK(refused("cluster.machines=99") ==
        "--set cluster.machines=99: key 'cluster.partitions': value 100 (the default); expected "
        "1 .. 99, the number of machines");
  CHECK(refused("seed=1.5") == "--set seed=1.5: key 'seed': value 1.5; expected a whole number, "
                               "at least 0");
}

TEST_CASE("problems in the file come before those in overrides") {
  CHECK(refusal("seed = -1\n" + one_phase, {"name=1"}) ==
        "f.toml:1: key 'seed': value -1; expected a whole number, at least 0");
}

TEST_CASE("an override with += adds to an array") {
  const auto s = parsed(one_phase + "[workload.duration]\nkind = \"quantiles\"\n"
                                    "levels = [0, 1]\nvalues = [1]\n",
                        {"workload.duration.values+=2", "workload.phases+={ load = 0.25 }"});
  CHECK(s.workload.duration.values == std::vector<double>{1, 2});
  REQUIRE(s.workload.phases.size() == 2);
  CHECK(s.workload.phases[1].load == 0.25);
  CHECK(parsed("", {"workload.phases+={ load = 0.5 }"}).workload.phases.size() == 1);
}
