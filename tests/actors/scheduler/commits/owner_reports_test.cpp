#include "actors/scheduler/commits/owner_reports.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE_FIXTURE(scheduler_fixture, "reports that come too early are booked in their order") {
  CHECK(parts.reports.receive({1, 3, {}}) == 0);
  CHECK(parts.reports.receive({1, 2, {}}) == 0);
  CHECK(parts.reports.receive({1, 1, {}}) == 3);
  CHECK(parts.reports.seen(0) == 0);
  CHECK_THROWS(parts.reports.seen(2));
  CHECK_THROWS(parts.reports.receive({2, 1, {}}));
}

TEST_CASE_FIXTURE(scheduler_fixture, "an end that overtakes its grant is booked after it") {
  submit(1, 1);
  const auto sent = place().at(0);
  parts.reports.receive({0, 2, {}});
  parts.reports.receive({0, 1, {{{1, 0}, 0, task_outcome::finished, 2s}}});
  CHECK(parts.reports.seen(0) == 0);
  grant(sent, 1s);
  CHECK(counts().finished == 1);
  CHECK(parts.reports.seen(0) == 2);
  parts.reports.receive({0, 1, {{{1, 0}, 0, task_outcome::finished, 2s}}}); // it comes again
  CHECK(counts().finished == 1);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a session drops the reports of earlier ones, not its own") {
  watch_failures();
  auto& reports = parts.reports;
  const auto session = session_base(2, 1);
  reports.receive({0, 5, {}});
  reports.receive({0, session + 2, {}});
  reports.begin_session(0, session, reports.take_kept(0));
  CHECK(reports.seen(0) == session + 1);
  reports.statement_booked(0);
  CHECK(reports.seen(0) == session + 2);
  CHECK(reports.take_kept(0).empty());
}

TEST_CASE_FIXTURE(scheduler_fixture, "owners keep reports until all job stores know of them") {
  parts.reports.receive({0, 1, {}});
  CHECK(parts.reports.forgettable(0) == 1);
  watch_failures();
  CHECK(parts.reports.forgettable(0) == 0);
}
