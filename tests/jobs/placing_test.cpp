#include "work_parts_fixture.hpp"

#include <algorithm>

using namespace troupe;
using namespace troupe::test;

TEST_CASE("only the latest hand-out of a task counts") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 3));
  const auto first = w.only_made();
  REQUIRE(w.parts.handed.latest_of({first.id, 2}));
  CHECK(w.parts.handed.latest_of({first.id, 2})->task == 2);
  CHECK(!w.parts.handed.latest_of({first.id, 3}));
  CHECK(!w.parts.handed.latest_of({first.id + 1, 0}));

  auto& t = j.groups[0].touch(1);
  w.parts.handed.leave(std::exchange(t.placed_by, 0));
  w.parts.placer.place_later(j, j.groups[0], 1);
  w.parts.placer.place_all();
  const auto second = w.only_made();
  CHECK(second.groups[0].count == 1);
  CHECK(!w.parts.handed.latest_of({first.id, 1}));
  CHECK(w.parts.handed.latest_of({second.id, 0})->task == 1);
  CHECK(w.parts.handed.below(second.id) == std::vector{first.id});
  CHECK(w.parts.handed.below(second.id + 1) == std::vector{first.id, second.id});
}

TEST_CASE("jobs of others in the upper bits do not hide the own number") {
  work_fixture w;
  w.submit(group_json("a", 1));
  const auto made = w.only_made();
  CHECK(w.parts.handed.latest_of({made.id | (job_id{7} << scheduler_job_bits), 0}));
}

TEST_CASE("a hand-out is forgotten once none of its tasks is left") {
  work_fixture w;
  w.submit(group_json("a", 2));
  const auto made = w.only_made();
  w.parts.handed.leave(made.id);
  CHECK(w.parts.handed.below(100).size() == 1);
  w.parts.handed.leave(made.id);
  CHECK(w.parts.handed.below(100).empty());
  w.parts.handed.leave(made.id);
}

TEST_CASE("withdrawn tasks are told by scheduler's job") {
  work_fixture w;
  w.submit(group_json("a", 2));
  const auto made = w.only_made();
  w.parts.handed.withdraw({{0, 4}, {made.id, 1}, {made.id + 1, 1}});
  CHECK(w.parts.handed.take_orders().withdrawn == std::vector{made.id});
  CHECK(w.parts.handed.below(100).size() == 1);
}

TEST_CASE("tasks that wait to be placed are handed out together, each once") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 4));
  const auto made = w.only_made();
  auto& g = j.groups[0];
  for (const auto i : {3U, 1U, 3U, 2U}) {
    w.parts.handed.leave(std::exchange(g.touch(i).placed_by, 0));
    w.parts.placer.place_later(j, g, i);
  }
  g.tasks[2].state = task_state::running;
  w.parts.placer.place_all();
  const auto again = w.only_made();
  CHECK(again.groups[0].count == 2);
  CHECK(w.parts.handed.latest_of({again.id, 0})->task == 1);
  CHECK(w.parts.handed.latest_of({again.id, 1})->task == 3);
  CHECK(w.parts.handed.latest_of({made.id, 0})->task == 0);
}

TEST_CASE("the pause of a task that finds no machine doubles to a limit, until it is started") {
  work_fixture w;
  auto& j = w.submit(group_json("a", 1));
  auto& pauses = w.parts.pauses;
  CHECK(!pauses.next_end());
  instant now{1};
  auto pause = task_pauses::first_pause;
  auto made = w.only_made();
  for (int i = 0; i < 8; ++i) {
    pauses.scheduled_over({made.id, 0}, task_fate::abandoned, now);
    CHECK(j.row.reason == "no machine fits task 0");
    REQUIRE(pauses.next_end() == now + pause);
    pauses.end_pauses(now + pause - instant{1});
    w.parts.placer.place_all();
    CHECK(w.parts.handed.take_orders().made.empty());
    now += pause;
    pauses.end_pauses(now);
    w.parts.placer.place_all();
    made = w.only_made();
    pause = std::min(2 * pause, task_pauses::longest_pause);
  }
  w.start({made.id, 0});
  CHECK(j.row.reason.empty());
  CHECK(j.groups[0].tasks[0].pauses == 0);
}

TEST_CASE("a task that runs, or was handed out again, has no pause") {
  work_fixture w;
  w.submit(group_json("a", 1));
  const auto made = w.only_made();
  w.start({made.id, 0});
  w.parts.pauses.scheduled_over({made.id, 0}, task_fate::abandoned, instant{1});
  w.parts.pauses.scheduled_over({made.id + 1, 0}, task_fate::abandoned, instant{1});
  CHECK(!w.parts.pauses.next_end());
}
