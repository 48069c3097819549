#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a command runs and its end is told") {
  supervised here;
  const auto before = host_utc_ns();
  const auto end = here.run("1", supervised::shell("echo hello; echo oh >&2; exit 3"));
  CHECK(end.reason == end_reason::none);
  CHECK(end.exit_code == 3);
  CHECK(end.signal == 0);
  CHECK(here.out("1") == "hello\n");
  CHECK(here.err("1") == "oh\n");
  CHECK(end.out_bytes == 6);
  CHECK(end.err_bytes == 3);
  CHECK(end.started_ns >= before);
  CHECK(end.ended_ns >= end.started_ns);
  CHECK(end.max_rss_bytes > 100'000);
  CHECK(end.strays == 0);
}

TEST_CASE("exit codes and signals are not confused") {
  supervised here;
  const auto by_signal = here.run("1", supervised::shell("kill -9 $$"));
  CHECK(by_signal.exit_code == -1);
  CHECK(by_signal.signal == SIGKILL);
  CHECK_FALSE(by_signal.oom);
  const auto by_code = here.run("2", supervised::shell("exit 137"));
  CHECK(by_code.exit_code == 137);
  CHECK(by_code.signal == 0);
}

TEST_CASE("a command gets the environment, the directory and the streams that it should") {
  supervised here;
  auto spec = supervised::shell("pwd; env | sort | grep -v ^_; cat; ls -l /proc/self/fd | wc -l; "
                                "ps -o sid= -p $$ | tr -d ' '; echo $$; ulimit -c; ulimit -n");
  spec.env["NAME"] = "a value";
  spec.dir = "/usr";
  const auto end = here.run("1", spec);
  CHECK(end.exit_code == 0);
  std::ifstream in{here.folder("1").out()};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  REQUIRE(lines.size() >= 8);
  CHECK(lines[0] == "/usr");
  CHECK(lines[1] == "NAME=a value");
  CHECK(lines[2] == "PATH=/usr/bin:/bin");
  CHECK(lines[3] == "PWD=/usr");
  CHECK(lines[4] == "5"); // "total", three streams and the directory that ls reads
  CHECK(lines[5] == lines[6]);
  CHECK(lines[7] == "0");
  CHECK(std::stoi(lines[8]) <= 1024);
}

TEST_CASE("a command without a directory has one of its own") {
  supervised here;
  CHECK(here.run("1", supervised::shell("echo x > file; pwd")).exit_code == 0);
  CHECK(here.out("1") == here.folder("1").work().string() + "\n");
  CHECK(std::filesystem::exists(here.folder("1").work() / "file"));
}

TEST_CASE("it is said why a command cannot be started") {
  supervised here;
  const auto why = [&](const std::string& name, const command_spec& spec) {
    const auto end = here.run(name, spec);
    CHECK(end.reason == end_reason::exec_failed);
    CHECK(end.exit_code == -1);
    CHECK(end.started_ns == 0);
    return end.detail;
  };
  auto spec = supervised::shell("");
  spec.argv = {"no-such-program"};
  CHECK(why("1", spec) == "cannot execute no-such-program: No such file or directory");
  spec.argv = {"/etc/passwd"};
  CHECK(why("2", spec) == "cannot execute /etc/passwd: Permission denied");
  spec.argv = {"true"};
  spec.dir = "/no/such/place";
  CHECK(why("3", spec) == "cannot enter the directory /no/such/place: No such file or directory");
}

TEST_CASE("a command that the host cannot start is told from one that is wrong, and tried again") {
  supervised here;
  const auto group = here.path() / "groups" / "of" / "one";
  auto spec = supervised::shell("exit 3");
  spec.control_group = group.string();
  const auto end = here.run("1", spec);
  CHECK(end.reason == end_reason::host_failed);
  CHECK(end.started_ns == 0);
  CHECK(end.detail ==
        "cannot make the control group " + group.string() + ": No such file or directory");
  spec.start_patience_ms = 60'000;
  here.begin("2", spec);
  here.begin("3", spec).stop({end_reason::cancelled, 0});
  CHECK(here.end_of("3").reason == end_reason::cancelled);
  std::filesystem::create_directories(group);
  std::ofstream{group / "cgroup.procs"};
  const auto later = here.end_of("2");
  CHECK(later.reason == end_reason::none);
  CHECK(later.exit_code == 3);
  CHECK(later.detail.empty());
}

TEST_CASE("a command of another user may open its own output") {
  if (geteuid() != 0) {
    MESSAGE("skipped: needs root");
    return;
  }
  supervised here;
  auto spec = supervised::shell("echo out >/dev/stdout; echo err >/dev/stderr");
  spec.user = {"nobody", 65534, 65534, {65534}};
  CHECK(here.run("1", spec).exit_code == 0);
  CHECK(here.out("1") == "out\n");
  CHECK(here.err("1") == "err\n");
}

TEST_CASE("a program is looked for in the PATH that it gets") {
  supervised here;
  const auto place = here.path() / "bin";
  std::filesystem::create_directory(place);
  std::ofstream{place / "hidden"} << "not executable";
  std::filesystem::create_directory(here.path() / "bin2");
  std::ofstream{here.path() / "bin2" / "hidden"} << "#!/bin/sh\necho found\n";
  std::filesystem::permissions(here.path() / "bin2" / "hidden", std::filesystem::perms::owner_all);
  auto spec = supervised::shell("");
  spec.argv = {"hidden"};
  spec.env["PATH"] = place.string() + ":" + (here.path() / "bin2").string();
  CHECK(here.run("1", spec).exit_code == 0);
  CHECK(here.out("1") == "found\n");
}

TEST_CASE("many commands run at a time") {
  supervised here;
  constexpr int many = 100;
  for (int i = 0; i < many; ++i)
    here.begin(std::to_string(i),
               supervised::shell("read x < ../../go; exit $((" + std::to_string(i) + " % 7))"));
  // All of them are there before the first one ends.
  for (int i = 0; i < many; ++i)
    here.wait_for_start(std::to_string(i));
  std::ofstream{here.path() / "go"} << "x\n";
  for (int i = 0; i < many; ++i)
    CHECK(here.end_of(std::to_string(i)).reason == end_reason::none);
}

TEST_CASE("an attempt has one supervisor, and begins once") {
  supervised here;
  auto page = here.begin("1", supervised::shell("echo run; exec sleep 100"));
  here.wait_for_start("1");
  const auto command = page.command();
  supervisor_client{
    {TROUPE_BINARY_DIR "/tests/process/test_supervisors", "0"}, here.path(), here.path() / "log2"}
    .start("1");
  page.stop({end_reason::cancelled, 0});
  here.folder("1").page().wake();
  CHECK(here.end_of("1").signal == SIGKILL);
  CHECK_FALSE(is_alive(command));
  CHECK(here.out("1") == "run\n");
}

TEST_CASE("a supervisor that the host has no room for is started once it has") {
  supervised here;
  std::ofstream{here.path() / "full"};
  const auto page = here.begin("1", supervised::shell("exit 3"));
  const auto log = [&] {
    std::ifstream in{here.path() / "log"};
    return std::string{std::istreambuf_iterator<char>{in}, {}};
  };
  const std::string told = "troupe: cannot make a process for the supervisor of 1: "
                           "Resource temporarily unavailable; tried again\n";
  CHECK(eventually([&] { return log() == told; }));
  CHECK_FALSE(page.was_held());
  std::filesystem::remove(here.path() / "full");
  CHECK(here.end_of("1").exit_code == 3);
  CHECK(page.was_held());
  CHECK(log() == told); // once
}
