#include "actors/sparrow/session_world.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A session that calls some of its machines at a time.
struct calling_session {
  calling_session(std::uint32_t all, std::uint32_t calls)
    : calling_session(all, calls, rules_of(1)) {}

  calling_session(std::uint32_t all, std::uint32_t calls, const sparrow_session_rules& as)
    : machines(even_catalog(all, 1, 1)), session(rules(calls, as), own_id, all, core, 0s) {}

  static sparrow_session_rules rules(std::uint32_t calls, sparrow_session_rules as) {
    as.calls = calls;
    return as;
  }

  catalog machines;
  sparrow_core core{own_id, machines, {}, random_stream{1}, 0};
  sparrow_session session;
};

} // namespace

TEST_CASE("what a silent machine had runs elsewhere, but only if nobody can have taken over") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  w.run(m, 100ms);
  CHECK(w.core.counts().running == 1);
  w.watch(500ms, 5s, false); // without the master
  CHECK(w.core.counts().running == 1);
  w.watch(5s, 5s);
  CHECK(w.core.counts().running == 0);
  CHECK(w.core.counts().queued == 1);
  CHECK(w.ordered(5s).size() >= 1);
  // The machine is told that it has been given up, and comes back with another incarnation.
  w.session.hear(w.report(m, 6s), 6s);
  const auto messages = w.session.due_orders(6s);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].incarnation == 2);
  CHECK_FALSE(messages[0].renews);
}

TEST_CASE("machines are called some at a time, in turn, if that is asked for") {
  calling_session of_four{4, 3};
  auto& session = of_four.session;
  const auto called = [&](instant now) {
    session.vouched(now, now);
    session.look_around(now);
    std::vector<machine_id> all;
    for (const auto& w : session.due_orders(now))
      all.push_back(w.machine);
    return all;
  };
  CHECK(called(0s) == std::vector<machine_id>{0, 1, 2});
  CHECK(called(500ms) == std::vector<machine_id>{3, 0, 1});
  queue_report report{2, 1, own_id, 1, 600ms};
  report.joins = true;
  session.hear(report, 600ms);
  session.due_orders(600ms);
  CHECK(called(1s) == std::vector<machine_id>{3, 0, 1});
}

TEST_CASE("a scheduler that calls some machines at a time waits until it can choose among them") {
  calling_session of_six{6, 2};
  auto& session = of_six.session;
  session.vouched(0s, 0s);
  const auto join = [&](machine_id m, bool leaves) {
    queue_report report{m, 1, own_id, 1, 0s};
    report.joins = true;
    report.leaves = leaves;
    session.hear(report, 0s);
  };
  session.look_around(0s); // calls 0 and 1
  join(0, true);
  join(1, false);
  CHECK_FALSE(session.knows_machines(1500ms)); // all jobs would go to machine 1
  SUBCASE("as many as it calls at once may take tasks") {
    join(2, false);
    CHECK_FALSE(session.knows_machines(1499ms));
    CHECK(session.knows_machines(1500ms));
  }
  SUBCASE("all have been called") {
    session.look_around(500ms); // 2 and 3
    CHECK_FALSE(session.knows_machines(1500ms));
    session.look_around(1s); // 4 and 5
    CHECK(session.knows_machines(1500ms));
  }
}

TEST_CASE("an idle machine may be silent") {
  session_world w;
  w.join_all(0s);
  w.session.vouched(20s, 20s);
  w.session.look_around(20s);
  w.deliver(slot_job(1, 4), 20s);
  CHECK(w.ordered(20s).size() == 4);
}

TEST_CASE("idle machines whose capacity changes are called while jobs lack machines") {
  session_world w;
  w.join_all(0s);
  for (machine_id m = 0; m < 4; ++m) {
    auto notice = w.report(m, 0s);
    notice.events = {capacity_notice{m, {}, 1}}; // it has nothing now
    w.session.hear(notice, 0s);
    w.events[m] = w.orders[m] = 1; // the answer is an order
    w.session.due_orders(0s);
    w.session.hear(w.report(m, 1ms), 1ms);
  }
  const auto called = [&](instant now) {
    w.session.vouched(now, now);
    w.session.look_around(now);
    std::set<machine_id> all;
    for (const auto& to : w.session.due_orders(now))
      all.insert(to.machine);
    return all;
  };
  CHECK(called(500ms).empty());
  w.deliver(slot_job(1, 1), 500ms);
  CHECK(called(1s) == std::set<machine_id>{0, 1, 2, 3});
  // One was restarted without having told its end, and has all of its capacity.
  w.session.hear(w.joining(2, 1100ms, 1000), 1100ms);
  CHECK(w.ordered(1100ms) == std::set<machine_id>{2});
  w.deliver(slot_job(2, 1), 1100ms); // does not lack machines
  w.session.due_orders(1100ms);
  CHECK(called(1500ms).empty());
}

