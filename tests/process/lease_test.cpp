#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <csignal>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("a command ends when nobody renews its lease") {
  supervised here;
  const auto deadline = supervised::in(0.3);
  auto page =
    here.begin("1", supervised::shell("trap '' TERM; while :; do sleep 0.01; done"), deadline);
  const auto end = here.end_of("1");
  CHECK(boot_clock_ns() >= deadline);
  CHECK(end.reason == end_reason::lease);
  CHECK(end.signal == SIGKILL);
}

TEST_CASE("a command goes on while its lease is renewed") {
  supervised here;
  auto page = here.begin("1", supervised::shell("exec sleep 1000"), supervised::in(0.5));
  here.wait_for_start("1");
  const auto until = supervised::in(1.5);
  while (boot_clock_ns() < until) {
    page.set_deadline(supervised::in(0.5));
    CHECK(eventually([&] { return boot_clock_ns() > page.deadline() - 400'000'000; }));
  }
  CHECK_FALSE(page.end());
  const auto last = page.deadline();
  CHECK(here.end_of("1").reason == end_reason::lease);
  CHECK(boot_clock_ns() >= last);
}

TEST_CASE("a command whose lease is over does not start") {
  supervised here;
  here.begin("1", supervised::shell("echo no"), supervised::in(-1));
  const auto end = here.end_of("1");
  CHECK(end.reason == end_reason::lease);
  CHECK(end.started_ns == 0);
  CHECK(here.out("1").empty());
}

TEST_CASE("the lease does not wait for the grace period of another wish") {
  supervised here;
  auto page = here.begin("1", supervised::shell("trap '' TERM; echo ready; "
                                                "while :; do sleep 0.01; done"));
  REQUIRE(eventually([&] { return here.out("1") == "ready\n"; }));
  page.stop({end_reason::cancelled, 1'000'000});
  page.set_deadline(supervised::in(0.2));
  here.folder("1").page().wake();
  const auto end = here.end_of("1");
  CHECK(end.reason == end_reason::cancelled);
  CHECK(end.signal == SIGKILL);
}

TEST_CASE("a command lives on without its node, and its end is found later") {
  supervised here;
  auto page = here.begin("1", supervised::shell("while ! test -e ../../go; do sleep 0.01; done; "
                                                "exit 5"));
  here.wait_for_start("1");
  here.disconnect();
  CHECK(is_alive(page.command()));
  CHECK(page.is_held());
  here.reconnect();
  CHECK(here.run("go", supervised::shell("exit 0")).exit_code == 0);
  REQUIRE(eventually([&] { return page.end().has_value(); }));
  CHECK(page.end()->exit_code == 5);
  CHECK(page.end()->reason == end_reason::none);
}
