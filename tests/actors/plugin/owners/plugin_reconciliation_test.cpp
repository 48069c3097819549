#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

owner_statement statement_of(incarnation_id owner, std::vector<task_place> running,
                             std::vector<machine_id> unknown = {}) {
  owner_statement s{0, session_base(owner, 1), std::move(running)};
  s.unknown = std::move(unknown);
  return s;
}

} // namespace

TEST_CASE_FIXTURE(member_fixture, "a statement answers what is pending, as far as tasks run") {
  submit(slot_job(1, 2));
  parts.orders.commit(0, request(1, {on(0, {1, 0}), on(1, {1, 1})}), at_1s);
  parts.sessions.begin_session(statement_of(2, {{{1, 0}, 1}}), at_1s);
  const auto told = heard<commit_reply>();
  REQUIRE(told.size() == 1);
  REQUIRE(told[0].diversions.size() == 1);
  CHECK(told[0].diversions[0].machine == 1);
  CHECK(told[0].rejections.size() == 1);
  CHECK(parts.reports.seen(0) == session_base(2, 1) + 1);
  CHECK(counts().running == 1);
}

TEST_CASE_FIXTURE(member_fixture, "a launch of which nothing runs is sent to the new owner") {
  submit(slot_job(1, 2));
  parts.orders.commit(0, request(1, {on(0, {1, 0}), on(1, {1, 1})}, commit_mode::hold), at_1s);
  const auto before = parts.sender.take().at(0).second.id;
  parts.sessions.begin_session(statement_of(2, {}), at_1s);
  const auto sent = parts.sender.take();
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].second.id > before);
  CHECK(heard<commit_reply>().empty());
}

TEST_CASE_FIXTURE(member_fixture, "an alternative on an unknown machine may have been taken") {
  submit(slot_job(1, 1));
  auto wanted = request(1, {on(0, {1, 0})});
  wanted.alternatives = {{0, 1}};
  parts.orders.commit(0, wanted, at_1s);
  parts.sessions.begin_session(statement_of(2, {}, {1}), at_1s);
  CHECK(parts.failover.unsure.contains({1, 0}));
  CHECK(parts.failover.running.at({1, 0}) == 1);
  CHECK(counts().placed == 0);
}

TEST_CASE_FIXTURE(member_fixture,
                  "a task that ran and is not stated is lost, but not of other owners") {
  submit(slot_job(1, 2));
  run({1, 0}, 0);
  run({1, 1}, 2);
  parts.sessions.begin_session(statement_of(2, {}), at_1s);
  const auto told = ends();
  REQUIRE(told.size() == 1);
  CHECK(told[0].task == task_id{1, 0});
  CHECK(counts().running == 1);
}
