#include "actors/fake_executor.hpp"
#include "actors/queue/queue_sessions.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using troupe::test::fake_executor;
using namespace std::chrono_literals;

namespace {

/// A machine with two slots and schedulers 0 and 1.
struct queue_sessions_fixture {
  std::shared_ptr<fake_executor> executor = std::make_shared<fake_executor>();
  fake_executor& runs = *executor;
  queue_rules rules{executor};
  queue_server server{3, resources::of_slots(2), rules};
  queue_sessions sessions{{1, 900ms, 2}, server};

  queue_orders orders(scheduler_id scheduler, incarnation_id scheduler_incarnation, instant answers,
                      incarnation_id incarnation = 1) {
    return {scheduler, scheduler_incarnation, 3, incarnation, true, answers};
  }

  /// The first message of an incarnation of a scheduler.
  void call(scheduler_id scheduler, incarnation_id scheduler_incarnation, instant now,
            incarnation_id incarnation = 0) {
    auto w = orders(scheduler, scheduler_incarnation, 0s, incarnation);
    w.renews = false;
    sessions.hear(w, now);
  }

  void join(scheduler_id scheduler, incarnation_id scheduler_incarnation, instant now) {
    call(scheduler, scheduler_incarnation, now);
    CHECK(sessions.report(scheduler, now).joins);
    sessions.hear(orders(scheduler, scheduler_incarnation, now), now);
    CHECK_FALSE(sessions.report(scheduler, now).joins);
  }

  queue_order task(scheduler_id scheduler, std::uint32_t index, entry_kind kind) {
    queue_entry entry;
    entry.kind = kind;
    entry.order = {{7, index}, scheduler, one_slot, 5s};
    return entry;
  }

  void order(scheduler_id scheduler, std::uint64_t number, const queue_order& what, instant now,
             instant answers) {
    auto w = orders(scheduler, 1, answers);
    w.first_order = number;
    w.orders = {what};
    sessions.hear(w, now);
  }

  bool end(std::uint32_t task, instant at, instant now) {
    const auto run = runs.run_of({7, task});
    runs.running.erase(run);
    return sessions.end(run, {{7, task}, 3, task_outcome::finished, at}, now);
  }
};

} // namespace

TEST_CASE_FIXTURE(queue_sessions_fixture, "orders are carried out once and in their order") {
  join(0, 1, 0s);
  order(0, 2, task(0, 1, entry_kind::task), 10ms, 0s); // the first one is missing
  CHECK(runs.running.empty());
  order(0, 1, task(0, 0, entry_kind::task), 20ms, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 30ms, 0s);
  CHECK(sessions.running() == std::vector<task_id>{{7, 0}, {7, 1}});
  CHECK(sessions.report(0, 30ms).orders_seen == 2);
  CHECK(sessions.report(0, 30ms).busy);
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "events are told until they are heard, ends until job stores know") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  CHECK(end(0, 5010ms, 100ms));
  CHECK_FALSE(end(0, 5010ms, 100ms));
  auto report = sessions.report(0, 100ms);
  REQUIRE(report.events.size() == 2);
  CHECK(report.first_event == 1);
  CHECK(std::holds_alternative<task_start>(report.events[0]));
  CHECK(std::holds_alternative<machine_event>(report.events[1]));
  CHECK_FALSE(report.asks);
  sessions.grant({role::scheduler, 0, 1, 3, 1, 600ms, {}}, 600ms);
  CHECK(sessions.report(0, 600ms).events.empty()); // not yet again
  CHECK(sessions.overdue(1099ms).empty());
  CHECK(sessions.overdue(1100ms) == std::vector<scheduler_id>{0});
  report = sessions.report(0, 1100ms);
  CHECK(report.first_event == 1);
  CHECK(report.events.size() == 2);
  auto heard = orders(0, 1, 1100ms);
  heard.events_heard = 2;
  sessions.hear(heard, 1110ms);
  report = sessions.report(0, 1120ms);
  CHECK(report.events.empty());
  CHECK(report.first_event == 3);
  CHECK(report.busy); // the end is still kept
  heard.ends_done = 1;
  sessions.hear(heard, 1130ms);
  CHECK_FALSE(sessions.report(0, 1140ms).busy);
  CHECK(sessions.idle());
}

TEST_CASE_FIXTURE(queue_sessions_fixture, "an event is told alone once earlier ones were told") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  CHECK(sessions.due() == std::vector<scheduler_id>{0});
  CHECK(sessions.report(0, 10ms).events.size() == 1);
  order(0, 2, task(0, 1, entry_kind::task), 20ms, 0s);
  const auto report = sessions.report(0, 20ms);
  CHECK(report.first_event == 2);
  CHECK(report.events.size() == 1);
  CHECK(sessions.due().empty());
}

