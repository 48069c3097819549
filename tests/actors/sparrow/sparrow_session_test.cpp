#include "actors/sparrow/session_world.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// The heartbeat of a process for `count` machines.
process_heartbeat signs_of(machine_id first, std::uint32_t count, instant sent) {
  return {first, count, 1, role::scheduler, own_id, 1, sent};
}

} // namespace

TEST_CASE("a scheduler reserves on machines that have told that they are there") {
  session_world w;
  w.session.vouched(0s, 0s);
  w.deliver(slot_job(1, 2), 0s);
  CHECK(w.ordered(0s).empty());
  w.join_all(0s, 3);
  w.decide(1499ms);
  CHECK(w.ordered(1499ms).empty()); // one may still come
  w.decide(1500ms);
  CHECK(w.ordered(1500ms) == std::set<machine_id>{0, 1, 2});
}

TEST_CASE("orders are repeated until they are seen") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto asked = w.ordered(0s);
  CHECK(asked.size() == 2);
  w.session.look_around(999ms);
  CHECK(w.ordered(999ms).empty());
  w.session.look_around(1s);
  CHECK(w.ordered(1s) == asked);
  w.orders[*asked.begin()] = 1;
  w.session.hear(w.report(*asked.begin(), 1100ms), 1100ms);
  w.session.look_around(2999ms);
  CHECK(w.ordered(2999ms).empty());
  w.session.look_around(3s); // repetitions become rare
  CHECK(w.ordered(3s) == std::set<machine_id>{*asked.rbegin()});
}

TEST_CASE("an order is told alone once earlier ones were told") {
  session_world w;
  w.join_all(0s);
  for (job_id id = 1; id <= 20; ++id) {
    w.deliver(slot_job(id, 1), 0s);
    for (const auto& orders : w.session.due_orders(0s))
      CHECK(orders.orders.size() == 1);
  }
}

TEST_CASE("a machine is answered at once only if it asks") {
  session_world w;
  w.join_all(0s);
  auto b = w.report(1, 10ms);
  b.busy = true;
  w.session.hear(b, 10ms);
  CHECK(w.session.due_orders(10ms).empty());
  b.asks = true;
  w.session.hear(b, 20ms);
  CHECK(w.session.due_orders(20ms).size() == 1);
  b.asks = false;
  b.events = {probe_answer{}};
  w.session.hear(b, 30ms);
  CHECK(w.session.due_orders(30ms).empty());
  w.session.look_around(500ms);
  const auto messages = w.session.due_orders(500ms);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].events_heard == 1);
}

TEST_CASE("one heartbeat counts for all machines of a process that are in session") {
  session_world w;
  w.join_all(0s, 3);
  w.deliver(slot_job(1, 3), 2s);
  w.decide(2s);
  CHECK(w.ordered(2s).size() == 3);
  for (instant now = 2s; now <= 8s; now += 500ms) {
    w.watch(now, now);
    const auto lease = w.session.hear(signs_of(1, 3, now - 5ms), now);
    REQUIRE(lease);
    CHECK(lease->answers == now - 5ms);
    CHECK(lease->first == 1);
    CHECK(lease->incarnation == 1);
    CHECK_FALSE(lease->renews(3)); // it has not joined
    CHECK(lease->renews(1));
    CHECK(lease->renews(2));
  }
  CHECK_FALSE(w.session.in_session(0, 1));
  CHECK(w.session.in_session(1, 1));
  CHECK(w.session.in_session(2, 1));
  // The process is started again: what it had is not there any more.
  const auto lease = w.session.hear(process_heartbeat{1, 3, 9, role::scheduler, own_id, 1, 8s}, 8s);
  REQUIRE(lease);
  REQUIRE(lease->except.size() == 1);
  CHECK(lease->except[0].first == 1);
  CHECK(lease->except[0].count == 3);
  w.watch(8500ms, 13500ms);
  CHECK_FALSE(w.session.in_session(1, 1));
}

TEST_CASE("a heartbeat for another incarnation, or without the master, is not answered") {
  session_world w;
  w.join_all(0s);
  CHECK_FALSE(w.session.hear(process_heartbeat{0, 4, 1, role::scheduler, own_id, 2, 1s}, 1s));
  CHECK_FALSE(w.session.hear(process_heartbeat{0, 4, 1, role::scheduler, own_id + 1, 1, 1s}, 1s));
  CHECK_FALSE(w.session.hear(process_heartbeat{0, 4, 1, role::owner, own_id, 1, 1s}, 1s));
  CHECK(w.session.hear(signs_of(0, 4, 1s), 1s));
  CHECK(w.session.hear(signs_of(0, 400, 1s), 1s));
  CHECK_FALSE(w.session.hear(signs_of(0, 4, 10s), 10s));
}

TEST_CASE("a scheduler that has stood still gives no machine up for what it has not heard") {
  session_world w;
  w.join_all(0s);
  w.watch(0s, 500ms);
  w.deliver(slot_job(1, 1), 500ms);
  const auto m = *w.ordered(500ms).begin();
  w.run(m, 600ms);
  w.watch(9s, 10s); // it has stood still since
  CHECK(w.core.counts().running == 1);
  w.watch(10500ms, 11s);
  CHECK(w.core.counts().running == 0);
}

TEST_CASE("of a job that a job store withdraws, tasks that wait are told as abandoned") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 9), 0s);
  REQUIRE(w.core.counts().queued == 9);
  job_delivery d{0, 1, ++w.deliveries, false, {}};
  d.withdrawn = {1};
  w.session.deliver(d, 1s);
  CHECK(w.core.counts().abandoned == 9);
  CHECK(w.core.idle());
  std::size_t told = 0;
  for (const auto& [_, report] : w.session.news(1s))
    for (const auto fate : report.fates)
      told += fate == task_fate::abandoned;
  CHECK(told == 9);
}
