#include "actors/scheduler/recovery/reconciliation.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "a statement answers commits and tells of lost tasks") {
  watch_failures();
  submit(1, 2);
  grant(place().at(0)); // machine 0
  submit(2, 2);
  REQUIRE(place(1s).at(0).first == 1); // under way to machine 2
  owner_statement second{1, session_base(1, 1), {{{2, 0}, 2}}};
  CHECK(parts.sessions.begin_session(second, 2s).empty());
  CHECK(parts.commits.placements() == 0);
  CHECK(counts().running == 3); // 2.0 was granted, 2.1 was not
  CHECK(counts().queued == 1);
  CHECK(parts.reports.seen(1) == session_base(1, 1) + 1);
  owner_statement first{0, session_base(1, 1), {{{1, 0}, 0}}};
  parts.sessions.begin_session(first, 2s);
  CHECK(counts().running == 2);
  CHECK(counts().queued == 2);
  CHECK(parts.counters.balanced(0));
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "a commit may have been granted on a machine that is unknown") {
  watch_failures();
  submit(1, 1);
  place();
  owner_statement statement{0, session_base(1, 1)};
  statement.unknown = {0};
  parts.sessions.begin_session(statement, 2s);
  CHECK(counts().running == 1);
  CHECK(counts().placed == 0);
  CHECK(parts.failover->unsure.contains({1, 0}));
}