TEST_CASE_FIXTURE(queue_sessions_fixture, "orders that lead to nothing are acknowledged in time") {
  join(0, 1, 0s);
  for (std::uint32_t i = 0; i < 3; ++i)
    order(0, i + 1, task(0, i, entry_kind::task), 10ms, 0s);
  sessions.due();
  CHECK(sessions.report(0, 10ms).orders_seen == 3);
  CHECK(sessions.overdue(500ms).empty());
  order(0, 4, task(0, 3, entry_kind::task), 510ms, 0s); // it waits
  CHECK(sessions.due().empty());
  CHECK(sessions.overdue(1s - 1ns) == std::vector<scheduler_id>{0});
  CHECK(sessions.report(0, 999ms).orders_seen == 4);
  CHECK(sessions.overdue(999ms) == std::vector<scheduler_id>{0}); // the lease has run out
}

TEST_CASE_FIXTURE(queue_sessions_fixture, "a lease for many machines counts for those in session") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  CHECK(sessions.watched() == std::vector<scheduler_id>{0});
  const auto sign = sessions.sign_of_life(0, 100ms);
  CHECK(sign.first == 3);
  CHECK(sign.count == 1);
  process_lease lease{role::scheduler, 0, 1, 3, 1, 100ms, {}};
  SUBCASE("it is") {
    sessions.grant(lease, 110ms);
    CHECK(sessions.expires() == 1s);
    lease.answers = 50ms;
    sessions.grant(lease, 120ms); // late
    CHECK(sessions.expires() == 1s);
    return;
  }
  SUBCASE("the scheduler has given it up") {
    lease.except = {{0, 2}, {3, 1}};
  }
  SUBCASE("it is for an earlier process") {
    lease.incarnation = 0;
  }
  SUBCASE("it is from another incarnation of the scheduler") {
    lease.answers_as = 2;
  }
  SUBCASE("the session has ended") {
    call(0, 1, 105ms, 2);
    order(0, 1, task(0, 0, entry_kind::task), 105ms, 0s);
  }
  sessions.grant(lease, 110ms);
  CHECK(sessions.expires() != 1s);
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "a task that waits for a lease starts with one for many") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 3s, 0s);
  CHECK(runs.running.empty());
  sessions.grant({role::scheduler, 0, 1, 0, 1, 3s, {}}, 3s);
  CHECK(runs.running.size() == 1);
}