TEST_CASE("a machine with a new incarnation has lost its tasks and entries") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  w.run(m, 100ms);
  w.session.hear(w.joining(m, 200ms, 7), 5s); // nobody knows whether it may be heard
  CHECK(w.core.counts().running == 1);
  w.session.vouched(5s, 5s);
  w.session.hear(w.joining(m, 5s, 7), 5s);
  CHECK(w.core.counts().running == 0);
  CHECK(w.core.counts().queued == 1);
}

TEST_CASE("a task is given up after its retries") {
  session_world w{1, 1};
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  for (incarnation_id incarnation = 2; incarnation < 4; ++incarnation) {
    auto m = w.ordered(0s);
    REQUIRE_FALSE(m.empty());
    w.run(*m.begin(), 100ms);
    CHECK(w.core.counts().lost == 0);
    w.events[*m.begin()] = 0;
    w.session.hear(w.joining(*m.begin(), 100ms, incarnation * 10), 100ms);
  }
  CHECK(w.core.counts().lost == 1);
  CHECK(w.session.idle());
  REQUIRE(w.session.news(200ms).size() == 1);
}

TEST_CASE("an end may be forgotten once the job store knows of it") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  const auto task = w.run(m, 100ms);
  w.tell(m, w.end(task, m, 200ms), 200ms);
  CHECK(w.core.counts().finished == 1);
  const auto told = [&](instant now) {
    w.session.look_around(now);
    for (const auto& orders : w.session.due_orders(now))
      if (orders.machine == m)
        return std::optional{orders.ends_done};
    return std::optional<std::uint64_t>{};
  };
  CHECK(told(200ms) == 0);
  const auto news = w.session.news(200ms);
  REQUIRE(news.size() == 1);
  CHECK(news[0].second.first == 1);
  CHECK(news[0].second.over == std::vector<task_id>{task});
  w.session.confirm({0, 1, 1}, 300ms);
  CHECK(told(300ms) == 1);
  CHECK_FALSE(told(400ms));
}

TEST_CASE("a new incarnation waits for every machine before it runs the tasks of the earlier one") {
  session_world w{2};
  w.session.vouched(0s, 0s);
  w.session.deliver(left_over(2, slot_job(1, 3), {0}), 0s);
  for (machine_id m = 0; m < 3; ++m) {
    auto b = w.joining(m, 0s);
    if (m == 1)
      b.running = {{1, 1}};
    w.session.hear(b, 0s);
  }
  CHECK(w.session.taking_over());
  CHECK(w.core.counts().submitted == 0);
  w.session.hear(w.joining(3, 10ms), 10ms);
  CHECK_FALSE(w.session.taking_over());
  CHECK(w.core.counts().running == 1);
  CHECK(w.core.counts().queued == 1);
  w.tell(1, w.end({1, 1}, 1, 20ms), 20ms);
  CHECK(w.core.counts().finished == 1);
}

TEST_CASE("a new incarnation does without machines that must have stopped") {
  session_world w{2};
  w.session.vouched(0s, 0s);
  w.session.deliver(left_over(2, slot_job(1, 1)), 0s);
  for (machine_id m = 0; m < 3; ++m)
    w.session.hear(w.joining(m, 0s), 0s);
  w.session.look_around(9499ms);
  CHECK(w.session.taking_over());
  w.session.look_around(9500ms); // 8 s of the earlier incarnation and 1.5 s of the machine
  CHECK_FALSE(w.session.taking_over());
  // What comes later with something cannot be waited for any more.
  w.session.vouched(9600ms, 9600ms);
  w.session.due_orders(9600ms);
  auto late = w.joining(3, 9600ms);
  late.running = {{1, 0}};
  w.session.hear(late, 9600ms);
  const auto messages = w.session.due_orders(9600ms);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].machine == 3);
  CHECK(messages[0].incarnation == 2);
  CHECK_FALSE(messages[0].renews);
}

TEST_CASE("without a lease, a machine counts as down after it has been called for its time-out") {
  auto rules = rules_of(2);
  rules.lease = rules.old_lease = 0s;
  calling_session of_six{6, 1, rules};
  auto& session = of_six.session;
  session.deliver(left_over(2, slot_job(1, 1)), 0s);
  const auto watch = [&](instant from, instant to) {
    for (auto now = from; now <= to; now += 500ms) {
      session.vouched(now, now);
      session.look_around(now);
    }
  };
  watch(0s, 8s); // 17 calls
  CHECK(session.taking_over());
  watch(8500ms, 8500ms);
  CHECK_FALSE(session.taking_over());
}

