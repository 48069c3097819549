#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(member_fixture, "reports to a plugin's member are booked in their order, once") {
  parts.reports.receive({1, 3, {}});
  parts.reports.receive({1, 2, {}});
  CHECK(parts.reports.seen(1) == 0);
  parts.reports.receive({1, 1, {}});
  CHECK(parts.reports.seen(1) == 3);
  parts.reports.receive({1, 2, {}});
  CHECK(parts.reports.seen(1) == 3);
  CHECK_THROWS(parts.reports.receive({2, 1, {}}));
}

TEST_CASE_FIXTURE(member_fixture, "an end is booked after the grant to the plugin's commit") {
  submit(slot_job(1, 1));
  parts.orders.commit(0, request(1, {on(0, {1, 0})}), at_1s);
  parts.reports.receive({0, 1, {{{1, 0}, 0, task_outcome::finished, at_1s}}});
  CHECK(parts.reports.seen(0) == 0);
  parts.answers.answer({0, parts.commits.number_of(0, 1), {}}, at_1s);
  CHECK(parts.reports.seen(0) == 1);
  CHECK(counts().finished == 1);
}

TEST_CASE_FIXTURE(member_fixture,
                  "a session of a plugin's member drops the reports of earlier ones") {
  const auto session = session_base(2, 1);
  parts.reports.receive({0, 5, {}});
  parts.reports.receive({0, session + 2, {}});
  parts.reports.begin_session(0, session);
  CHECK(parts.reports.seen(0) == session + 1);
  parts.reports.statement_booked(0);
  CHECK(parts.reports.seen(0) == session + 2);
}
