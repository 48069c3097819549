#include "actors/machine/emulated_executor.hpp"
#include "actors/machine/node.hpp"
#include "actors/neighbours.hpp"
#include "actors/sparrow_neighbours.hpp"

#include <stdexcept>

using namespace troupe;
using namespace troupe::test;

namespace {

struct node_fixture {
  owner_inbox got[2];
  std::shared_ptr<emulated_executor> runs = std::make_shared<emulated_executor>(10ms);
  world w;
  node_actor subject = w.system().spawn(node, node_config{runs, {}});

  node_fixture() {
    runs->attach(subject);
    peers all;
    for (auto& g : got)
      all.owners.push_back(pointer(w.system().spawn(fake_owner, &g)));
    caf::anon_send(subject, all);
    w.settle();
  }

  run_number start(std::uint32_t index, owner_id owner, duration runtime, machine_id machine = 3) {
    return runs->start(machine, {task(index), owner, resources::of_slots(1), runtime}, w.now());
  }

  node_status status() { return ask<node_status>(w, subject, sample_atom_v); }
};

/// The tasks of one batch.
std::vector<std::uint32_t> tasks_in(const task_ends& batch) {
  std::vector<std::uint32_t> indexes;
  for (const auto& e : batch.ends)
    indexes.push_back(e.task.index);
  return indexes;
}

using indexes = std::vector<std::uint32_t>;

} // namespace

TEST_CASE_FIXTURE(node_fixture, "an end is exact, and reported at the next tick") {
  const auto run = start(0, 1, 23ms, 5);
  w.run_until(30ms - 1ns);
  CHECK_FALSE(runs->has_ended(run));
  w.run();
  CHECK(runs->has_ended(run));
  REQUIRE(got[1].ends.size() == 1);
  CHECK(got[0].ends.empty());
  CHECK(got[1].ends[0].first == 30ms);
  const auto& end = got[1].ends[0].second.ends.at(0);
  CHECK(end.task == task(0));
  CHECK(end.machine == 5);
  CHECK(end.outcome == task_outcome::finished);
  CHECK(end.at == 23ms);
}

TEST_CASE_FIXTURE(node_fixture, "an end on a tick is reported at once") {
  start(0, 0, 20ms);
  w.run();
  REQUIRE(got[0].ends.size() == 1);
  CHECK(got[0].ends[0].first == 20ms);
}

TEST_CASE_FIXTURE(node_fixture, "the ends of a tick come in one batch per owner") {
  start(0, 0, 11ms);
  start(1, 1, 12ms);
  start(2, 0, 20ms);
  start(3, 0, 21ms);
  w.run();
  REQUIRE(got[0].ends.size() == 2);
  REQUIRE(got[1].ends.size() == 1);
  CHECK(got[0].ends[0].first == 20ms);
  CHECK(tasks_in(got[0].ends[0].second) == indexes{0, 2});
  CHECK(got[0].ends[1].first == 30ms);
  CHECK(tasks_in(got[0].ends[1].second) == indexes{3});
  CHECK(got[1].ends[0].first == 20ms);
  CHECK(tasks_in(got[1].ends[0].second) == indexes{1});
}

TEST_CASE_FIXTURE(node_fixture, "a node is woken for a task that ends earlier than all before") {
  start(0, 0, 100ms);
  w.run_until(20ms);
  start(1, 0, 15ms);
  w.run_until(25ms);
  start(2, 0, 1ms);
  w.run();
  REQUIRE(got[0].ends.size() == 3);
  CHECK(got[0].ends[0].first == 30ms);
  CHECK(tasks_in(got[0].ends[0].second) == indexes{2});
  CHECK(got[0].ends[1].first == 40ms);
  CHECK(tasks_in(got[0].ends[1].second) == indexes{1});
  CHECK(got[0].ends[2].first == 100ms);
  CHECK(tasks_in(got[0].ends[2].second) == indexes{0});
}

