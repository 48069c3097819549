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

TEST_CASE("a later incarnation gives its plugin what is open, and no task runs twice") {
  stage s{incarnation};
  kept_job left{job_of(4), {0}};
  s.deliver({left}, incarnation, true);
  s.listen();
  CHECK(s.told.empty()); // the owners have not stated what runs
  s.state(0, 1, incarnation, {{{1, 1}, 0}});
  s.state(1, 1, incarnation, {}, {end_of({1, 2}, 2)});
  const auto jobs = s.submitted();
  REQUIRE(jobs.size() == 1);
  CHECK(jobs.front().task_count() == 1);
  CHECK(jobs.front().id != 1);
  CHECK(s.core.places().running == 1);
  CHECK(s.core.places().queued == 1);
  CHECK(s.core.counts().finished == 1); // of task 2, by the statement
  s.commit(1, 1, {on(3, {jobs.front().id, 0})});
  const auto sent = s.core.take_commits();
  REQUIRE(sent.size() == 1);
  CHECK(sent.front().second.placements.front().task == task_id{1, 3});
  s.grant(1, 1, incarnation);
  // The plugin does not hear of a task that it was not given.
  s.core.report({0, session_base(1, incarnation) + 2, {end_of({1, 1}, 0)}});
  s.listen();
  CHECK(s.told.empty());
  s.core.report({1, session_base(1, incarnation) + 2, {end_of({1, 3}, 3)}});
  s.listen();
  REQUIRE(s.ends().size() == 1);
  CHECK(s.ends().front().task == task_id{jobs.front().id, 0});
  CHECK(s.core.idle());
}

TEST_CASE("a task that ran before the takeover and is lost is given to the plugin") {
  stage s{incarnation};
  s.deliver({{job_of(2), {0}}}, incarnation, true);
  s.state(0, 1, incarnation, {{{1, 1}, 0}});
  s.state(1, 1, incarnation, {});
  CHECK(s.submitted().empty());
  s.core.report({0, session_base(1, incarnation) + 2, {end_of({1, 1}, 0, task_outcome::lost)}});
  s.listen();
  REQUIRE(s.submitted().size() == 1);
  const auto part = s.submitted().front();
  s.commit(1, 1, {on(2, {part.id, 0})});
  s.grant(1, 1, incarnation);
  CHECK(s.core.failover()->running == std::map<task_id, machine_id>{{{1, 1}, 2}});
}

TEST_CASE("the plugin is given the tasks of a group once those that it waits for are over") {
  stage s;
  s.begin({{job_of(1, 2)}});
  REQUIRE(s.submitted().size() == 1);
  const auto first = s.submitted().front();
  CHECK(first.task_count() == 1);
  s.commit(0, 1, {on(0, {first.id, 0})});
  s.grant(0, 1);
  CHECK(s.submitted().empty());
  s.core.report({0, session_base(1, 1) + 2, {end_of({1, 0}, 0)}});
  s.listen();
  REQUIRE(s.submitted().size() == 1);
  CHECK(s.submitted().front().task_count() == 2);
  CHECK(s.core.places().queued == 2);
}

TEST_CASE("a job that has not started is given to a later plugin as it is") {
  stage s{incarnation};
  auto gang = job_of(3);
  gang.gang = true;
  s.deliver({{gang}}, incarnation, true);
  s.state(0, 1, incarnation, {});
  s.state(1, 1, incarnation, {});
  REQUIRE(s.submitted().size() == 1);
  CHECK(s.submitted().front().id == 1);
  CHECK(s.submitted().front().gang);
}

TEST_CASE(
  "while machines are unknown, a job waits unless one of its tasks is known to have started") {
  stage s{incarnation};
  auto other = job_of(1);
  other.id = 2;
  s.deliver({{job_of(2)}, {other}}, incarnation, true);
  s.state(0, 2, incarnation, {{{1, 0}, 0}}, {}, {1});
  s.state(1, 1, incarnation, {});
  CHECK(s.submitted().empty());
  CHECK(s.core.places().running == 2); // one of them somewhere
  s.core.reconcile({0, session_base(2, incarnation) | stated_again, {{{1, 0}, 0}}}, at_1s);
  s.listen();
  CHECK(s.submitted().size() == 2);
  CHECK(s.core.places().running == 1);
  CHECK(s.core.places().queued == 2);
}
