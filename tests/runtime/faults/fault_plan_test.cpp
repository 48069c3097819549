#include "runtime/faults/fault_plan.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

constexpr const char* small_cluster = R"(
schedulers = 2
[cluster]
machines = 8
partitions = 4
owners = 2
[workload]
phases = [{ length = "60s", rate = 2 }]
)";

std::vector<fault> plan_of(const std::string& faults, const std::string& before = "") {
  return planned_faults(parse_settings(before + small_cluster + faults, "f.toml"));
}

} // namespace

TEST_CASE("failures at given times are planned in their order") {
  const auto plan = plan_of(R"(
[[faults.at]]
kind = "kill"
target = "machine.3"
time = "5s"
duration = "2s"
[[faults.at]]
kind = "loss"
target = "owner.*"
other = "scheduler.1"
loss = 0.25
time = "1s"
duration = "0s"
)");
  REQUIRE(plan.size() == 2);
  CHECK(to_string(plan[0]) == "loss owner.* | scheduler.1 of 25 % from 1 s on");
  CHECK(to_string(plan[1]) == "kill machine.3 from 5 s to 7 s");
}

TEST_CASE("failures at random times have the means that were asked for") {
  for (const auto* how : {"distribution = \"exponential\"", "distribution = \"weibull\"\nshape = 2",
                          "distribution = \"weibull\"\n"
                          "shape = 0.7"}) {
    CAPTURE(how);
    const auto plan = plan_of(std::string{"[faults]\nuntil = \"40000s\"\n[[faults.random]]\n"
                                          "role = \"machine\"\nmttf = \"100s\"\nmttr = \"10s\"\n"} +
                              how);
    // 8 machines, each with a failure in 110 s.
    CHECK(static_cast<double>(plan.size()) == doctest::Approx(8 * 40000 / 110.0).epsilon(0.08));
    double repair = 0;
    for (const auto& f : plan) {
      CHECK(f.what == role::machine);
      repair += to_seconds(f.to - f.from);
    }
    CHECK(repair / static_cast<double>(plan.size()) == doctest::Approx(10).epsilon(0.08));
    CHECK(std::is_sorted(plan.begin(), plan.end(),
                         [](const fault& a, const fault& b) { return a.from < b.from; }));
  }
}

TEST_CASE("members that live for centuries do not die at once") {
  const auto members = [](const char* mean) {
    return std::string{"[[faults.random]]\nrole = \"machine\"\nmttf = \""} + mean + "\"\n";
  };
  std::string cluster = small_cluster;
  cluster.replace(cluster.find("machines = 8"), 12, "machines = 2000");
  const auto plan_for = [&](const std::string& faults, const std::string& before) {
    return planned_faults(parse_settings(before + cluster + faults, "f.toml"));
  };
  for (const std::string how : {"", "distribution = \"weibull\"\nshape = 2\n"}) {
    CAPTURE(how);
    CHECK(plan_for(members("876000h") + how, "duration = \"60s\"\n").empty());
  }
  // Nor does a repair of centuries end before its failure.
  const auto plan = plan_for(members("1h") + "mttr = \"876000h\"\n", "duration = \"60s\"\n");
  CHECK(plan.size() > 10);
  for (const auto& f : plan) {
    CHECK(f.from < 60s);
    CHECK(f.to > f.from);
  }
}

TEST_CASE("failures are read from a trace") {
  const auto file = std::filesystem::temp_directory_path() /
                    ("troupe-faults-" + std::to_string(::getpid()) + ".txt");
  const auto write = [&](const std::string& text) { std::ofstream{file} << text; };
  const auto trace = "[faults]\ntrace = \"" + file.string() + "\"\n";
  write("# time kind target duration\n1.5 kill machine.2 60\n\n0.25 freeze master 0 # for good\n");
  const auto plan = plan_of(trace);
  REQUIRE(plan.size() == 2);
  CHECK(to_string(plan[0]) == "freeze master from 0.25 s on");
  CHECK(to_string(plan[1]) == "kill machine.2 from 1.5 s to 61.5 s");
  for (const auto* bad : {"x kill machine.1 5\n", "1 cut machine.1 5\n", "1 kill machine.1\n",
                          "1 kill machine.1 5 6\n", "-1 kill machine.1 5\n"}) {
    write(bad);
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS(plan_of(trace), doctest::Contains((file.string() + ":1: '").c_str()),
                         std::runtime_error);
  }
  write("1 kill machine.8 5\n");
  CHECK_THROWS_WITH_AS(
    plan_of(trace),
    doctest::Contains((file.string() + ":1: there is no 'machine.8'; expected master, ").c_str()),
    std::runtime_error);
  CHECK_THROWS_WITH_AS(plan_of(trace), doctest::Contains("machine.N with N from 0 to 7"),
                       std::runtime_error);
  write("1 drain owner.1 5\n");
  CHECK_THROWS_WITH_AS(plan_of(trace), doctest::Contains("'owner.1' cannot be drained"),
                       std::runtime_error);
  std::filesystem::remove(file);
  CHECK_THROWS_WITH_AS(plan_of(trace), doctest::Contains("cannot read the failures in"),
                       std::runtime_error);
}

