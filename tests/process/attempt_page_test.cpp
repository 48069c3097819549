#include "process/attempt/attempt_page.hpp"
#include "process/supervised.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <stdexcept>

using namespace troupe;
using troupe::test::supervised;

TEST_CASE("both sides of the page of an attempt see what the other writes") {
  const supervised here;
  auto node = attempt_page::create(here.path() / "state", "what");
  auto other = attempt_page::open(here.path() / "state");
  CHECK(other.is_of_this_boot());
  CHECK(other.spec() == "what");
  CHECK(other.at() == attempt_page::phase::prepared);
  CHECK(other.deadline() == 0);
  CHECK_FALSE(other.end());
  CHECK_FALSE(other.stop_asked());

  node.set_deadline(77);
  CHECK(other.deadline() == 77);
  CHECK_FALSE(node.is_held());
  CHECK(other.hold());
  CHECK(node.is_held());
  CHECK(attempt_page::is_held(here.path() / "state"));
  CHECK_FALSE(node.hold());

  node.stop({end_reason::drain, 250});
  node.stop({end_reason::cancelled, 1});
  REQUIRE(other.stop_asked());
  CHECK(other.stop_asked()->reason == end_reason::drain);
  CHECK(other.stop_asked()->grace_ms == 1);
  node.stop({end_reason::preempted, 2'000});
  CHECK(other.stop_asked()->grace_ms == 1);

  other.begins(4711, 5);
  CHECK(node.at() == attempt_page::phase::running);
  CHECK(node.command() == 4711);
  command_end how;
  how.reason = end_reason::drain;
  how.exit_code = -1;
  how.signal = 15;
  how.core = true;
  how.started_ns = 5;
  how.ended_ns = 9;
  how.user_us = 1;
  how.system_us = 2;
  how.max_rss_bytes = 3;
  how.out_bytes = 4;
  how.err_bytes = 6;
  how.strays = 7;
  how.detail = std::string(2'000, 'x');
  other.ends(how);
  const auto end = node.end();
  REQUIRE(end);
  CHECK(end->reason == how.reason);
  CHECK(end->exit_code == -1);
  CHECK(end->signal == 15);
  CHECK(end->core);
  CHECK_FALSE(end->oom);
  CHECK(end->started_ns == 5);
  CHECK(end->ended_ns == 9);
  CHECK(end->user_us == 1);
  CHECK(end->system_us == 2);
  CHECK(end->max_rss_bytes == 3);
  CHECK(end->out_bytes == 4);
  CHECK(end->err_bytes == 6);
  CHECK(end->strays == 7);
  CHECK(end->detail == std::string(499, 'x'));
}

TEST_CASE("a page is made once, and other files are refused") {
  const supervised here;
  attempt_page::create(here.path() / "state", "what");
  CHECK_THROWS(attempt_page::create(here.path() / "state", "what"));
  CHECK_THROWS(attempt_page::open(here.path() / "none"));
  std::ofstream{here.path() / "short"} << "x";
  CHECK_THROWS_AS(attempt_page::open(here.path() / "short"), std::runtime_error);
  std::ofstream{here.path() / "other"} << std::string(4096, 'x');
  CHECK_THROWS_AS(attempt_page::open(here.path() / "other"), std::runtime_error);
}
