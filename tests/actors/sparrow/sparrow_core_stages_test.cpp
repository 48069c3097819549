#include "actors/sparrow_cluster.hpp"

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

// Jobs whose groups of tasks wait for each other.

namespace {

/// A job of two stages: two tasks, and three that wait for them.
job two_stages(job_id id = 1) {
  auto j = slot_job(id, 2);
  j.groups.push_back(j.groups.front());
  j.groups[1].count = 3;
  j.groups[1].after = {0};
  return j;
}

/// Starts and ends both tasks of the first stage.
void end_first_stage(cluster_of_one& c, instant at) {
  const auto reserved = c.reserved();
  for (std::uint32_t i = 0; i < 2; ++i) {
    const auto a = c.ask(1, reserved[i]);
    REQUIRE_FALSE(a.none);
    c.start(a, reserved[i], 1s);
    if (i == 1)
      c.out = {};
    c.end(a.order.task, reserved[i], at);
  }
}

} // namespace

TEST_CASE("a stage has no reservations until the one before is over, and then as a new job") {
  cluster_of_one c;
  c.submit(two_stages());
  CHECK(c.reserved().size() == 4);
  CHECK(c.core.counts().queued == 5);
  const auto reserved = c.reserved();
  const auto first = c.ask(1, reserved[0]);
  c.start(first, reserved[0], 1s);
  const auto second = c.ask(1, reserved[1]);
  c.start(second, reserved[1], 1s);
  CHECK(c.ask(1, reserved[2]).none);
  c.out = {};
  c.end(first.order.task, reserved[0], 4s);
  CHECK(c.reserved().empty());
  c.end(second.order.task, reserved[1], 5s);
  CHECK(c.reserved().size() == 6);
  CHECK(distinct(c.reserved()) == 6);
  for (const auto& [_, entry] : c.out.entries)
    CHECK(entry.group == 1);
}

TEST_CASE("the tasks of a stage wait from the end of the stage before") {
  cluster_of_one c;
  c.submit(two_stages());
  end_first_stage(c, 5s);
  c.sample(5s);
  const auto waiting = c.sample(7s).waiting;
  CHECK(waiting.count() == 3);
  CHECK(waiting.max() == doctest::Approx(2).epsilon(0.01));
  const auto m = c.reserved().front();
  const auto a = c.ask(1, m, 1);
  REQUIRE_FALSE(a.none);
  CHECK(a.order.task == task_id{1, 2});
  c.start(a, m, 8s);
  CHECK(c.sample(8s).delay.max() == doctest::Approx(3).epsilon(0.01));
}

TEST_CASE("tasks that wait for others are not sent to machines by probes either") {
  for (const auto how : {probing::random, probing::per_task, probing::batch}) {
    cluster_of_one c{probing_by(how)};
    c.submit(two_stages());
    std::uint32_t tasks = 0;
    for (const auto& [m, probe] : std::exchange(c.out.probes, {}))
      c.core.answer({probe.round, probe.index, 0}, c.out);
    for (const auto& [_, entry] : c.out.entries)
      tasks += entry.kind == entry_kind::task;
    CHECK(tasks == 2);
    CHECK(c.core.counts().queued == 3);
    for (const auto& [m, entry] : std::exchange(c.out.entries, {})) {
      c.core.book({{{entry.order.task, m, 1s}}, {}}, c.out);
      c.end(entry.order.task, m, 2s);
    }
    for (const auto& [m, probe] : std::exchange(c.out.probes, {}))
      c.core.answer({probe.round, probe.index, 0}, c.out);
    CHECK(c.out.entries.size() == 3);
    CHECK(c.core.counts().queued == 0);
  }
}

TEST_CASE("a stage is not released while a task of the one before has been lost") {
  cluster_of_one c;
  c.submit(two_stages());
  const auto reserved = c.reserved();
  for (std::uint32_t i = 0; i < 2; ++i)
    c.start(c.ask(1, reserved[i]), reserved[i], 1s);
  c.end({1, 0}, reserved[0], 2s);
  c.out = {};
  c.core.book({{}, {{{1, 1}, reserved[1], task_outcome::lost, 3s}}}, c.out);
  REQUIRE(c.reserved().size() == 1);
  CHECK(c.out.entries.front().second.group == 0);
  CHECK(c.core.counts().queued == 4);
}