TEST_CASE("members show signs of life where something fails, or it is asked for") {
  const auto watches = [](const std::string& text) {
    return watches_failures(parse_settings(small_cluster + text, "f.toml"));
  };
  CHECK_FALSE(watches(""));
  CHECK(watches("[failures]\nwatch = \"on\""));
  CHECK(watches("[[faults.at]]\n"));
  CHECK_FALSE(watches("[failures]\nwatch = \"off\""));
}

TEST_CASE("failures of machines that a trace does not have are refused when it is read") {
  const auto with = [](const std::string& fault) {
    auto settings = parse_settings("schedulers = 2\n[cluster]\npartitions = 1\nowners = 1\n"
                                   "[cluster.trace]\nfile = \"m.swf\"\n[[workload.phases]]\n"
                                   "length = \"60s\"\nrate = 2\n[[faults.at]]\n" +
                                     fault,
                                   "f.toml");
    settings.cluster.machines = 1200; // those of the trace
    return planned_faults(settings);
  };
  CHECK(with("target = \"machine.1199\"").size() == 1); // more than the default has
  CHECK(with("kind = \"cut\"\ntarget = \"machine.1*\"\nother = \"machine.3\"").size() == 1);
  for (const auto* bad :
       {"kind = \"kill\"\ntarget = \"machine.1200\"", "kind = \"drain\"\ntarget = \"machine.1200\"",
        "kind = \"cut\"\ntarget = \"machine.1200\"\nother = \"*\""}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS(with(bad),
                         doctest::Contains("key 'faults.at.0.target': there is no 'machine.1200'; "
                                           "expected master, "),
                         std::runtime_error);
    CHECK_THROWS_WITH(with(bad), doctest::Contains("machine.N with N from 0 to 1199"));
  }
  CHECK_THROWS_WITH(with("kind = \"loss\"\ntarget = \"*\"\nother = \"machine.1300\""),
                    doctest::Contains("key 'faults.at.0.other': there is no 'machine.1300'"));
}

TEST_CASE("chaos has the failures of the settings beside the seed's, or these alone") {
  const std::string at = "[[faults.at]]\ntarget = \"machine.3\"\ntime = \"5s\"\n";
  auto settings = parse_settings(small_cluster + at + "[chaos]\nfaults = 0\n", "f.toml");
  REQUIRE(chaos_faults(settings).size() == 1);
  CHECK(to_string(chaos_faults(settings).front()) == "kill machine.3 from 5 s to 10 s");
  settings.chaos.faults = 4;
  CHECK(chaos_faults(settings).size() > 1);
}

TEST_CASE("chaos drains machines, and has the same other failures if it does not") {
  auto settings = parse_settings(std::string{small_cluster} + "[chaos]\nfaults = 9\n", "f.toml");
  auto without = settings;
  std::erase(without.chaos.kinds, chaos_kind::drain);
  std::size_t drains = 0;
  for (settings.seed = 1; settings.seed <= 20; ++settings.seed) {
    without.seed = settings.seed;
    std::vector<std::string> others;
    for (const auto& f : chaos_faults(settings))
      if (f.kind == fault_kind::drain) {
        ++drains;
        CHECK(f.what == role::machine);
        CHECK(f.number < 8);
        CHECK(f.to > f.from);
      } else {
        others.push_back(to_string(f));
      }
    std::vector<std::string> all;
    for (const auto& f : chaos_faults(without))
      all.push_back(to_string(f));
    CHECK(others == all);
  }
  CHECK(drains > 10);
}

TEST_CASE("only machines are drained") {
  const std::string drain = "[[faults.at]]\nkind = \"drain\"\ntime = \"5s\"\ntarget = ";
  const auto plan = plan_of(drain + "\"machine.3\"\n");
  REQUIRE(plan.size() == 1);
  CHECK(to_string(plan[0]) == "drain machine.3 from 5 s to 10 s");
  CHECK_THROWS_WITH(plan_of(drain + "\"owner.1\"\n"),
                    doctest::Contains("machine.N with N from 0 to 7, which alone can be drained"));
}