TEST_CASE_FIXTURE(node_fixture, "being woken early leaves no timers behind") {
  // A task that always runs, and many that end before all that is known.
  start(0, 0, 100s);
  for (std::uint32_t i = 1; i <= 50; ++i) {
    start(2 * i, 0, 500ms);
    w.settle();
    start(2 * i + 1, 0, 100ms);
    w.advance(1s);
  }
  CHECK(got[0].ends.size() == 100);
  CHECK(w.clock().pending() == 1);
}

TEST_CASE_FIXTURE(node_fixture, "without tasks nothing waits") {
  start(0, 0, 5ms);
  w.run();
  CHECK(w.now() == 10ms);
  CHECK(w.clock().pending() == 0);
  caf::anon_send(subject, wake_atom_v);
  w.settle();
  CHECK(w.clock().pending() == 0);
}

TEST_CASE_FIXTURE(node_fixture, "a killed task has an end like any other, which says so") {
  const auto run = start(0, 0, 10ms);
  start(1, 0, 10ms);
  runs->kill(3, run);
  w.run();
  REQUIRE(got[0].ends.size() == 1);
  const auto& ends = got[0].ends[0].second.ends;
  CHECK(tasks_in(got[0].ends[0].second) == indexes{0, 1});
  CHECK(ends[0].outcome == task_outcome::preempted);
  CHECK(ends[1].outcome == task_outcome::finished);
  CHECK(status().ended == 2);
  CHECK(status().killed == 1);
}

TEST_CASE_FIXTURE(node_fixture,
                  "a task that is killed and started anew ends once, at its own time") {
  const auto first = start(0, 0, 100ms);
  w.run_until(20ms);
  runs->kill(3, first);
  const auto second = start(0, 0, 100ms);
  SUBCASE("on the same machine") {}
  SUBCASE("and once more at the same instant") {
    runs->kill(3, second);
    start(0, 0, 100ms);
  }
  w.run();
  std::vector<instant> finished;
  std::size_t killed = 0;
  for (const auto& [at, batch] : got[0].ends)
    for (const auto& e : batch.ends)
      if (e.outcome == task_outcome::finished)
        finished.push_back(at);
      else
        ++killed;
  CHECK(finished == std::vector<instant>{120ms});
  CHECK(killed == status().killed);
  CHECK(killed >= 1);
}

TEST_CASE_FIXTURE(node_fixture, "a node counts what was started, ended and refused") {
  start(0, 0, 10ms);
  start(1, 1, 10ms);
  start(2, 1, 50ms);
  w.run_until(20ms);
  auto counted = status();
  CHECK(counted.launched == 3);
  CHECK(counted.ended == 2);
  CHECK(counted.over_capacity == 0);
  runs->refuse(3, {task(4), 0, resources::of_slots(9), 1s});
  w.run();
  counted = status();
  CHECK(counted.launched == 3);
  CHECK(counted.ended == 3);
  CHECK(counted.over_capacity == 1);
}

TEST_CASE("schedulers hear of the starts and ends of their tasks one report interval later") {
  sparrow_inbox got;
  const auto runs = std::make_shared<emulated_executor>(10ms);
  world w;
  node_config config{runs, {}};
  config.report_interval = 50ms;
  const auto subject = w.system().spawn(node, config);
  runs->attach(subject);
  peers all;
  all.schedulers.push_back(pointer(w.system().spawn(fake_sparrow, &got)));
  caf::anon_send(subject, all);
  const auto start_now = [&](std::uint32_t index, duration runtime) {
    launch_order order{task(index), 0, resources::of_slots(1), runtime};
    order.by_scheduler = true;
    runs->start(3, order, w.now());
  };
  start_now(0, 10ms);
  w.run_until(20ms);
  CHECK(got.news.empty());
  start_now(1, 100ms);
  w.run_until(60ms);
  REQUIRE(got.news.size() == 1);
  CHECK(got.news[0].first == 50ms);
  CHECK(got.news[0].second.started.size() == 2);
  CHECK(got.news[0].second.ended.size() == 1);
}

TEST_CASE("ticks must be longer than 0") {
  CHECK_THROWS_AS(emulated_executor{0ms}, std::invalid_argument);
}
