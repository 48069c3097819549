#include "plugin_member_stage.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace std::chrono_literals;
using test::at_1s;
using test::end_of;
using test::incarnation;
using test::job_of;
using test::on;
using stage = test::plugin_member_stage;

TEST_CASE("a plugin hears of jobs, answers and ends as it does where nothing fails") {
  stage s;
  s.begin({{job_of(2)}});
  REQUIRE(s.submitted().size() == 1);
  CHECK(s.submitted().front().id == 1);
  s.commit(0, 1, {on(0, {1, 0}), on(1, {1, 1})});
  const auto sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  CHECK(sent.front().second.id == (commit_id{1} << 40) + 1);
  CHECK(s.core.places().in_commit == 2);
  commit_reply reply{0, sent.front().second.id, {}};
  reply.rejections.emplace_back().index = 1;
  s.core.answer(reply, at_1s);
  s.listen();
  REQUIRE(s.heard<commit_reply>().size() == 1);
  CHECK(s.heard<commit_reply>().front().id == 1);
  CHECK(s.core.failover()->running.contains({1, 0}));
  CHECK(s.core.places().queued == 1);
  s.core.report({0, session_base(1, 1) + 2, {end_of({1, 0}, 0)}});
  s.listen();
  REQUIRE(s.heard<task_report>().size() == 1);
  CHECK(s.heard<task_report>().front().number == 1);
  CHECK(s.core.counts().finished == 1);
  CHECK(s.core.failover()->news(at_1s, 1s).size() == 1);
}

TEST_CASE("a commit is sent once to its owner, and again until it is answered") {
  stage s;
  s.begin({{job_of(1)}});
  s.commit(0, 1, {on(0, {1, 0})});
  s.commit(0, 1, {on(0, {1, 0})}); // the plugin repeats it
  CHECK(s.core.take_commits().size() == 1);
  s.core.repeat(at_1s + 500ms);
  CHECK(s.core.take_commits().empty());
  s.core.repeat(at_1s + 1s);
  CHECK(s.core.take_commits().size() == 1);
  s.grant(0, 1);
  s.grant(0, 1); // a copy of the answer
  CHECK(s.core.counts().placed == 1);
  s.core.repeat(at_1s + 5s);
  CHECK(s.core.take_commits().empty());
}

TEST_CASE("the statement of a new owner answers the commits that are under way") {
  stage s;
  s.begin({{job_of(4)}});
  s.commit(0, 1, {on(0, {1, 0}), on(1, {1, 1})});
  s.commit(1, 2, {on(2, {1, 2})});
  s.state(0, 2, 1, {{{1, 0}, 0}});
  const auto replies = s.heard<commit_reply>();
  REQUIRE(replies.size() == 1);
  CHECK(replies.front().id == 1);
  REQUIRE(replies.front().rejections.size() == 1);
  CHECK(replies.front().rejections.front().index == 1);
  CHECK(s.core.places().in_commit == 1); // that of the other owner
  CHECK(s.core.places().running == 1);
  s.grant(0, 1); // the answer of the earlier incarnation comes late
  CHECK(s.told.empty());
}

TEST_CASE("all of a commit that stands or falls together is granted, and what is missing is lost") {
  stage s;
  s.begin({{job_of(2)}});
  s.commit(0, 1, {on(0, {1, 0}), on(1, {1, 1})}, commit_mode::together);
  s.state(0, 2, 1, {{{1, 0}, 0}});
  REQUIRE(s.told.size() == 2);
  CHECK(std::get<commit_reply>(s.told[0]).rejections.empty());
  const auto ends = s.ends();
  REQUIRE(ends.size() == 1);
  CHECK(ends.front().task == task_id{1, 1});
  CHECK(ends.front().outcome == task_outcome::lost);
  CHECK(s.core.counts().placed == 1);
  CHECK(s.core.places().queued == 1);
}

TEST_CASE("a running task that a new owner does not know is lost, and given up after the retries") {
  stage s;
  s.begin({{job_of(1)}});
  for (commit_id n = 1; n <= 3; ++n) {
    s.commit(0, n, {on(0, {1, 0})});
    s.grant(0, n);
    s.state(0, static_cast<incarnation_id>(1 + n), 1, {});
    REQUIRE(s.ends().size() == 1);
    // The plugin would place a lost task again.
    CHECK(s.ends().front().outcome == (n < 3 ? task_outcome::lost : task_outcome::failed));
  }
  CHECK(s.core.counts().lost == 1);
  CHECK(s.core.idle());
}

