#include "nodes/execution/run_table.hpp"

#include <doctest/doctest.h>

using namespace troupe;

namespace {

using beginning = run_table::beginning;

launch_order order_of(const task_id& task) {
  launch_order order;
  order.task = task;
  order.launcher = 3;
  order.grant = 9;
  return order;
}

const attempt_key first{1, 0, 1};

} // namespace

TEST_CASE("a run waits for its permit, becomes an attempt and ends") {
  run_table runs;
  const auto run = runs.start(7, order_of({5, 2}));
  CHECK(runs.wanted() == std::vector<task_id>{{5, 2}});
  CHECK(runs.begin({5, 2}, first) == beginning::begun);
  CHECK(runs.wanted().empty());
  CHECK_FALSE(runs.has_ended(run));
  runs.end(first, true, instant{40});
  CHECK(runs.has_ended(run));
  CHECK(runs.has_ends());
  const auto ends = runs.take_ends();
  REQUIRE(ends.size() == 1);
  CHECK(ends[0].end.task == task_id{5, 2});
  CHECK(ends[0].end.machine == 7);
  CHECK(ends[0].end.outcome == task_outcome::finished);
  CHECK(ends[0].end.at == instant{40});
  CHECK(ends[0].end.grant == 9);
  CHECK(ends[0].launcher == 3);
  CHECK(ends[0].run == run);
  CHECK_FALSE(runs.has_ends());
  CHECK(runs.status().launched == 1);
  CHECK(runs.status().ended == 1);
  CHECK(runs.status().killed == 0);
}

TEST_CASE("a run whose command fails ends as failed, unless it was killed") {
  run_table runs;
  runs.start(7, order_of({5, 2}));
  runs.begin({5, 2}, first);
  runs.end(first, false, instant{40});
  CHECK(runs.take_ends().at(0).end.outcome == task_outcome::failed);
  const auto killed = runs.start(7, order_of({5, 3}));
  runs.begin({5, 3}, first);
  runs.kill(killed, instant{41});
  runs.end(first, false, instant{42});
  CHECK(runs.take_ends().at(0).end.outcome == task_outcome::preempted);
}

TEST_CASE("a run that is refused is over for its machine") {
  run_table runs;
  const auto run = runs.start(7, order_of({5, 2}));
  runs.refuse({5, 2}, instant{1});
  CHECK(runs.has_ended(run));
  CHECK(runs.take_ends().size() == 1);
  CHECK(runs.size() == 0);
}

TEST_CASE("a run that is killed before its permit comes gets none") {
  run_table runs;
  const auto run = runs.start(7, order_of({5, 2}));
  CHECK_FALSE(runs.kill(run, instant{1}));
  CHECK(runs.wanted().empty());
  CHECK(runs.begin({5, 2}, first) == beginning::unwanted);
  const auto ends = runs.take_ends();
  REQUIRE(ends.size() == 1);
  CHECK(ends[0].end.outcome == task_outcome::preempted);
  CHECK(runs.status().killed == 1);
}

TEST_CASE("a run that is killed names its attempt, and ends with it") {
  run_table runs;
  const auto run = runs.start(7, order_of({5, 2}));
  runs.begin({5, 2}, first);
  CHECK(runs.kill(run, instant{1}) == first);
  CHECK_FALSE(runs.has_ended(run));
  runs.end(first, true, instant{2});
  CHECK(runs.take_ends().at(0).end.outcome == task_outcome::preempted);
  CHECK_FALSE(runs.kill(run, instant{3}));
}

TEST_CASE("a task that is started again while its first run is killed waits by itself") {
  run_table runs;
  const auto one = runs.start(7, order_of({5, 2}));
  runs.begin({5, 2}, first);
  runs.kill(one, instant{1});
  const auto two = runs.start(7, order_of({5, 2}));
  CHECK(runs.wanted() == std::vector<task_id>{{5, 2}});
  // The service does not know yet that the first attempt stops.
  CHECK(runs.begin({5, 2}, first) == beginning::too_early);
  CHECK(runs.wanted() == std::vector<task_id>{{5, 2}});
  const attempt_key second{1, 0, 2};
  CHECK(runs.begin({5, 2}, second) == beginning::begun);
  runs.end(first, true, instant{2});
  CHECK(runs.has_ended(one));
  CHECK_FALSE(runs.has_ended(two));
  runs.end(second, true, instant{3});
  CHECK(runs.has_ended(two));
  CHECK(runs.size() == 0);
  CHECK(runs.status().ended == runs.status().launched);
}

TEST_CASE("ends of attempts that no run belongs to are nobody's") {
  run_table runs;
  runs.end(first, true, instant{1});
  CHECK_FALSE(runs.has_ends());
}
