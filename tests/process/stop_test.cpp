#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>

using namespace troupe;
using namespace troupe::test;

namespace {

/// A script that has written its line is ready for what comes.
void wait_for_out(const supervised& here, const std::string& name, const std::string& text) {
  REQUIRE(eventually([&] { return here.out(name) == text; }));
}

pid_t pid_in(const std::filesystem::path& file) {
  pid_t pid = 0;
  REQUIRE(eventually([&] { return static_cast<bool>(std::ifstream{file} >> pid); }));
  return pid;
}

} // namespace

TEST_CASE("a command that is cancelled may clean up") {
  supervised here;
  auto page = here.begin("1", supervised::shell("trap 'echo bye; exit 7' TERM; echo ready; "
                                                "while :; do sleep 0.01; done"));
  wait_for_out(here, "1", "ready\n");
  page.stop({end_reason::cancelled, 15'000});
  here.folder("1").page().wake();
  const auto end = here.end_of("1");
  CHECK(end.reason == end_reason::cancelled);
  CHECK(end.exit_code == 7);
  CHECK(here.out("1") == "ready\nbye\n");
}

TEST_CASE("a command that ignores SIGTERM is killed after its grace period") {
  supervised here;
  auto page = here.begin("1", supervised::shell("trap '' TERM; echo ready; "
                                                "while :; do sleep 0.01; done"));
  wait_for_out(here, "1", "ready\n");
  const auto asked = host_utc_ns();
  page.stop({end_reason::cancelled, 300});
  here.folder("1").page().wake();
  const auto end = here.end_of("1");
  CHECK(end.reason == end_reason::cancelled);
  CHECK(end.signal == SIGKILL);
  CHECK(end.ended_ns - asked >= 290'000'000);
}

TEST_CASE("a command that forks without end is killed with all its processes") {
  supervised here;
  // Each process starts another one in a session of its own, and ends.
  std::ofstream{here.path() / "hydra"} << "echo $$ >> " << (here.path() / "pids").string()
                                       << "\ntrap '' TERM\nsetsid sh "
                                       << (here.path() / "hydra").string() << " &\nsleep 0.02\n";
  auto page =
    here.begin("1", supervised::shell("trap '' TERM; sh " + (here.path() / "hydra").string() +
                                      "; while :; do sleep 0.01; done"));
  REQUIRE(eventually([&] {
    std::ifstream in{here.path() / "pids"};
    int n = 0;
    for (std::string line; std::getline(in, line);)
      ++n;
    return n >= 20;
  }));
  page.stop({end_reason::cancelled, 0});
  here.folder("1").page().wake();
  CHECK(here.end_of("1").reason == end_reason::cancelled);
  std::ifstream in{here.path() / "pids"};
  for (pid_t pid = 0; in >> pid;)
    CHECK_FALSE(is_alive(pid));
}

TEST_CASE("what a command leaves in the background ends with it, and does not delay its end") {
  supervised here;
  const auto end =
    here.run("1", supervised::shell("setsid sh -c 'echo $$ > stray; exec sleep 1000' & "
                                    "while ! test -s stray; do :; done; echo done"));
  CHECK(end.reason == end_reason::none);
  CHECK(end.exit_code == 0);
  CHECK(end.strays >= 1);
  CHECK(here.out("1") == "done\n");
  CHECK_FALSE(is_alive(pid_in(here.folder("1").work() / "stray")));
}

TEST_CASE("a wish that comes before the start is heeded") {
  supervised here;
  auto page = here.folder("1").create(supervised::shell("echo no"), attempt_page::forever);
  page.stop({end_reason::cancelled, 0});
  supervisor_client client{
    {TROUPE_BINARY_DIR "/tests/process/test_supervisors", "0"}, here.path(), here.path() / "log"};
  client.start("1");
  REQUIRE(eventually([&] { return page.end().has_value(); }));
  CHECK(page.end()->reason == end_reason::cancelled);
  CHECK(page.end()->started_ns == 0);
  CHECK(here.out("1").empty());
}
