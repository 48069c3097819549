#include "actors/scheduler/commits/commit_sender.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "a batch is cut into a commit for each owner") {
  submit(1, 2);
  submit(2, 2);
  const auto sent = place(); // on machines 0 and 2
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].first == 0);
  CHECK(sent[0].second.placements.size() == 2);
  CHECK(sent[1].first == 1);
  CHECK(sent[1].second.mode == commit_mode::each);
  CHECK(parts.batch.empty());
  CHECK(parts.counters.own().commits == 2);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a gang on several owners has commits of its own to be held") {
  submit(1, 3, true);
  submit(2, 1);
  const auto sent = place(); // the gang on machines 0 and 2, the other one on machine 2
  REQUIRE(sent.size() == 3);
  CHECK(sent[0].second.mode == commit_mode::hold);
  CHECK(sent[1].second.mode == commit_mode::hold);
  CHECK(sent[2].second.mode == commit_mode::each);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a commit is sent again while no answer comes") {
  submit(1, 1);
  const auto sent = place().at(0);
  const auto timeout = parts.setup.limits.commit_timeout;
  CHECK(parts.sender.send_overdue(instant{0} + timeout - 1ms).empty());
  const auto again = parts.sender.send_overdue(instant{0} + timeout);
  REQUIRE(again.size() == 1);
  CHECK(again[0].second.id == sent.second.id);
  CHECK(parts.counters.own().retransmits == 1);
  grant(sent, 3s);
  CHECK(parts.sender.send_overdue(1h).empty());
}
