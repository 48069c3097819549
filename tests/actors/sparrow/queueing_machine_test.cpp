#include "actors/machine/emulated_executor.hpp"
#include "actors/machine/node.hpp"
#include "actors/queue/queueing_machine.hpp"
#include "actors/sparrow_neighbours.hpp"
#include "support/state_of.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// Machine 0 is the subject, with one slot on a real node; machines 1 and 2 are neighbours.
struct queueing_machine_fixture {
  sparrow_inbox scheduler;
  machine_inbox others[2];
  owner_inbox owner;
  std::shared_ptr<emulated_executor> runs = std::make_shared<emulated_executor>(1ms);
  std::shared_ptr<queueing_machine_config> config = std::make_shared<queueing_machine_config>();
  std::shared_ptr<std::vector<queueing_machine_actor>> machines =
    std::make_shared<std::vector<queueing_machine_actor>>();
  world w;
  queueing_machine_actor subject;
  node_actor of;

  queueing_machine_fixture() {
    config->queue.runs_on = runs;
    config->unit = resources::of_slots(1);
    config->neighbours = std::make_shared<machine_neighbours>();
    config->queue.meter = std::make_shared<queue_meter>(*slot_machines(1, 1, 1), 1);
    subject =
      spawn_queueing_machine(w.system(), handling::queued, 0, resources::of_slots(1), config);
    *machines = {subject, w.system().spawn(fake_machine, &others[0]),
                 w.system().spawn(fake_machine, &others[1])};
    config->neighbours->machines = *machines;
    config->neighbours->schedulers = {w.system().spawn(fake_sparrow, &scheduler)};
    of = w.system().spawn(node, node_config{runs, {}, machines, config->queue.meter, 10ms});
    runs->attach(of);
    peers all;
    all.owners.push_back(pointer(w.system().spawn(fake_owner, &owner)));
    all.schedulers.push_back(pointer(config->neighbours->schedulers[0]));
    caf::anon_send(of, all);
    w.settle();
  }

  template <class... Message>
  void tell(const Message&... message) {
    caf::anon_send(subject, message...);
    w.settle();
  }

  static launch_order order(job_id job, bool by_scheduler = true, duration runtime = 1s) {
    return {{job, 0}, 0, resources::of_slots(1), runtime, no_grant, by_scheduler};
  }

  static queue_entry reservation(job_id job) {
    return {entry_kind::reservation, order(job), 0, 0, 0, 0};
  }

  static queue_entry sent(job_id job, duration runtime = 1s) {
    return {entry_kind::task, order(job, true, runtime), 0, 0, 0, 0};
  }

  static task_assignment no_task(job_id job) { return {true, 0, order(job)}; }

  void kill(const task_id& task) {
    machine_order order;
    order.what.task = task;
    order.kill = true;
    tell(order);
  }

  std::vector<task_id> running() const {
    return light_state_of<queueing_machine_state>(subject).serves->core().running();
  }

  std::vector<job_id> asked_for() const {
    std::vector<job_id> jobs;
    for (const auto& [at, request] : scheduler.requests)
      jobs.push_back(request.job);
    return jobs;
  }
};

using jobs = std::vector<job_id>;

} // namespace

