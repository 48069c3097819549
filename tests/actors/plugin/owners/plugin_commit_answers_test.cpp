#include "member_fixture.hpp"

using namespace troupe;
using namespace troupe::testing;

TEST_CASE_FIXTURE(member_fixture,
                  "what an owner grants runs, and what it refuses is the plugin's") {
  submit(slot_job(1, 3));
  parts.orders.commit(0, request(1, {on(0, {1, 0}), on(0, {1, 1}), on(1, {1, 2})}), at_1s);
  commit_reply reply{0, parts.commits.number_of(0, 1), {}};
  reply.rejections.push_back({1, conflict_cause::taken, no_scheduler, 0, {}});
  reply.diversions.push_back({2, 0});
  parts.answers.answer(reply, at_1s);
  parts.answers.answer(reply, at_1s); // it comes again
  CHECK(counts().running == 2);
  CHECK(counts().queued == 1);
  CHECK(counts().placed == 2);
  CHECK(parts.failover.running == std::map<task_id, machine_id>{{{1, 0}, 0}, {{1, 2}, 0}});
  const auto told = heard<commit_reply>();
  REQUIRE(told.size() == 1);
  CHECK(told[0].id == 1); // the plugin's number
}

TEST_CASE_FIXTURE(member_fixture, "tasks are in commit while an owner holds machines for them") {
  submit(slot_job(1, 1));
  parts.orders.commit(0, request(1, {on(0, {1, 0})}, commit_mode::hold), at_1s);
  commit_reply reply{0, parts.commits.number_of(0, 1), {}};
  reply.diversions.push_back({0, 1});
  parts.answers.answer(reply, at_1s);
  CHECK(counts().in_commit == 1);
  REQUIRE(parts.commits.held(0).contains(1));
  CHECK(parts.commits.held(0).at(1).what.placements[0].machine == 1);
}

TEST_CASE_FIXTURE(member_fixture,
                  "an answer gives the plugin's indices of placements that were left out") {
  submit(slot_job(1, 3));
  auto wanted = request(1, {on(0, {1, 1})});
  parts.books.jobs.at({1, 1}).at = plugin_jobs::place::in_commit;
  parts.books.of({1, 1}).counts.in_commit = 1;
  plugin_commit commit{wanted, 9, at_1s, {}};
  commit.left_out.push_back({0, conflict_cause::taken, 3, 0, {}});
  commit.left_out.push_back({2, conflict_cause::taken, 3, 0, {}});
  commit_reply reply{0, 1, {}};
  reply.rejections.push_back({0, conflict_cause::gone, no_scheduler, 0, {}});
  parts.answers.book(commit, reply, {}, at_1s);
  const auto told = heard<commit_reply>();
  REQUIRE(told.size() == 1);
  CHECK(told[0].id == 9);
  REQUIRE(told[0].rejections.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i)
    CHECK(told[0].rejections[i].index == i);
  CHECK(told[0].rejections[1].cause == conflict_cause::gone);
}
