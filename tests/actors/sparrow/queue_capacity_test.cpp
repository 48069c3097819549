#include "actors/fake_executor.hpp"
#include "actors/machine/machine_session.hpp"
#include "actors/queue/granted_tasks.hpp"
#include "actors/queue/queue_sessions.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using troupe::test::fake_executor;
using namespace std::chrono_literals;

namespace {

/// Keeps what schedulers are told.
struct told_schedulers final : queue_listener {
  bool may_start(scheduler_id, instant) const override { return true; }
  void started(scheduler_id, const task_start&) override {}
  void tell(scheduler_id, const get_task_request& what) override { asked.push_back(what); }
  void tell(scheduler_id, const probe_answer& what) override { lengths.push_back(what.length); }

  std::vector<get_task_request> asked;
  std::vector<std::int32_t> lengths;
};

resources slots(std::int32_t n) {
  return resources::of_slots(n);
}

/// Machine 0 of one, with four slots.
struct shrinking_machine {
  std::shared_ptr<fake_executor> executor = std::make_shared<fake_executor>();
  catalog machines = even_catalog(1, 1, 4);
  queue_rules rules{
    executor, queue_discipline::fifo, {}, std::make_shared<queue_meter>(machines, 1)};
  queue_server subject{0, slots(4), rules};
  told_schedulers heard;

  void send(entry_kind kind, job_id job, std::int32_t demand, scheduler_id scheduler = 0,
            machine_id placed_on = 0) {
    queue_entry e;
    e.kind = kind;
    e.order = {{job, 0}, scheduler, slots(demand), 5s};
    e.placed_on = placed_on;
    subject.obey(e, heard, 0s);
  }

  void assign(job_id job, std::int32_t demand) {
    subject.obey(task_assignment{false, 0, {{job, 0}, 0, slots(demand), 5s}}, heard, 0s);
  }

  /// Returns the tasks that are killed.
  std::vector<job_id> change(std::int32_t to, instant now = 1s) {
    subject.resize(slots(to) - subject.core().capacity(), now);
    std::vector<job_id> killed;
    for (const auto& k : subject.shrink(heard, now))
      killed.push_back(k.task.job);
    number = subject.note_capacity().number;
    subject.serve(heard, now);
    return killed;
  }

  void hear(scheduler_id scheduler = 0) {
    subject.obey(capacity_heard{scheduler, number}, heard, 1s);
  }

  std::uint32_t number = 0;
};

} // namespace

TEST_CASE_FIXTURE(shrinking_machine, "a machine that shrinks kills the latest tasks") {
  for (job_id job = 1; job <= 4; ++job)
    send(entry_kind::task, job, 1);
  send(entry_kind::task, 5, 1);
  CHECK(change(2) == std::vector<job_id>{4, 3});
  CHECK(subject.core().running() == std::vector<task_id>{{1, 0}, {2, 0}});
  CHECK(executor->killed.size() == 2);
  CHECK(subject.core().waiting() == 1);
  CHECK(change(3).empty()); // what waits starts
  CHECK(executor->runs({5, 0}));
  CHECK(rules.meter->counts(2s).used_seconds == doctest::Approx(1 + 1));
}

TEST_CASE_FIXTURE(shrinking_machine, "what no longer fits does not block the queue") {
  send(entry_kind::task, 1, 1);
  send(entry_kind::task, 2, 4);
  send(entry_kind::reservation, 3, 3);
  send(entry_kind::task, 4, 2);
  CHECK(change(2).empty());
  CHECK(subject.core().waiting() == 1); // schedulers send the others elsewhere
  CHECK(heard.asked.empty());
  subject.ended(executor->end({1, 0}), 2s);
  subject.serve(heard, 2s);
  CHECK(executor->runs({4, 0}));
}