TEST_CASE_FIXTURE(queueing_machine_fixture, "a reservation asks for its task when a slot is free") {
  tell(reservation(1));
  REQUIRE(scheduler.requests.size() == 1);
  const auto& request = scheduler.requests[0].second;
  CHECK(request.job == 1);
  CHECK(request.machine == 0);
  CHECK(request.length_met == -1);
  tell(reservation(2));
  CHECK(asked_for() == jobs{1}); // the slot is held for the answer
  tell(task_assignment{false, 0, order(1)});
  CHECK(running() == std::vector<task_id>{{1, 0}});
  CHECK(asked_for() == jobs{1});
  w.run_until(1s);
  CHECK(asked_for() == jobs{1, 2});
  CHECK(scheduler.requests[1].first == 1s);
  CHECK(scheduler.requests[1].second.length_met == 0);
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "an answer without a task has the next reservation ask at once") {
  tell(reservation(1));
  tell(reservation(2));
  tell(no_task(1));
  CHECK(asked_for() == jobs{1, 2});
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "tasks wait for their turn, and their scheduler hears of all of them") {
  tell(sent(1));
  tell(sent(2));
  CHECK(running() == std::vector<task_id>{{1, 0}});
  w.run_until(3s);
  CHECK(running().empty());
  std::vector<std::pair<instant, job_id>> starts;
  std::vector<std::pair<instant, job_id>> ends;
  for (const auto& [came, news] : scheduler.news) {
    for (const auto& s : news.started) {
      starts.emplace_back(s.at, s.task.job);
      CHECK(came <= s.at + 10ms);
    }
    for (const auto& e : news.ended)
      ends.emplace_back(e.at, e.task.job);
  }
  CHECK(starts == std::vector<std::pair<instant, job_id>>{{0s, 1}, {1s, 2}});
  CHECK(ends == std::vector<std::pair<instant, job_id>>{{1s, 1}, {2s, 2}});
  CHECK(owner.ends.empty());
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "what an owner grants waits as well, and is reported to the owner") {
  tell(sent(1));
  tell(machine_order{order(2, false)});
  CHECK(running() == std::vector<task_id>{{1, 0}});
  w.run_until(3s);
  REQUIRE(owner.ends.size() == 1);
  CHECK(owner.ends[0].second.ends.at(0).task == task_id{2, 0});
  CHECK(owner.ends[0].second.ends.at(0).at == 2s);
}

TEST_CASE_FIXTURE(queueing_machine_fixture, "cancelled reservations do not ask") {
  tell(reservation(1));
  tell(reservation(2));
  tell(reservation(3));
  tell(cancellation{0, 2});
  tell(no_task(1));
  CHECK(asked_for() == jobs{1, 3});
}

TEST_CASE_FIXTURE(queueing_machine_fixture, "a probe is told how long the queue is") {
  const queue_probe probe{0, 7, 4, resources::of_slots(1)};
  tell(probe);
  tell(sent(1));
  tell(sent(2));
  tell(probe);
  REQUIRE(scheduler.answers.size() == 2);
  CHECK(scheduler.answers[0].second.round == 7);
  CHECK(scheduler.answers[0].second.index == 4);
  CHECK(scheduler.answers[0].second.length == -1);
  CHECK(scheduler.answers[1].second.length == 1);
}