TEST_CASE("a new incarnation releases the stages whose predecessors are over") {
  for (const bool all : {false, true}) {
    cluster_of_one c;
    c.core.watch_failures(0);
    for (machine_id m = 0; m < 8; ++m)
      c.core.restore(m, c.out);
    kept_job left{two_stages(),
                  all ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{0}};
    c.core.resume(left, {});
    while (c.core.decide(0s))
      c.core.place(c.out);
    CHECK(c.reserved().size() == (all ? 6 : 2));
    for (const auto& [_, entry] : c.out.entries)
      CHECK(entry.group == (all ? 1 : 0));
  }
}

TEST_CASE("a task that runs before its stage is released again waits with it if it is lost") {
  cluster_of_one c;
  c.core.watch_failures(0);
  for (machine_id m = 0; m < 8; ++m)
    c.core.restore(m, c.out);
  c.core.resume({two_stages(), {0}}, {{{1, 3}, 5}}); // the end of task 1 was lost with its machine
  while (c.core.decide(0s))
    c.core.place(c.out);
  CHECK(c.core.counts().running == 1);
  c.out = {};
  c.core.remove(5, 2s, c.out);
  CHECK(c.core.counts().running == 0);
  CHECK(c.core.counts().queued == 4);
  for (const auto& [_, entry] : c.out.entries)
    CHECK(entry.group == 0);
}

TEST_CASE("a group that waits for a later one is refused") {
  cluster_of_one c;
  auto j = two_stages();
  j.groups[0].after = {1};
  CHECK_THROWS_AS(c.core.submit({j}), std::invalid_argument);
}

TEST_CASE("a job that is abandoned keeps what runs, and releases no stage") {
  cluster_of_one c;
  c.core.watch_failures(0, 0s);
  for (machine_id m = 0; m < 8; ++m)
    c.core.restore(m, c.out);
  c.submit(two_stages());
  const auto reserved = c.reserved();
  const auto first = c.ask(1, reserved[0]);
  c.start(first, reserved[0], 1s);
  c.out = {};
  c.core.abandon(1, 2s, c.out);
  c.core.abandon(9, 2s, c.out); // not known
  CHECK(c.core.counts().abandoned == 4);
  CHECK(c.core.counts().queued == 0);
  CHECK(c.core.counts().running == 1);
  CHECK(c.out.over.size() == 4);
  CHECK(c.out.cancellations.size() == 3);
  CHECK(c.ask(1, reserved[1]).none);
  c.out = {};
  c.end(first.order.task, reserved[0], 4s);
  CHECK(c.out.entries.empty());
  CHECK(c.core.idle());
}

TEST_CASE("what runs of an abandoned job does not run again if it is lost") {
  for (const bool resumed : {false, true}) {
    CAPTURE(resumed);
    cluster_of_one c;
    c.core.watch_failures(0, 0s);
    for (machine_id m = 0; m < 8; ++m)
      c.core.restore(m, c.out);
    auto what = two_stages();
    machine_id at = 5;
    if (resumed) {
      c.core.resume({what}, {{task_id{1, 0}, at}});
      c.core.abandon(1, 1s, c.out); // before it was decided on
    } else {
      c.submit(what);
      at = c.reserved()[0];
      c.start(c.ask(1, at), at, 1s);
      c.core.abandon(1, 1s, c.out);
    }
    CHECK(c.core.counts().abandoned == 4);
    CHECK_FALSE(c.core.decide(1s));
    c.out = {};
    c.core.remove(at, 2s, c.out);
    CHECK(c.reserved().empty());
    c.core.abandon_put_back(2s, c.out);
    CHECK(c.core.counts().abandoned == 5);
    CHECK(c.out.over.size() == 1);
    CHECK(c.core.idle());
  }
}

TEST_CASE("a job may be abandoned while it is decided on, or before") {
  cluster_of_one c;
  c.core.submit({two_stages(1), two_stages(2)});
  REQUIRE(c.core.decide(0s));
  c.core.abandon(1, 1s, c.out);
  c.core.abandon(2, 1s, c.out);
  c.core.place(c.out);
  CHECK_FALSE(c.core.decide(1s));
  CHECK(c.core.idle());
  CHECK(c.core.counts().abandoned == 10);
}
