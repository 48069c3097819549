#include "work_parts_fixture.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

const std::string after_a = R"(,"after":["a"])";
const std::string after_b = R"(,"after":["b"])";

} // namespace

TEST_CASE("the table of jobs counts the tasks of those that are not over") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 2) + ',' + group_json("b", 3));
  CHECK(j.row.id == 1);
  CHECK(w.parts.jobs.next_job() == 2);
  CHECK(w.parts.jobs.live_tasks() == 5);
  CHECK(&j.group_of(1) == &j.groups[0]);
  CHECK(&j.group_of(2) == &j.groups[1]);
  w.parts.jobs.ended(j);
  CHECK(w.parts.jobs.live_tasks() == 0);
  w.parts.jobs.begun_again(j);
  CHECK(w.parts.jobs.live_tasks() == 5);
  j.row.state = job_state::failed;
  CHECK(w.parts.jobs.find(1) == &j);
  CHECK(w.parts.jobs.find_open(1) == nullptr);
  CHECK(w.parts.jobs.find(2) == nullptr);
}

TEST_CASE("an untouched task is like the rest of its group") {
  live_group g;
  g.count = 3;
  g.rest = task_state::queued;
  g.rest_placed_by = 7;
  CHECK(!g.is_touched(1));
  CHECK(g.state_of(1) == task_state::queued);
  CHECK(g.placed_by(1) == 7);
  g.touch(1).state = task_state::running;
  CHECK(g.touch(1).placed_by == 7);
  CHECK(g.state_of(1) == task_state::running);
  CHECK(g.state_of(2) == task_state::queued);
  CHECK(g.untouched() == 2);
}

TEST_CASE("a job is told to those that wait for it, unless they wait no more") {
  live_job one;
  live_job two;
  one.row.id = 11;
  two.row.id = 12;
  job_waits waits;
  waits.add(one, 5);
  waits.add(two, 5);
  waits.add(two, 6);
  CHECK(two.waits_for == std::set<std::uint64_t>{5, 6});
  waits.drop(two);
  CHECK(two.waits_for.empty());
  CHECK(waits.take(5) == std::set<std::uint64_t>{11});
  CHECK(waits.take(5).empty());
  CHECK(waits.take(6).empty());
}

TEST_CASE("a group is released when the groups before it have succeeded") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 2) + ',' + group_json("b", 1, after_a));
  const auto made = w.only_made();
  const auto first = w.start({made.id, 0});
  const auto second = w.start({made.id, 1});
  w.end(first);
  CHECK(j.groups[1].rest == task_state::waiting);
  w.end(second);
  CHECK(j.groups[1].rest == task_state::queued);
  CHECK(w.only_made().groups[0].count == 1);
}

TEST_CASE("a failed task cancels the groups that wait for its group, directly or not") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 1) + ',' + group_json("b", 2, after_a) + ',' +
                     group_json("c", 3, after_b) + ',' + group_json("d", 1));
  const auto orders = w.parts.handed.take_orders();
  REQUIRE(orders.made.size() == 2);
  w.end(w.start({orders.made[0].id, 0}), 3);
  CHECK(j.row.counts.failed == 1);
  CHECK(j.row.counts.cancelled == 5);
  CHECK(j.groups[2].rest_reason == "group b did not succeed");
  CHECK(j.groups[3].rest == task_state::queued);
  CHECK(!is_over(j.row.state));
  w.end(w.start({orders.made[1].id, 0}));
  CHECK(j.row.state == job_state::failed);
  CHECK(j.row.reason == "task 0: exit code 3");
  CHECK(w.parts.finisher.take_ended() == std::vector<std::uint64_t>{1});
  CHECK(w.parts.finisher.take_ended().empty());
}

TEST_CASE("cancelled tasks are withdrawn; running ones stay") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 3));
  const auto made = w.only_made();
  w.start({made.id, 1});
  w.parts.canceller.cancel(j, "why");
  CHECK(j.row.counts.cancelled == 2);
  CHECK(j.row.counts.running == 1);
  CHECK(j.row.reason == "why");
  CHECK(j.groups[0].state_of(1) == task_state::running);
  CHECK(w.parts.handed.take_orders().withdrawn == std::vector{made.id});
  w.parts.canceller.cancel(j, "again");
  CHECK(j.row.counts.cancelled == 2);
  CHECK(j.row.reason == "why");
}

TEST_CASE("jobs that wait for a job are released or cancelled with its end") {
  for (const int code : {0, 1}) {
    CAPTURE(code);
    work_fixture w;
    w.submit(group_json("a", 1));
    const auto made = w.only_made();
    auto& second = w.submit(group_json("a", 1), {1});
    auto& third = w.submit(group_json("a", 1), {2});
    CHECK(w.parts.handed.take_orders().made.empty());
    w.end(w.start({made.id, 0}), code);
    CHECK(second.row.state == (code == 0 ? job_state::queued : job_state::cancelled));
    CHECK(third.row.state == second.row.state);
    CHECK(w.parts.handed.take_orders().made.size() == (code == 0 ? 1 : 0));
    CHECK(w.parts.jobs.live_tasks() == (code == 0 ? 2 : 0));
  }
}

TEST_CASE("a retry runs only the tasks again that did not succeed") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 2));
  const auto made = w.only_made();
  w.end(w.start({made.id, 0}));
  w.end(w.start({made.id, 1}), 1);
  REQUIRE(j.row.state == job_state::failed);
  w.parts.jobs.begun_again(j);
  w.parts.starter.retry(j, {}, first_look);
  w.parts.placer.place_all();
  CHECK(j.row.state == job_state::running);
  CHECK(j.row.reason.empty());
  const auto again = w.only_made();
  CHECK(again.groups[0].count == 1);
  CHECK(w.parts.handed.latest_of({again.id, 0})->task == 1);
}

TEST_CASE("a job does not begin if a known job before it did not succeed") {
  work_fixture w;
  auto spec = read_job_json(R"({"groups":[)" + group_json("a", 1) + "]}");
  spec.after = {7, 8};
  auto& j = w.parts.jobs.add(std::move(spec), first_look);
  w.parts.starter.begin(j, {{8, job_state::failed}}, first_look); // 7 counts as succeeded
  CHECK(j.row.state == job_state::cancelled);
  CHECK(j.row.reason == "job 8 did not succeed");
}
