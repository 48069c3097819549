#include "process/command/control_group.hpp"
#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a command that runs too long is asked to end, and killed") {
  supervised here;
  auto spec = supervised::shell("exec sleep 1000");
  spec.time_limit_ms = 200;
  const auto polite = here.run("1", spec);
  CHECK(polite.reason == end_reason::time_limit);
  CHECK(polite.signal == SIGTERM);
  CHECK(polite.ended_ns - polite.started_ns >= 190'000'000);
  spec.argv.back() = "trap '' TERM; while :; do sleep 0.01; done";
  spec.grace_ms = 100;
  const auto stubborn = here.run("2", spec);
  CHECK(stubborn.reason == end_reason::time_limit);
  CHECK(stubborn.signal == SIGKILL);
}

TEST_CASE("a supervisor rests while a command that ran too long may clean up") {
  supervised here;
  auto spec = supervised::shell("trap 'echo asked' TERM; while :; do sleep 0.01; done");
  spec.time_limit_ms = 100;
  spec.grace_ms = 1'000'000;
  auto page = here.begin("1", spec);
  REQUIRE(eventually([&] { return here.out("1") == "asked\n"; }));
  const auto supervisor = supervised::parent_of(page.command());
  const auto until = supervised::in(1);
  const auto before = cpu_time_of(supervisor);
  REQUIRE(eventually([&] { return boot_clock_ns() > until; }));
  CHECK(cpu_time_of(supervisor) - before < 150'000'000);
}

TEST_CASE("a command that writes without end fills no disk") {
  supervised here;
  auto spec = supervised::shell("yes 0123456789 | head -c 300000000; echo; echo the end");
  spec.output_limit_bytes = 1 << 20;
  const auto end = here.run("1", spec);
  CHECK(end.reason == end_reason::none);
  CHECK(end.exit_code == 0);
  CHECK(end.out_bytes == 300'000'009);
  struct stat of {};
  REQUIRE(stat(here.folder("1").out().c_str(), &of) == 0);
  CHECK(of.st_blocks * 512 < 3 << 20);
  std::ifstream in{here.folder("1").out()};
  in.seekg(-8, std::ios::end);
  std::string last;
  std::getline(in, last);
  CHECK(last == "the end");
}

TEST_CASE("a command that takes too much memory is killed, its neighbour is not") {
  supervised here;
  auto neighbour = here.begin("0", supervised::shell("exec sleep 1000"));
  here.wait_for_start("0");
  auto spec = supervised::shell("exec python3 -c 'import time; x = bytearray(200_000_000); "
                                "time.sleep(1000)'");
  spec.memory_bytes = 64 << 20;
  const auto end = here.run("1", spec);
  CHECK(end.reason == end_reason::memory_limit);
  CHECK(end.oom);
  CHECK(end.signal == SIGKILL);
  CHECK(is_alive(neighbour.command()));
}

TEST_CASE("a command in a control group ends with all of the group") {
  const auto place = prepare_group_of_commands();
  if (!place) {
    MESSAGE("no control group may be made here: the case is skipped");
    return;
  }
  supervised here;
  auto spec = supervised::shell("setsid sh -c 'trap \"\" TERM; while :; do sleep 0.01; done' & "
                                "cat /proc/self/cgroup; exit 4");
  spec.control_group = (place->directory / ("troupe-test-" + std::to_string(getpid()))).string();
  const auto end = here.run("1", spec);
  CHECK(end.reason == end_reason::none);
  CHECK(end.exit_code == 4);
  CHECK(end.strays >= 1);
  CHECK(here.out("1").find("troupe-test-") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(spec.control_group));
}

TEST_CASE("a control group is made although the group above it was removed") {
  const auto place = prepare_group_of_commands();
  if (!place) {
    MESSAGE("no control group may be made here: the case is skipped");
    return;
  }
  const auto above = place->directory / ("troupe-above-" + std::to_string(getpid()));
  const control_group group{above / "1", {}};
  CHECK(group.is_empty());
  CHECK(group.remove());
  CHECK(rmdir(above.c_str()) == 0);
  CHECK_THROWS(control_group(above / "2" / "3" / "4", {}));
}

TEST_CASE("a small share of a processor is a quota that the kernel takes") {
  CHECK(cpu_quota(2.5) == "250000 100000");
  CHECK(cpu_quota(0.5) == "50000 100000");
  CHECK(cpu_quota(0.01) == "1000 100000");
  CHECK(cpu_quota(0.005) == "1000 200000");
  CHECK(cpu_quota(0.003) == "1000 333334");
  CHECK(cpu_quota(0.001) == "1000 1000000");
  CHECK(cpu_quota(0.0001) == "1000 1000000");
}

TEST_CASE("a limit that the kernel refuses is told once") {
  namespace fs = std::filesystem;
  const auto place = fs::temp_directory_path() / ("troupe-refused-" + std::to_string(getpid()));
  fs::create_directories(place);
  std::ofstream{place / "cpu.max"} << "max 100000";
  CHECK(control_group(place, {.cpu = 0.005}).limits_cpu());
  std::string text;
  std::getline(std::ifstream{place / "cpu.max"}, text);
  CHECK(text == "1000 200000");

  fs::remove(place / "cpu.max");
  fs::create_symlink("/dev/full", place / "cpu.max"); // each write fails
  std::fflush(stderr);
  const auto usual = dup(STDERR_FILENO);
  const auto log = open((place / "log").c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(log, STDERR_FILENO);
  const control_group first{place, {.cpu = 2}};
  const control_group second{place, {.cpu = 2}};
  std::fflush(stderr);
  dup2(usual, STDERR_FILENO);
  close(usual);
  close(log);
  CHECK_FALSE(first.limits_cpu());
  CHECK_FALSE(second.limits_cpu());
  std::ifstream told{place / "log"};
  std::getline(told, text);
  CHECK(text.starts_with("troupe: the kernel refuses \"200000 100000\" in " +
                         (place / "cpu.max").string() + ": No space left on device; expected"));
  CHECK_FALSE(std::getline(told, text));
  fs::remove_all(place);
}