TEST_CASE_FIXTURE(shrinking_machine, "a machine that leaves keeps nothing") {
  send(entry_kind::task, 1, 3);
  send(entry_kind::reservation, 2, 1);
  CHECK(heard.asked.size() == 1);
  send(entry_kind::reservation, 3, 1);
  CHECK(change(0) == std::vector<job_id>{1});
  CHECK(subject.core().waiting() == 0);
  subject.obey(queue_probe{0, 1, 0, one_slot}, heard, 1s);
  CHECK(heard.lengths.empty());
  assign(2, 1); // the answer to the request crosses the notice
  CHECK(subject.core().idle());
  CHECK(executor->running.empty());
  CHECK_FALSE(subject.core().holds(0));
  change(4);
  send(entry_kind::task, 4, 1); // its scheduler has heard of neither notice
  CHECK(executor->running.empty());
  hear();
  send(entry_kind::task, 5, 1);
  CHECK(executor->runs({5, 0}));
  send(entry_kind::task, 6, 1, 1); // nor has this one
  CHECK_FALSE(executor->runs({6, 0}));
  CHECK(executor->refused.empty());
}

TEST_CASE_FIXTURE(shrinking_machine, "an order that fits every capacity is taken in any case") {
  change(2);
  change(4);
  send(entry_kind::task, 1, 2);
  CHECK(executor->runs({1, 0}));
  send(entry_kind::task, 2, 3);
  CHECK(subject.core().waiting() == 0);
}

TEST_CASE_FIXTURE(shrinking_machine, "what is held for a request gives way to what runs") {
  send(entry_kind::task, 1, 1);
  send(entry_kind::reservation, 2, 3);
  send(entry_kind::reservation, 3, 1); // it waits
  CHECK(change(3).empty());
  CHECK(heard.asked.size() == 2); // nothing is held for the first one any more
  assign(2, 3);
  CHECK_FALSE(executor->runs({2, 0})); // it waits for its turn
  assign(3, 1);
  CHECK(executor->runs({3, 0}));
  for (const auto& task : {task_id{1, 0}, task_id{3, 0}})
    subject.ended(executor->end(task), 2s);
  subject.serve(heard, 2s);
  CHECK(executor->runs({2, 0}));
}

TEST_CASE_FIXTURE(shrinking_machine, "a scheduler hears of a stolen reservation that is dropped") {
  send(entry_kind::task, 1, 4);
  send(entry_kind::reservation, 2, 3, 0, 7);
  change(2);
  REQUIRE(heard.asked.size() == 1);
  CHECK(heard.asked[0].job == 2);
  CHECK(heard.asked[0].placed_on == 7);
  subject.obey(task_assignment{true, 0, {{2, 0}, 0, {}, {}}}, heard, 1s);
  CHECK_FALSE(subject.core().holds(0));
  queue_entry stolen;
  stolen.order = {{3, 0}, 0, slots(3), 5s};
  stolen.placed_on = 7;
  subject.take_in({stolen}, heard);
  CHECK(heard.asked.size() == 2);
  CHECK(executor->refused.empty());
}

TEST_CASE_FIXTURE(shrinking_machine, "a machine that dies counts as whole until it is back") {
  change(1);
  subject.died(3s);
  const auto counts = rules.meter->counts(5s);
  CHECK(counts.resources[static_cast<std::size_t>(resource::slots)].capacity ==
        doctest::Approx(4 + 2 * 1 + 2 * 4));
}

namespace {

/// A machine with four slots whose owner has granted tasks, beside those of scheduler 0.
struct shared_machine {
  std::shared_ptr<fake_executor> executor = std::make_shared<fake_executor>();
  queue_rules rules{executor};
  queue_server server{3, slots(4), rules};
  queue_sessions sessions{{1, 900ms, 1}, server};
  std::shared_ptr<run_begin> begin = std::make_shared<run_begin>(instant{0});
  granted_tasks host{server, sessions};
  machine_session owner{owner_rules(), host};
  std::uint64_t orders = 0;

  machine_session_rules owner_rules() const {
    machine_session_rules r;
    r.capacities.add(5s, slots(2));
    r.capacities.add(6s, {});
    r.capacities.add(7s, slots(4));
    r.capacities_from = begin;
    return r;
  }

  queue_orders orders_at(instant now) { return {0, 1, 3, 1, true, now}; }

  void join() {
    auto first = orders_at(0s);
    first.incarnation = 0;
    first.renews = false;
    sessions.hear(first, 0s);
    sessions.hear(orders_at(0s), 0s);
    owner.hear({0, 1, 3, 1, 0s, false, false, 0, 0}, 0s);
    owner.hear({0, 1, 3, 1, 0s, true, false, 0, 0}, 0s);
  }

