#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("with its supervisor a command is killed, and what it has started") {
  supervised here;
  auto page = here.begin("1", supervised::shell("setsid sh -c 'echo $$ > stray; exec sleep 1000' "
                                                "& exec sleep 1000"));
  here.wait_for_start("1");
  pid_t stray = 0;
  REQUIRE(eventually(
    [&] { return static_cast<bool>(std::ifstream{here.folder("1").work() / "stray"} >> stray); }));
  const auto command = page.command();
  kill(supervised::parent_of(command), SIGKILL);
  CHECK(eventually([&] { return !is_alive(command) && !is_alive(stray); }));
  CHECK_FALSE(page.is_held());
  CHECK(page.at() == attempt_page::phase::running); // how it ended is not known
}

TEST_CASE("commands survive the process that starts supervisors, and another is started") {
  supervised here;
  auto page = here.begin("1", supervised::shell("while ! test -e ../../2; do sleep 0.01; done"));
  here.wait_for_start("1");
  const auto supervisor = supervised::parent_of(page.command());
  const auto server = supervised::parent_of(supervisor);
  kill(server, SIGKILL);
  REQUIRE(eventually([&] { return !is_alive(server); }));
  CHECK(is_alive(page.command()));
  CHECK(here.run("2", supervised::shell("exit 6")).exit_code == 6);
  REQUIRE(eventually([&] { return page.end().has_value(); }));
  CHECK(page.end()->exit_code == 0);
}

TEST_CASE("a client is at rest once the process that starts supervisors is gone") {
  supervised here;
  auto page = here.folder("1").create(supervised::shell("exec sleep 1000"), attempt_page::forever);
  supervisor_client client{
    {TROUPE_BINARY_DIR "/tests/process/test_supervisors", "0"}, here.path(), here.path() / "log"};
  client.start("1");
  REQUIRE(eventually([&] { return page.at() == attempt_page::phase::running; }));
  const auto server = supervised::parent_of(supervised::parent_of(page.command()));
  kill(server, SIGKILL);
  page.stop({end_reason::cancelled, 0});
  page.wake();
  CHECK(eventually([&] {
    client.take_notes();
    return client.fd() == -1;
  }));
  CHECK(kill(server, 0) == -1); // not even a zombie is left
  here.folder("2").create(supervised::shell("exit 6"), attempt_page::forever);
  client.start("2");
  CHECK(client.fd() >= 0);
  REQUIRE(eventually([&] { return here.folder("2").page().end().has_value(); }));
  CHECK(here.folder("2").page().end()->exit_code == 6);
}

TEST_CASE("a supervisor that stands still ends its command late, but does") {
  supervised here;
  auto page = here.begin("1", supervised::shell("exec sleep 1000"), supervised::in(1));
  here.wait_for_start("1");
  const auto supervisor = supervised::parent_of(page.command());
  kill(supervisor, SIGSTOP);
  CHECK(eventually([&] { return boot_clock_ns() > page.deadline(); }));
  CHECK(is_alive(page.command()));
  kill(supervisor, SIGCONT);
  CHECK(here.end_of("1").reason == end_reason::lease);
}

TEST_CASE("commands end with the process that they are tied to") {
  supervised here;
  auto other = here.begin("1", supervised::shell("exec sleep 1000"));
  here.wait_for_start("1");
  here.disconnect();
  here.reconnect(other.command());
  auto tied = here.begin("2", supervised::shell("trap '' TERM; while :; do sleep 0.01; done"));
  here.wait_for_start("2");
  other.stop({end_reason::cancelled, 0});
  here.folder("1").page().wake();
  CHECK(here.end_of("2").signal == SIGKILL);
}
