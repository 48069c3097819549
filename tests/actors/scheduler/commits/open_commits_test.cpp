#include "actors/scheduler/commits/open_commits.hpp"
#include "support/scheduler_fixture.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

TEST_CASE("a commit is under way until it is taken out") {
  const auto j = slot_job(1, 2);
  open_commits commits{5, 2};
  open_commit c;
  c.placements.resize(1);
  c.placements[0].task = waiting_one(j, 1);
  c.placements[0].others = {{9, 3, 1}};
  c.id = commits.next_id();
  const auto& first = commits.add(1, c);
  CHECK(commits.awaits_answer(task_id{1, 1}));
  CHECK_FALSE(commits.awaits_answer(task_id{1, 0}));
  CHECK(commits.awaits_answer(task_report{1, 1, {{{1, 1}, 0, {}, 0s}}}));
  CHECK_FALSE(commits.awaits_answer(task_report{0, 1, {{{1, 1}, 0, {}, 0s}}}));
  CHECK(commits.placements() == 1);
  const auto request = commits.request(1, first, 7);
  CHECK(request.scheduler == 5);
  CHECK(request.answered_below == 1);
  CHECK(request.reports_seen == 7);
  CHECK(request.alternatives.at(0).index == 0);
  CHECK(commits.find(0, 1) == nullptr);
  CHECK(commits.take(1, 1).placements.size() == 1);
  CHECK(commits.find(1, 1) == nullptr);
  CHECK(commits.placements() == 0);
}

TEST_CASE("commits of a later incarnation have higher numbers, and only old ones are overdue") {
  open_commits commits{5, 1};
  commits.begin(2);
  open_commit c;
  c.id = commits.next_id();
  CHECK(c.id > commit_id{1} << 40);
  c.sent = 1s;
  commits.add(0, c);
  int overdue = 0;
  commits.visit_overdue(2s, 2s, [&](owner_id, open_commit&) { ++overdue; });
  CHECK(overdue == 0);
  commits.visit_overdue(3s, 2s, [&](owner_id, open_commit&) { ++overdue; });
  CHECK(overdue == 1);
}

TEST_CASE("a commit that was sent again may be unseen even if its number is low") {
  open_commit c;
  c.id = 4;
  CHECK(c.is_unseen(3));
  CHECK_FALSE(c.is_unseen(4));
  c.sent_again = true;
  CHECK(c.is_unseen(4));
  c.sent_again = false;
  c.settles = 2;
  CHECK_FALSE(c.is_unseen(2));
}