TEST_CASE_FIXTURE(queue_sessions_fixture, "a machine asks about an end that is kept for long") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  end(0, 5010ms, 5010ms);
  sessions.report(0, 5010ms);
  auto heard = orders(0, 1, 5010ms);
  heard.events_heard = 2;
  sessions.hear(heard, 5020ms); // the message that follows is lost
  sessions.grant({role::scheduler, 0, 1, 3, 1, 5500ms, {}}, 5500ms);
  CHECK(sessions.overdue(6000ms).empty());
  CHECK(sessions.overdue(6020ms) == std::vector<scheduler_id>{0});
  CHECK(sessions.report(0, 6020ms).asks);
  CHECK_FALSE(sessions.report(0, 6030ms).asks);
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "what runs on a lease that has run out is stopped, and nothing else") {
  join(0, 1, 0s);
  join(1, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  order(1, 1, task(1, 1, entry_kind::task), 10ms, 0s);
  sessions.hear(orders(1, 1, 500ms), 510ms);
  CHECK(sessions.expires() == 900ms);
  sessions.expire(899ms);
  CHECK(sessions.running().size() == 2);
  sessions.expire(900ms);
  CHECK(runs.running.size() == 1);
  CHECK(runs.runs({7, 1}));
  const auto report = sessions.report(0, 900ms);
  CHECK(report.incarnation == 2);
  CHECK(report.joins);
  CHECK(report.running.empty());
  CHECK(sessions.report(1, 900ms).incarnation == 1);
}

TEST_CASE_FIXTURE(queue_sessions_fixture, "no task starts without a lease") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 3s, 0s); // long after
  CHECK(runs.running.empty());
  CHECK(sessions.due() == std::vector<scheduler_id>{0});
  sessions.hear(orders(0, 1, 3s), 3010ms);
  CHECK(runs.running.size() == 1);
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "an assignment that comes without a lease waits for one") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::reservation), 800ms, 0s);
  order(0, 2, task_assignment{false, 0, {{7, 5}, 0, one_slot, 5s}}, 950ms, 0s);
  CHECK(runs.running.empty());
  sessions.hear(orders(0, 1, 950ms), 960ms);
  CHECK(runs.runs({7, 5}));
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "what waits for a scheduler that does not answer is dropped in the end") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 3s, 0s);
  sessions.expire(3899ms);
  CHECK_FALSE(sessions.idle());
  sessions.expire(3900ms);
  CHECK(sessions.idle());
  CHECK(sessions.report(0, 3900ms).incarnation == 2);
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "a new incarnation of a scheduler takes over running tasks, and no entries") {
  join(0, 1, 0s);
  for (std::uint32_t i = 0; i < 3; ++i)
    order(0, i + 1, task(0, i, entry_kind::task), 10ms, 0s);
  CHECK(end(1, 5010ms, 50ms)); // task 2 starts
  call(0, 2, 100ms);
  const auto report = sessions.report(0, 100ms);
  CHECK(report.scheduler_incarnation == 2);
  CHECK(report.joins);
  CHECK(report.running == std::vector<task_id>{{7, 0}, {7, 2}});
  REQUIRE(report.ended.size() == 1);
  CHECK(report.ended[0].end.task == task_id{7, 1});
  CHECK(report.events.empty());
  CHECK_FALSE(sessions.hear(orders(0, 1, 100ms), 110ms)); // of the earlier incarnation
  sessions.expire(900ms);                                 // whose lease it still is
  CHECK(sessions.running().empty());
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "reservations of an earlier incarnation hold no resources") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::reservation), 10ms, 0s);
  order(0, 2, task(0, 0, entry_kind::reservation), 10ms, 0s);
  CHECK(sessions.report(0, 10ms).events.size() == 2); // it has asked for two tasks
  CHECK_FALSE(sessions.idle());
  call(0, 2, 20ms);
  CHECK(sessions.idle());
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "a machine that was given up drops all that it has of the scheduler") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  call(0, 1, 20ms, 2);
  CHECK(runs.running.empty());
  CHECK(sessions.report(0, 20ms).incarnation == 2);
  order(0, 2, task(0, 1, entry_kind::task), 30ms, 20ms); // to its earlier incarnation
  CHECK(runs.running.empty());
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "heartbeats end once a scheduler knows that it has nothing here") {
  join(0, 1, 0s);
  CHECK(sessions.overdue(10ms).empty());
  order(0, 1, queue_probe{0, 9, 4, one_slot}, 10ms, 0s);
  auto report = sessions.report(0, 10ms);
  REQUIRE(report.events.size() == 1);
  CHECK(std::get<probe_answer>(report.events[0]).round == 9);
  CHECK(std::get<probe_answer>(report.events[0]).length == -2);
  auto heard = orders(0, 1, 10ms);
  heard.events_heard = 1;
  sessions.hear(heard, 20ms);
  CHECK(sessions.watched().empty());
  CHECK(sessions.overdue(500ms) == std::vector<scheduler_id>{0}); // to say so
  report = sessions.report(0, 500ms);
  CHECK_FALSE(report.busy);
  CHECK(report.asks);
  heard.answers = 500ms;
  sessions.hear(heard, 510ms);
  CHECK(sessions.overdue(1s).empty());
}

TEST_CASE_FIXTURE(queue_sessions_fixture,
                  "a machine that leaves says so until schedulers know, and ends its work") {
  join(0, 1, 0s);
  join(1, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  sessions.due();
  sessions.leave();
  CHECK(sessions.due() == std::vector<scheduler_id>{0, 1});
  CHECK(sessions.overdue(20ms) == std::vector<scheduler_id>{0, 1});
  CHECK(sessions.report(1, 20ms).leaves);
  CHECK(sessions.report(0, 20ms).leaves);
  sessions.hear(orders(1, 1, 10ms), 30ms); // the answer to something earlier
  CHECK(sessions.overdue(30ms) == std::vector<scheduler_id>{0, 1});
  sessions.hear(orders(1, 1, 20ms), 30ms);
  CHECK(sessions.overdue(30ms) == std::vector<scheduler_id>{0});
  CHECK(sessions.running() == std::vector<task_id>{{7, 0}});
  CHECK_FALSE(sessions.idle());
  CHECK(end(0, 5010ms, 100ms));
  auto heard = orders(0, 1, 100ms);
  heard.events_heard = 2;
  heard.ends_done = 1;
  sessions.hear(heard, 110ms);
  CHECK(sessions.idle());
  call(1, 2, 120ms); // a new incarnation has to be told, too
  CHECK(sessions.overdue(120ms).back() == 1);
  CHECK(sessions.report(1, 120ms).leaves);
}
