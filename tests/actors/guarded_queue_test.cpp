#include "actors/guarded_queue.hpp"
#include "actors/guarded_sparrow.hpp"
#include "actors/machine/emulated_executor.hpp"
#include "actors/node.hpp"
#include "actors/sparrow_neighbours.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

guarded_sparrow_actor::behavior_type fake_guarded_sparrow(guarded_sparrow_actor::pointer self,
                                                          inbox<queue_beat>* got) {
  return {[](const peers&) {},
          [](const submission&) {},
          [](sample_atom) { return scheduler_status{}; },
          keep(*got, self),
          [](const queue_pulse&) {},
          [](decided_atom) {},
          [](beat_atom) {},
          [](const beat_answer&) {},
          [](const roster&) {},
          [](const job_delivery&) {},
          [](const store_seen&) {},
          [](const sample_request&) { return scheduler_status{}; }};
}

guarded_master_actor::behavior_type fake_master(guarded_master_actor::pointer self) {
  return {[](const peers&) {},
          [](join_atom, const member&, const caf::strong_actor_ptr&) {},
          [](gone_atom, const member&) {},
          [](round_atom) {},
          [](map_atom) { return partition_map{}; },
          [](status_atom) { return cluster_status{}; },
          [](beat_atom) {},
          [self](const member_beat& beat) {
            caf::anon_send(caf::actor_cast<follower_actor>(self->current_sender()),
                           beat_answer{1, 1, beat.sent, false});
          }};
}

guarded_workload_actor::behavior_type fake_store(guarded_workload_actor::pointer self,
                                                 inbox<store_report>* got) {
  return {[](const peers&) {},
          [](due_atom) {},
          [](sample_atom) { return workload_status{}; },
          [](flush_atom) { return workload_status{}; },
          [](beat_atom) {},
          [](const beat_answer&) {},
          [](const roster&) {},
          keep(*got, self)};
}

/// One machine with a slot on a real node.
struct guarded_queue_fixture {
  inbox<queue_beat> beats;
  inbox<store_report> reports;
  std::shared_ptr<emulated_executor> runs = std::make_shared<emulated_executor>(1ms);
  std::shared_ptr<std::vector<task_host_actor>> hosts =
    std::make_shared<std::vector<task_host_actor>>();
  std::map<std::pair<role, std::uint32_t>, caf::strong_actor_ptr> known;
  world w;
  std::shared_ptr<std::atomic<std::uint32_t>> to_empty =
    std::make_shared<std::atomic<std::uint32_t>>(0);
  guarded_queue_actor machine;
  node_actor of;

  reach_function reach() {
    return [this](role what, std::uint32_t number, incarnation life) -> caf::strong_actor_ptr {
      if (life > 1)
        return nullptr; // someone else's
      const auto it = known.find({what, number});
      return it == known.end() ? nullptr : it->second;
    };
  }

  guarded_queue_fixture() {
    guarded_queue_config config;
    config.rules = {0, resources::of_slots(1), 1, 900ms, 1};
    config.runs_on = runs;
    config.to_empty = to_empty;
    config.reach = reach();
    machine = w.system().spawn(guarded_queue, std::move(config));
    hosts->push_back(caf::actor_cast<task_host_actor>(pointer(machine)));
    node_config of_node{runs, {}};
    of_node.guarded = hosts;
    of = w.system().spawn(node, std::move(of_node));
    runs->attach(of);
    known[{role::machine, 0}] = pointer(machine);
    w.settle();
  }

  void fake_scheduler() {
    known[{role::scheduler, 0}] = pointer(w.system().spawn(fake_guarded_sparrow, &beats));
  }

  void tell(queue_word word) {
    caf::anon_send(machine, std::move(word));
    w.settle();
  }
};

} // namespace

TEST_CASE_FIXTURE(guarded_queue_fixture,
                  "a machine with a queue stops what it runs at the end of the lease") {
  fake_scheduler();
  tell({0, 1, 0, 0, false});
  REQUIRE(beats.size() == 1);
  CHECK(beats[0].second.joins);
  w.run_until(850ms); // the lease is nearly over when the task starts
  queue_order order;
  order.entry.kind = entry_kind::task;
  order.entry.order = {{1, 0}, 0, resources::of_slots(1), 5s};
  tell({0, 1, 0, 1, true, 0s, 0, 0, 1, {order}});
  CHECK(runs->status().launched == 1);
  beats.clear();
  w.run_until(899ms);
  CHECK(beats.empty());
  w.run_until(900ms);
  REQUIRE(beats.size() == 1);
  CHECK(beats[0].first == 900ms);
  CHECK(beats[0].second.life == 2);
  CHECK(beats[0].second.running.empty());
}

TEST_CASE_FIXTURE(guarded_queue_fixture,
                  "a machine that is to leave counts until it has nothing more") {
  fake_scheduler();
  tell({0, 1, 0, 0, false});
  queue_order order;
  order.entry.kind = entry_kind::task;
  order.entry.order = {{1, 0}, 0, resources::of_slots(1), 200ms};
  tell({0, 1, 0, 1, true, 0s, 0, 0, 1, {order}});
  CHECK(*to_empty == 0);
  beats.clear();
  caf::anon_send(machine, leave_atom_v);
  w.settle();
  CHECK(*to_empty == 1);
  REQUIRE(beats.size() == 1);
  CHECK(beats[0].second.leaves);
  w.run_until(300ms);
  CHECK(runs->status().ended == 1);
  CHECK(*to_empty == 1); // the end may not be known
  tell({0, 1, 0, 1, true, 200ms, 2, 1});
  CHECK(*to_empty == 0);
}

TEST_CASE_FIXTURE(guarded_queue_fixture,
                  "a Sparrow scheduler runs what a job store delivers and tells its end") {
  known[{role::master, 0}] = pointer(w.system().spawn(fake_master));
  known[{role::workload, 0}] = pointer(w.system().spawn(fake_store, &reports));
  guarded_sparrow_config config;
  config.machines = slot_machines(1, 1, 1);
  config.rules.stores = {0};
  config.survival = {
    {role::scheduler, 0, 1}, {1, 1, {{role::scheduler, 0, 1}}}, 500ms, reach(), {}};
  config.random = random_stream{1};
  const auto scheduler = w.system().spawn(guarded_sparrow, std::move(config));
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

TEST_CASE_FIXTURE(guarded_queue_fixture, "a Sparrow scheduler that is replaced ends") {
  bool retired = false;
  guarded_sparrow_config config;
  config.machines = slot_machines(1, 1, 1);
  config.survival = {
    {role::scheduler, 0, 1}, {1, 1, {{role::scheduler, 0, 1}}}, 500ms, reach(), [&] {
      retired = true;
    }};
  const auto scheduler = w.system().spawn(guarded_sparrow, std::move(config));
  known[{role::scheduler, 0}] = pointer(scheduler);
  w.settle();
  SUBCASE("as the master says") {
    caf::anon_send(scheduler, roster{1, 2, {{role::scheduler, 0, 2}}});
  }
  SUBCASE("as a machine says that obeys a later life") {
    tell({0, 2, 0, 0, false});
    CHECK_FALSE(retired);
    tell({0, 1, 0, 0, false});
  }
  w.settle();
  CHECK(retired);
}