TEST_CASE(
  "ends that an earlier incarnation has booked count, as do those of the tasks that it left") {
  session_world w{2};
  w.session.vouched(0s, 0s);
  for (machine_id m = 0; m < 4; ++m) {
    auto b = w.joining(m, 0s);
    if (m == 0)
      b.ended = {{1, own_id, {{1, 0}, 0, task_outcome::finished, 0s}}};
    if (m == 2)
      b.running = {{1, 1}};
    w.session.hear(b, 0s);
  }
  w.tell(2, w.end({1, 1}, 2, 5ms), 5ms);
  w.session.deliver(left_over(2, slot_job(1, 2)), 10ms);
  CHECK_FALSE(w.session.taking_over());
  CHECK(w.core.counts().finished == 2);
  CHECK(w.core.unknown_news() == 0);
  CHECK(w.session.idle());
}

TEST_CASE("a scheduler says nothing when its lease has run out, and ends when it is replaced") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 9999ms);
  CHECK_FALSE(w.ordered(9999ms).empty());
  w.session.look_around(10499ms);
  CHECK(w.session.due_orders(10499ms).empty());
  auto b = w.report(0, 10500ms);
  b.scheduler_incarnation = 2;
  CHECK_FALSE(w.session.hear(b, 10500ms));
}

TEST_CASE("a machine that leaves finishes what it runs and is given nothing more") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  const auto task = w.run(m, 100ms);
  auto leaving = w.report(m, 200ms);
  leaving.busy = leaving.leaves = true;
  w.session.hear(leaving, 200ms);
  CHECK(w.core.counts().running == 1);
  w.session.due_orders(200ms);
  for (job_id id = 2; id < 30; ++id)
    w.deliver(slot_job(id, 1), 300ms);
  CHECK_FALSE(w.ordered(300ms).contains(m));
  w.tell(m, w.end(task, m, 400ms), 400ms);
  CHECK(w.core.counts().running == 0);
  CHECK(w.core.counts().finished == 1);
}

TEST_CASE("reservations on a leaving machine move to other machines") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 2), 0s); // on all four
  CHECK(w.ordered(0s).size() == 4);
  w.deliver(slot_job(2, 1), 0s); // on two
  const auto reserved = w.ordered(0s);
  for (const auto m : reserved) {
    auto leaving = w.report(m, 100ms);
    leaving.leaves = true;
    w.session.hear(leaving, 100ms);
  }
  const auto now = w.ordered(100ms);
  CHECK(std::ranges::any_of(now, [&](machine_id m) { return !reserved.contains(m); }));
  // It asks for a task all the same, for the reservation that it still has, and gets none.
  const auto m = *reserved.begin();
  w.tell(m, w.request(2, m), 200ms);
  for (const auto& orders : w.session.due_orders(200ms))
    for (const auto& o : orders.orders)
      if (const auto* answer = std::get_if<task_assignment>(&o);
          orders.machine == m && answer != nullptr)
        CHECK(answer->none);
}

TEST_CASE("a machine that leaves and dies has lost what it had") {
  session_world w;
  w.join_all(0s);
  w.deliver(slot_job(1, 1), 0s);
  const auto m = *w.ordered(0s).begin();
  w.run(m, 100ms);
  auto leaving = w.report(m, 200ms);
  leaving.busy = leaving.leaves = true;
  w.session.hear(leaving, 200ms);
  w.watch(500ms, 5s);
  CHECK(w.core.counts().running == 0);
  CHECK(w.core.counts().queued == 1);
  // Started again, it takes part as before.
  w.session.hear(w.joining(m, 6s, 9), 6s);
  w.events[m] = 0;
  CHECK(w.session.due_orders(6s).size() >= 1);
}

TEST_CASE("a machine that leaves with nothing is called again when it is silent") {
  session_world w;
  w.join_all(0s);
  auto leaving = w.report(1, 200ms);
  leaving.leaves = true;
  w.session.hear(leaving, 200ms);
  w.session.due_orders(200ms);
  w.watch(500ms, 1500ms);
  CHECK(w.session.due_orders(1500ms).empty());
  w.watch(2s, 2s);
  const auto messages = w.session.due_orders(2s);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].machine == 1);
  CHECK_FALSE(messages[0].renews);
}
