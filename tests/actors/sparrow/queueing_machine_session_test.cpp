#include "actors/machine/emulated_executor.hpp"
#include "actors/machine/node.hpp"
#include "actors/queue/queueing_machine.hpp"
#include "actors/sparrow/sparrow_scheduler.hpp"
#include "actors/sparrow_neighbours.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// A scheduler that keeps what machines tell it in a session.
sparrow_scheduler_actor::behavior_type fake_session(sparrow_scheduler_actor::pointer self,
                                                    inbox<queue_report>* got) {
  return {[](const peers&) {},
          [](const submission&) {},
          [](sample_atom) { return scheduler_status{}; },
          [](const get_task_request&) {},
          [](const task_requests&) {},
          [](const probe_answer&) {},
          [](const task_news&) {},
          [](const capacity_notice&) {},
          [](decided_atom) {},
          [](wake_atom) {},
          keep(*got, self),
          [](const process_heartbeat&) {},
          [](heartbeat_atom) {},
          [](const heartbeat_reply&) {},
          [](const membership&) {},
          [](const job_delivery&) {},
          [](const store_seen&) {},
          [](const sample_request&) { return scheduler_status{}; }};
}

master_actor::behavior_type fake_master(master_actor::pointer self) {
  return {[](const peers&) {},
          [](join_atom, const member&, const caf::strong_actor_ptr&) {},
          [](gone_atom, const member&) {},
          [](round_atom) {},
          [](heartbeat_atom) {},
          [self](const member_heartbeat& beat) {
            caf::anon_send(caf::actor_cast<follower_actor>(self->current_sender()),
                           heartbeat_reply{1, 1, beat.sent, false});
          }};
}

workload_actor::behavior_type fake_store(workload_actor::pointer self, inbox<store_report>* got) {
  return {[](const peers&) {},
          [](due_atom) {},
          [](sample_atom) { return workload_status{}; },
          [](flush_atom) { return workload_status{}; },
          [](heartbeat_atom) {},
          [](const heartbeat_reply&) {},
          [](const membership&) {},
          keep(*got, self)};
}

/// One machine with a slot on a real node.
struct queueing_machine_session_fixture {
  inbox<queue_report> messages;
  inbox<store_report> reports;
  std::shared_ptr<emulated_executor> runs = std::make_shared<emulated_executor>(1ms);
  std::shared_ptr<std::vector<task_host_actor>> hosts =
    std::make_shared<std::vector<task_host_actor>>();
  std::map<std::pair<role, std::uint32_t>, caf::strong_actor_ptr> known;
  world w;
  std::shared_ptr<std::atomic<std::uint32_t>> to_empty =
    std::make_shared<std::atomic<std::uint32_t>>(0);
  queueing_machine_actor machine;
  node_actor of;

  reach_function reach() {
    return
      [this](role what, std::uint32_t number, incarnation_id incarnation) -> caf::strong_actor_ptr {
        if (incarnation > 1)
          return nullptr; // someone else's
        const auto it = known.find({what, number});
        return it == known.end() ? nullptr : it->second;
      };
  }

  explicit queueing_machine_session_fixture(const capacity_schedule& capacities = {}) {
    const auto config = std::make_shared<queueing_machine_config>();
    config->queue.runs_on = runs;
    queue_session_config session;
    session.rules = {1, 900ms, 1};
    session.to_empty = to_empty;
    session.reach = reach();
    session.capacities = capacities;
    session.capacities_from = std::make_shared<run_begin>(instant{0});
    machine = spawn_queueing_machine(w.system(), handling::queued, 0, resources::of_slots(1),
                                     config, &session);
    hosts->push_back(caf::actor_cast<task_host_actor>(pointer(machine)));
    node_config of_node{runs, {}};
    of_node.hosts = hosts;
    of = w.system().spawn(node, std::move(of_node));
    runs->attach(of);
    known[{role::machine, 0}] = pointer(machine);
    w.settle();
  }

  void fake_scheduler() {
    known[{role::scheduler, 0}] = pointer(w.system().spawn(fake_session, &messages));
  }

  sparrow_scheduler_actor spawn_scheduler(std::function<void()> retire) {
    sparrow_scheduler_config config;
    config.machines = slot_machines(1, 1, 1);
    config.random = random_stream{1};
    config.session.emplace();
    config.session->rules.stores = {0};
    config.session->failover = {{role::scheduler, 0, 1},
                                {1, 1, {{role::scheduler, 0, 1}}},
                                500ms,
                                reach(),
                                std::move(retire)};
    return w.system().spawn(sparrow_scheduler, std::move(config));
  }

  void tell(queue_orders orders) {
    caf::anon_send(machine, std::move(orders));
    w.settle();
  }
};

} // namespace

TEST_CASE_FIXTURE(queueing_machine_session_fixture,
                  "a machine with a queue stops what it runs at the end of the lease") {
  fake_scheduler();
  tell({0, 1, 0, 0, false});
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].second.joins);
  w.run_until(850ms); // the lease is nearly over when the task starts
  queue_entry order;
  order.kind = entry_kind::task;
  order.order = {{1, 0}, 0, resources::of_slots(1), 5s};
  tell({0, 1, 0, 1, true, 0s, 0, 0, 1, {order}});
  CHECK(runs->status().launched == 1);
  messages.clear();
  w.run_until(899ms);
  CHECK(messages.empty());
  w.run_until(900ms);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].first == 900ms);
  CHECK(messages[0].second.incarnation == 2);
  CHECK(messages[0].second.running.empty());
}