TEST_CASE("a task that may run on an unknown machine counts as running until it is found or not") {
  stage s;
  s.begin({{job_of(3)}});
  s.commit(0, 1, {on(0, {1, 0}), on(1, {1, 1})});
  s.state(0, 2, 1, {}, {}, {0, 1});
  CHECK(s.heard<commit_reply>().front().rejections.empty());
  CHECK(s.ends().empty());
  CHECK(s.core.counts().placed == 0);
  CHECK(s.core.places().running == 2);
  owner_statement second{0, session_base(2, 1) | stated_again, {{{1, 0}, 0}}};
  s.core.reconcile(second, at_1s);
  s.listen();
  REQUIRE(s.ends().size() == 1);
  CHECK(s.ends().front().task == task_id{1, 1});
  CHECK(s.core.counts().placed == 1);
  CHECK(s.core.places().queued == 2);
}

TEST_CASE("a report is booked in its turn, and once") {
  stage s;
  s.begin({{job_of(2)}});
  s.commit(0, 1, {on(0, {1, 0}), on(1, {1, 1})});
  const task_report second{0, session_base(1, 1) + 3, {end_of({1, 1}, 1)}};
  s.core.report(second); // before the report that it follows, and before the grant
  s.core.report({0, session_base(1, 1) + 2, {end_of({1, 0}, 0)}});
  s.listen();
  CHECK(s.told.empty());
  s.grant(0, 1);
  REQUIRE(s.told.size() == 2);
  CHECK(std::holds_alternative<commit_reply>(s.told[0]));
  CHECK(s.ends().size() == 2);
  s.core.report(second);
  s.listen();
  CHECK(s.told.empty());
  CHECK(s.core.counts().finished == 2);
  CHECK(s.core.granted_twice() == 0);
}

TEST_CASE("tasks that wait for others are given to the plugin once these are over") {
  stage s{incarnation};
  s.deliver({{job_of(2, 2), {0}}}, incarnation, true);
  s.state(0, 1, incarnation, {{{1, 1}, 0}});
  s.state(1, 1, incarnation, {});
  CHECK(s.submitted().empty());
  s.core.report({0, session_base(1, incarnation) + 2, {end_of({1, 1}, 0)}});
  s.listen();
  REQUIRE(s.submitted().size() == 1);
  CHECK(s.submitted().front().task_count() == 2);
  CHECK(s.submitted().front().groups.front().duration_of(0) == 2s);
}

TEST_CASE("deliveries that come again are taken once") {
  stage s;
  s.begin({{job_of(2)}});
  s.core.deliver({0, 1, 1, false, {{job_of(2)}}});
  s.listen();
  CHECK(s.told.empty());
  CHECK(s.core.counts().submitted == 2);
}

TEST_CASE("a preempted task is the plugin's to place again") {
  stage s;
  s.begin({{job_of(1)}});
  s.commit(0, 1, {on(0, {1, 0})});
  s.grant(0, 1);
  s.core.report({0, session_base(1, 1) + 2, {}, {}, {{{1, 0}, 0, at_1s, 1s}}});
  s.listen();
  REQUIRE(s.heard<task_report>().size() == 1);
  CHECK(s.heard<task_report>().front().preempted.size() == 1);
  CHECK(s.core.places().queued == 1);
}

TEST_CASE("a plugin that knows its own tasks alone is told what others than these take") {
  stage s{incarnation, true};
  s.deliver({{job_of(2), {0}}}, incarnation, true);
  s.state(0, 1, incarnation, {{{1, 1}, 0}});
  s.state(1, 1, incarnation, {});
  REQUIRE(s.heard<task_report>().size() == 1);
  const auto taken = s.heard<task_report>().front().changes;
  REQUIRE(taken.size() == 1);
  CHECK(taken.front().machine == 0);
  CHECK(taken.front().gain == resources{} - resources::of_slots(1));
  s.core.report({0, session_base(1, incarnation) + 2, {end_of({1, 1}, 0)}});
  s.listen();
  REQUIRE(s.heard<task_report>().size() == 1);
  CHECK(s.heard<task_report>().front().changes.front().gain == resources::of_slots(1));
}

TEST_CASE("what the plugin has given up is over for the job store") {
  stage s;
  s.begin({{job_of(2)}});
  CHECK(s.core.abandon_queued(0, 1, at_1s) == 0); // it counts fewer than are queued
  CHECK(s.core.abandon_queued(0, 2, at_1s) == 2);
  CHECK(s.core.counts().abandoned == 2);
  CHECK(s.core.idle());
  const auto news = s.core.failover()->news(at_1s, 1s);
  REQUIRE(news.size() == 1);
  CHECK(news.front().second.fates ==
        std::vector<task_fate>{task_fate::abandoned, task_fate::abandoned});
}

TEST_CASE("snapshots name the plugin's commits by its own numbers") {
  stage s;
  s.begin({{job_of(1)}});
  s.core.refresh({0, 1, (commit_id{1} << 40) + 5, {}});
  s.core.refresh({0, 2, 0, {}});
  s.listen();
  REQUIRE(s.heard<sync_update>().size() == 2);
  CHECK(s.heard<sync_update>()[0].commits_seen == 5);
  CHECK(s.heard<sync_update>()[1].commits_seen == 0);
}