TEST_CASE_FIXTURE(queueing_machine_fixture, "what no idle machine could hold is refused") {
  auto entry = sent(1);
  entry.order.demand = resources::of_slots(2);
  tell(entry);
  CHECK(running().empty());
  CHECK(ask<node_status>(w, of, sample_atom_v).over_capacity == 1);
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "killing a task makes room for the next, waiting or running") {
  tell(sent(1));
  tell(sent(2));
  tell(sent(3));
  kill({2, 0});
  kill({1, 0});
  CHECK(running() == std::vector<task_id>{{3, 0}});
  w.run_until(3s);
  std::size_t finished = 0;
  std::size_t preempted = 0;
  for (const auto& [came, news] : scheduler.news)
    for (const auto& e : news.ended) {
      finished += e.outcome == task_outcome::finished;
      preempted += e.outcome == task_outcome::preempted;
    }
  CHECK(finished == 1);
  CHECK(preempted == 2);
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "the node tells how much of the machines' capacity was in use") {
  tell(sent(1));
  w.run_until(4s);
  const auto counts = ask<node_status>(w, of, sample_atom_v).queues;
  CHECK(counts.machines == 1);
  CHECK(counts.launched == 1);
  CHECK(counts.used_seconds == doctest::Approx(1));
  CHECK(counts.seconds == doctest::Approx(4));
  CHECK(counts.resources[static_cast<std::size_t>(resource::slots)].utilization() ==
        doctest::Approx(0.25));
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "an idle machine asks others for work, one by one, and stops at last") {
  config->steal_attempts = 2;
  config->steal_below = 3;
  tell(sent(1));
  w.run_until(1s);
  const auto asked = [&] { return others[0].thieves.size() + others[1].thieves.size(); };
  REQUIRE(asked() == 1);
  tell(stolen_entries{1, {}});
  CHECK(asked() == 2);
  tell(stolen_entries{2, {}});
  CHECK(asked() == 2);
  CHECK(ask<node_status>(w, of, sample_atom_v).queues.steal_attempts == 2);
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "what was stolen is served, under the name of its first place") {
  config->steal_attempts = 5;
  config->steal_below = 3;
  tell(sent(1));
  w.run_until(1s);
  auto entry = reservation(9);
  entry.placed_on = 2;
  tell(stolen_entries{2, {entry}});
  REQUIRE(scheduler.requests.size() == 1);
  CHECK(scheduler.requests[0].second.machine == 0);
  CHECK(scheduler.requests[0].second.placed_on == 2);
  CHECK(others[0].thieves.size() + others[1].thieves.size() == 1);
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "a thief gets the reservations behind a long task, and nothing else") {
  tell(machine_order{order(1, false, 10s)});
  tell(reservation(2));
  tell(sent(3));
  tell(machine_order{order(4, false)});
  tell(reservation(5));
  tell(steal_atom_v, machine_id{1});
  REQUIRE(others[0].stolen.size() == 1);
  const auto& loot = others[0].stolen[0].second;
  CHECK(loot.from == 0);
  REQUIRE(loot.entries.size() == 1); // what was sent stays
  CHECK(loot.entries[0].order.task.job == 2);
  tell(steal_atom_v, machine_id{2});
  REQUIRE(others[1].stolen.size() == 1);
  REQUIRE(others[1].stolen[0].second.entries.size() == 1);
  CHECK(others[1].stolen[0].second.entries[0].order.task.job == 5);
  tell(steal_atom_v, machine_id{1});
  REQUIRE(others[0].stolen.size() == 2);
  CHECK(others[0].stolen[1].second.entries.empty());
}

TEST_CASE_FIXTURE(queueing_machine_fixture,
                  "the late news of a killed task does not end its next run here") {
  tell(sent(1));
  kill({1, 0});
  w.run_until(500ms);
  tell(sent(1));
  w.run_until(1200ms);
  CHECK(running() == std::vector<task_id>{{1, 0}});
  w.run_until(1600ms);
  CHECK(running().empty());
}

TEST_CASE_FIXTURE(queueing_machine_fixture, "a machine that leaves has its node tell schedulers") {
  config->neighbours->node = of;
  tell(sent(1, 5s));
  tell(sent(2));
  w.run_until(5ms);
  tell(machine_capacity{0, {}});
  CHECK(running().empty());
  REQUIRE(scheduler.news.size() == 1);
  const auto& news = scheduler.news[0].second;
  CHECK(news.started.size() == 1);
  REQUIRE(news.ended.size() == 1);
  CHECK(news.ended[0].task.job == 1);
  CHECK(news.ended[0].outcome == task_outcome::lost);
  CHECK(news.ended[0].at == 5ms);
  REQUIRE(scheduler.notices.size() == 1);
  CHECK(scheduler.notices[0].second.capacity.is_zero());
  tell(sent(3)); // it crosses the notice
  tell(machine_capacity{0, resources::of_slots(1)});
  tell(sent(4)); // likewise
  CHECK(running().empty());
  tell(capacity_heard{0, 2});
  tell(sent(5));
  CHECK(running() == std::vector<task_id>{{5, 0}});
  w.run();
  CHECK(scheduler.notices.size() == 2);
  std::size_t ends = 0;
  for (const auto& [_, more] : scheduler.news)
    ends += more.ended.size();
  CHECK(ends == 2); // the killed run is reported once
}