TEST_CASE_FIXTURE(queueing_machine_session_fixture,
                  "an order that comes outside of a session is not carried out") {
  fake_scheduler();
  queue_entry entry;
  entry.kind = entry_kind::task;
  entry.order = {{1, 0}, 0, resources::of_slots(1), 5s};
  caf::anon_send(machine, entry);
  machine_order order;
  order.what = entry.order;
  caf::anon_send(machine, order);
  caf::anon_send(machine, steal_atom_v, machine_id{1});
  caf::anon_send(machine, stolen_entries{1, {entry}});
  w.settle();
  CHECK(runs->status().launched == 0);
}

TEST_CASE_FIXTURE(queueing_machine_session_fixture,
                  "a machine that is to leave counts until it has nothing more") {
  fake_scheduler();
  tell({0, 1, 0, 0, false});
  queue_entry order;
  order.kind = entry_kind::task;
  order.order = {{1, 0}, 0, resources::of_slots(1), 200ms};
  tell({0, 1, 0, 1, true, 0s, 0, 0, 1, {order}});
  CHECK(*to_empty == 0);
  messages.clear();
  caf::anon_send(machine, leave_atom_v);
  w.settle();
  CHECK(*to_empty == 1);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].second.leaves);
  w.run_until(300ms);
  CHECK(runs->status().ended == 1);
  CHECK(*to_empty == 1); // the end may not be known
  tell({0, 1, 0, 1, true, 200ms, 2, 1});
  CHECK(*to_empty == 0);
}

TEST_CASE_FIXTURE(queueing_machine_session_fixture,
                  "a Sparrow scheduler runs what a job store delivers and tells its end") {
  known[{role::master, 0}] = pointer(w.system().spawn(fake_master));
  known[{role::workload, 0}] = pointer(w.system().spawn(fake_store, &reports));
  const auto scheduler = spawn_scheduler([] {});
  known[{role::scheduler, 0}] = pointer(scheduler);
  w.settle();
  job_delivery delivery{0, 1, 1, false, {}};
  delivery.jobs.push_back({slot_job(7, 2, 0s, 300ms), {}});
  caf::anon_send(scheduler, delivery);
  w.run_until(500ms); // one after the other
  CHECK(runs->status().launched == 2);
  CHECK(runs->status().ended == 1);
  w.run_until(1s);
  std::vector<task_id> over;
  for (const auto& [_, report] : reports)
    over.insert(over.end(), report.over.begin(), report.over.end());
  CHECK(std::ranges::find(over, task_id{7, 0}) != over.end());
  CHECK(std::ranges::find(over, task_id{7, 1}) != over.end());
}

TEST_CASE_FIXTURE(queueing_machine_session_fixture, "a Sparrow scheduler that is replaced ends") {
  bool retired = false;
  const auto scheduler = spawn_scheduler([&] { retired = true; });
  known[{role::scheduler, 0}] = pointer(scheduler);
  w.settle();
  SUBCASE("as the master says") {
    caf::anon_send(scheduler, membership{1, 2, {{role::scheduler, 0, 2}}});
  }
  SUBCASE("as a machine says that obeys a later incarnation") {
    tell({0, 2, 0, 0, false});
    CHECK_FALSE(retired);
    tell({0, 1, 0, 0, false});
  }
  w.settle();
  CHECK(retired);
}

namespace {

/// It is away from 300 ms to 600 ms.
struct absent_machine_fixture : queueing_machine_session_fixture {
  absent_machine_fixture() : queueing_machine_session_fixture(schedule()) {}

  static capacity_schedule schedule() {
    capacity_schedule all;
    all.add(300ms, {});
    all.add(600ms, resources::of_slots(1));
    return all;
  }

  std::vector<queue_event> events() const {
    std::vector<queue_event> all;
    for (const auto& [_, message] : messages)
      all.insert(all.end(), message.events.begin(), message.events.end());
    return all;
  }
};

} // namespace

TEST_CASE_FIXTURE(absent_machine_fixture, "a machine leaves and returns by its own clock") {
  fake_scheduler();
  tell({0, 1, 0, 0, false});
  w.run_until(200ms);
  queue_entry entry;
  entry.kind = entry_kind::task;
  entry.order = {{1, 0}, 0, resources::of_slots(1), 5s};
  tell({0, 1, 0, 1, true, w.now(), 0, 0, 1, {entry}});
  w.run_until(300ms);
  REQUIRE(events().size() == 3);
  CHECK(std::get<machine_event>(events()[1]).end.outcome == task_outcome::lost);
  CHECK(std::get<machine_event>(events()[1]).end.at == 300ms);
  CHECK(std::get<capacity_notice>(events()[2]).capacity.is_zero());
  w.run_until(600ms);
  REQUIRE(events().size() == 4);
  CHECK(std::get<capacity_notice>(events()[3]).number == 2);
  CHECK(messages.back().first == 600ms);
}