  void renew(instant now) {
    sessions.hear(orders_at(now), now);
    owner.hear({0, 1, 3, 1, now, true, false, 0, 0}, now);
  }

  void send(std::uint32_t task, std::int32_t demand, instant now) {
    auto w = orders_at(now);
    queue_entry entry;
    entry.kind = entry_kind::task;
    entry.order = {{7, task}, 0, slots(demand), 50s};
    w.first_order = ++orders;
    w.orders = {entry};
    sessions.hear(w, now);
  }

  void grant(std::uint32_t task, std::int32_t demand, std::uint64_t number) {
    machine_order order;
    order.what = {{8, task}, 0, slots(demand), 50s};
    order.owner_incarnation = order.incarnation = 1;
    order.number = number;
    owner.obey(order, 1s);
  }

  void go_to(instant now) {
    renew(now);
    CHECK(owner.catch_up(now));
    sessions.change_capacity(now);
  }
};

} // namespace

TEST_CASE_FIXTURE(shared_machine, "what an owner has granted goes before what others have sent") {
  join();
  send(0, 2, 1s);
  grant(0, 1, 1);
  grant(1, 1, 2);
  CHECK(executor->running.size() == 3);
  go_to(5s);
  CHECK(executor->killed == std::vector<task_id>{{7, 0}});
  CHECK(owner.runs({8, 1}));
  auto report = sessions.report(0, 5s);
  REQUIRE(report.events.size() == 3);
  CHECK(std::get<machine_event>(report.events[1]).end.outcome == task_outcome::lost);
  CHECK(std::get<capacity_notice>(report.events[2]).capacity == slots(2));
  CHECK(sessions.keeps_end(0, {7, 0})); // until the scheduler has heard of it
  auto heard = orders_at(5s);
  heard.events_heard = 3;
  sessions.hear(heard, 5s);
  CHECK_FALSE(sessions.keeps_end(0, {7, 0}));
  go_to(6s);
  CHECK(executor->running.empty());
  CHECK(owner.heartbeat(6s).capacity == std::vector<resources>{{}});
  CHECK(owner.heartbeat(6s).ended.size() == 2);
  go_to(7s);
  CHECK(owner.heartbeat(7s).capacity.empty());
  CHECK(server.core().free() == slots(4));
}

TEST_CASE_FIXTURE(shared_machine, "a task that an owner has granted may wait for others' tasks") {
  join();
  send(0, 1, 1s);
  send(1, 2, 1s);
  grant(0, 2, 1); // it waits
  CHECK(executor->running.size() == 2);
  go_to(5s);
  CHECK(executor->killed == std::vector<task_id>{{7, 1}});
  CHECK(server.core().waiting() == 1);
  sessions.end(executor->end({7, 0}), {{7, 0}, 3, task_outcome::finished, 5s}, 5s);
  CHECK(executor->runs({8, 0}));
}

TEST_CASE_FIXTURE(shared_machine, "a machine says what it has when a session begins") {
  join();
  CHECK(sessions.report(0, 1s).capacity.empty());
  go_to(5s);
  auto w = orders_at(5s);
  w.scheduler_incarnation = 2;
  w.renews = false;
  sessions.hear(w, 5s);
  const auto report = sessions.report(0, 5s);
  CHECK(report.joins);
  REQUIRE(report.capacity.size() == 1);
  CHECK(report.capacity[0].capacity == slots(2));
  CHECK(report.capacity[0].number == 1);
}

TEST_CASE("an idle machine has a lease's time to tell of a change") {
  const auto executor = std::make_shared<fake_executor>();
  const queue_rules rules{executor};
  queue_server server{3, slots(4), rules};
  queue_sessions sessions{{1, 900ms, 1}, server};
  queue_orders orders{0, 1, 3, 0, false, 0s};
  sessions.hear(orders, 0s);
  orders.incarnation = 1;
  orders.renews = true;
  sessions.hear(orders, 0s);
  server.resize(resources{} - slots(1), 10s);
  sessions.change_capacity(10s);
  CHECK(sessions.due() == std::vector<scheduler_id>{0});
  sessions.expire(10s);
  CHECK(sessions.incarnation(0) == 1);
  sessions.expire(10900ms);
  CHECK(sessions.incarnation(0) == 2);
}
