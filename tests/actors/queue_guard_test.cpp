#include "actors/fake_executor.hpp"
#include "actors/queue_guard.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using troupe::test::fake_executor;
using namespace std::chrono_literals;

namespace {

/// A machine with two slots and schedulers 0 and 1.
struct queue_guard_fixture {
  fake_executor runs;
  queue_guard guard{{3, resources::of_slots(2), 1, 900ms, 2}, {}, runs};

  queue_word word(scheduler_id scheduler, incarnation scheduler_life, instant answers,
                  incarnation life = 1) {
    return {scheduler, scheduler_life, 3, life, true, answers};
  }

  /// The first word of a life of a scheduler.
  void call(scheduler_id scheduler, incarnation scheduler_life, instant now, incarnation life = 0) {
    auto w = word(scheduler, scheduler_life, 0s, life);
    w.renews = false;
    guard.hear(w, now);
  }

  void join(scheduler_id scheduler, incarnation scheduler_life, instant now) {
    call(scheduler, scheduler_life, now);
    CHECK(guard.beat(scheduler, now).joins);
    guard.hear(word(scheduler, scheduler_life, now), now);
    CHECK_FALSE(guard.beat(scheduler, now).joins);
  }

  queue_order task(scheduler_id scheduler, std::uint32_t index, entry_kind kind) {
    queue_order order;
    order.entry.kind = kind;
    order.entry.order = {{7, index}, scheduler, one_slot, 5s};
    return order;
  }

  void order(scheduler_id scheduler, std::uint64_t number, const queue_order& what, instant now,
             instant answers) {
    auto w = word(scheduler, 1, answers);
    w.first_order = number;
    w.orders = {what};
    guard.hear(w, now);
  }

  bool end(std::uint32_t task, instant at, instant now) {
    const auto run = runs.run_of({7, task});
    runs.running.erase(run);
    return guard.end(run, {{7, task}, 3, task_outcome::finished, at}, now);
  }
};

} // namespace

TEST_CASE_FIXTURE(queue_guard_fixture, "orders are carried out once and in their order") {
  join(0, 1, 0s);
  order(0, 2, task(0, 1, entry_kind::task), 10ms, 0s); // the first one is missing
  CHECK(runs.running.empty());
  order(0, 1, task(0, 0, entry_kind::task), 20ms, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 30ms, 0s);
  CHECK(guard.running() == std::vector<task_id>{{7, 0}, {7, 1}});
  CHECK(guard.beat(0, 30ms).orders_seen == 2);
  CHECK(guard.beat(0, 30ms).busy);
}

TEST_CASE_FIXTURE(queue_guard_fixture,
                  "events are told until they are heard, ends until job stores know") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  CHECK(end(0, 5010ms, 100ms));
  CHECK_FALSE(end(0, 5010ms, 100ms));
  auto beat = guard.beat(0, 100ms);
  REQUIRE(beat.events.size() == 2);
  CHECK(beat.first_event == 1);
  CHECK(beat.events[0].kind == queue_event_kind::start);
  CHECK(beat.events[1].kind == queue_event_kind::end);
  CHECK_FALSE(beat.asks);
  guard.grant({0, 1, 3, 1, 600ms, {}}, 600ms);
  CHECK(guard.beat(0, 600ms).events.empty()); // not yet again
  CHECK(guard.overdue(1099ms).empty());
  CHECK(guard.overdue(1100ms) == std::vector<scheduler_id>{0});
  beat = guard.beat(0, 1100ms);
  CHECK(beat.first_event == 1);
  CHECK(beat.events.size() == 2);
  auto heard = word(0, 1, 1100ms);
  heard.events_heard = 2;
  guard.hear(heard, 1110ms);
  beat = guard.beat(0, 1120ms);
  CHECK(beat.events.empty());
  CHECK(beat.first_event == 3);
  CHECK(beat.busy); // the end is still kept
  heard.ends_done = 1;
  guard.hear(heard, 1130ms);
  CHECK_FALSE(guard.beat(0, 1140ms).busy);
  CHECK(guard.idle());
}

TEST_CASE_FIXTURE(queue_guard_fixture, "an event is told alone once earlier ones were told") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  CHECK(guard.due() == std::vector<scheduler_id>{0});
  CHECK(guard.beat(0, 10ms).events.size() == 1);
  order(0, 2, task(0, 1, entry_kind::task), 20ms, 0s);
  const auto beat = guard.beat(0, 20ms);
  CHECK(beat.first_event == 2);
  CHECK(beat.events.size() == 1);
  CHECK(guard.due().empty());
}

TEST_CASE_FIXTURE(queue_guard_fixture, "orders that lead to nothing are acknowledged in time") {
  join(0, 1, 0s);
  for (std::uint32_t i = 0; i < 3; ++i)
    order(0, i + 1, task(0, i, entry_kind::task), 10ms, 0s);
  guard.due();
  CHECK(guard.beat(0, 10ms).orders_seen == 3);
  CHECK(guard.overdue(500ms).empty());
  order(0, 4, task(0, 3, entry_kind::task), 510ms, 0s); // it waits
  CHECK(guard.due().empty());
  CHECK(guard.overdue(1s - 1ns) == std::vector<scheduler_id>{0});
  CHECK(guard.beat(0, 999ms).orders_seen == 4);
  CHECK(guard.overdue(999ms) == std::vector<scheduler_id>{0}); // the lease has run out
}

TEST_CASE_FIXTURE(queue_guard_fixture, "a lease for many machines counts for those in session") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  CHECK(guard.watched() == std::vector<scheduler_id>{0});
  const auto pulse = guard.pulse(0, 100ms);
  CHECK(pulse.first == 3);
  CHECK(pulse.count == 1);
  queue_lease lease{0, 1, 3, 1, 100ms, {}};
  SUBCASE("it is") {
    guard.grant(lease, 110ms);
    CHECK(guard.expires() == 1s);
    lease.answers = 50ms;
    guard.grant(lease, 120ms); // late
    CHECK(guard.expires() == 1s);
    return;
  }
  SUBCASE("the scheduler has given it up") {
    lease.except = {{0, 2}, {3, 1}};
  }
  SUBCASE("it is for an earlier process") {
    lease.life = 0;
  }
  SUBCASE("it is from another life of the scheduler") {
    lease.scheduler_life = 2;
  }
  SUBCASE("the session has ended") {
    call(0, 1, 105ms, 2);
    order(0, 1, task(0, 0, entry_kind::task), 105ms, 0s);
  }
  guard.grant(lease, 110ms);
  CHECK(guard.expires() != 1s);
}

TEST_CASE_FIXTURE(queue_guard_fixture, "a task that waits for a lease starts with one for many") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 3s, 0s);
  CHECK(runs.running.empty());
  guard.grant({0, 1, 0, 1, 3s, {}}, 3s);
  CHECK(runs.running.size() == 1);
}

TEST_CASE_FIXTURE(queue_guard_fixture, "a machine asks for word of an end that is kept for long") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  end(0, 5010ms, 5010ms);
  guard.beat(0, 5010ms);
  auto heard = word(0, 1, 5010ms);
  heard.events_heard = 2;
  guard.hear(heard, 5020ms); // the word that follows is lost
  guard.grant({0, 1, 3, 1, 5500ms, {}}, 5500ms);
  CHECK(guard.overdue(6000ms).empty());
  CHECK(guard.overdue(6020ms) == std::vector<scheduler_id>{0});
  CHECK(guard.beat(0, 6020ms).asks);
  CHECK_FALSE(guard.beat(0, 6030ms).asks);
}

TEST_CASE_FIXTURE(queue_guard_fixture,
                  "what runs on a lease that has run out is stopped, and nothing else") {
  join(0, 1, 0s);
  join(1, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  order(1, 1, task(1, 1, entry_kind::task), 10ms, 0s);
  guard.hear(word(1, 1, 500ms), 510ms);
  CHECK(guard.expires() == 900ms);
  guard.expire(899ms);
  CHECK(guard.running().size() == 2);
  guard.expire(900ms);
  CHECK(runs.running.size() == 1);
  CHECK(runs.runs({7, 1}));
  const auto beat = guard.beat(0, 900ms);
  CHECK(beat.life == 2);
  CHECK(beat.joins);
  CHECK(beat.running.empty());
  CHECK(guard.beat(1, 900ms).life == 1);
}

TEST_CASE_FIXTURE(queue_guard_fixture, "no task starts without a lease") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 3s, 0s); // long after
  CHECK(runs.running.empty());
  CHECK(guard.due() == std::vector<scheduler_id>{0});
  guard.hear(word(0, 1, 3s), 3010ms);
  CHECK(runs.running.size() == 1);
}

TEST_CASE_FIXTURE(queue_guard_fixture, "an assignment that comes without a lease waits for one") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::reservation), 800ms, 0s);
  auto answer = task(0, 5, entry_kind::reservation);
  answer.kind = queue_order_kind::answer;
  order(0, 2, answer, 950ms, 0s);
  CHECK(runs.running.empty());
  guard.hear(word(0, 1, 950ms), 960ms);
  CHECK(runs.runs({7, 5}));
}

TEST_CASE_FIXTURE(queue_guard_fixture,
                  "what waits for a scheduler that does not answer is dropped in the end") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 3s, 0s);
  guard.expire(3899ms);
  CHECK_FALSE(guard.idle());
  guard.expire(3900ms);
  CHECK(guard.idle());
  CHECK(guard.beat(0, 3900ms).life == 2);
}

TEST_CASE_FIXTURE(queue_guard_fixture,
                  "a new life of a scheduler takes over what runs, and nothing that waits") {
  join(0, 1, 0s);
  for (std::uint32_t i = 0; i < 3; ++i)
    order(0, i + 1, task(0, i, entry_kind::task), 10ms, 0s);
  CHECK(end(1, 5010ms, 50ms)); // task 2 starts
  call(0, 2, 100ms);
  const auto beat = guard.beat(0, 100ms);
  CHECK(beat.scheduler_life == 2);
  CHECK(beat.joins);
  CHECK(beat.running == std::vector<task_id>{{7, 0}, {7, 2}});
  REQUIRE(beat.ended.size() == 1);
  CHECK(beat.ended[0].end.task == task_id{7, 1});
  CHECK(beat.events.empty());
  CHECK_FALSE(guard.hear(word(0, 1, 100ms), 110ms)); // of the earlier life
  guard.expire(900ms);                               // whose lease it still is
  CHECK(guard.running().empty());
}

TEST_CASE_FIXTURE(queue_guard_fixture, "reservations of an earlier life hold nothing any more") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::reservation), 10ms, 0s);
  order(0, 2, task(0, 0, entry_kind::reservation), 10ms, 0s);
  CHECK(guard.beat(0, 10ms).events.size() == 2); // it has asked for two tasks
  CHECK_FALSE(guard.idle());
  call(0, 2, 20ms);
  CHECK(guard.idle());
}

TEST_CASE_FIXTURE(queue_guard_fixture,
                  "a machine that was given up drops all that it has of the scheduler") {
  join(0, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  call(0, 1, 20ms, 2);
  CHECK(runs.running.empty());
  CHECK(guard.beat(0, 20ms).life == 2);
  order(0, 2, task(0, 1, entry_kind::task), 30ms, 20ms); // to its earlier life
  CHECK(runs.running.empty());
}

TEST_CASE_FIXTURE(queue_guard_fixture,
                  "signs of life end once a scheduler knows that nothing of it is here") {
  join(0, 1, 0s);
  CHECK(guard.overdue(10ms).empty());
  queue_order probe;
  probe.kind = queue_order_kind::probe;
  probe.probe = {0, 9, 4, one_slot};
  order(0, 1, probe, 10ms, 0s);
  auto beat = guard.beat(0, 10ms);
  REQUIRE(beat.events.size() == 1);
  CHECK(beat.events[0].length.round == 9);
  CHECK(beat.events[0].length.length == -2);
  auto heard = word(0, 1, 10ms);
  heard.events_heard = 1;
  guard.hear(heard, 20ms);
  CHECK(guard.watched().empty());
  CHECK(guard.overdue(500ms) == std::vector<scheduler_id>{0}); // to say so
  beat = guard.beat(0, 500ms);
  CHECK_FALSE(beat.busy);
  CHECK(beat.asks);
  heard.answers = 500ms;
  guard.hear(heard, 510ms);
  CHECK(guard.overdue(1s).empty());
}

TEST_CASE_FIXTURE(queue_guard_fixture,
                  "a machine that leaves says so until schedulers know, and ends its work") {
  join(0, 1, 0s);
  join(1, 1, 0s);
  order(0, 1, task(0, 0, entry_kind::task), 10ms, 0s);
  guard.due();
  guard.leave();
  CHECK(guard.due() == std::vector<scheduler_id>{0, 1});
  CHECK(guard.overdue(20ms) == std::vector<scheduler_id>{0, 1});
  CHECK(guard.beat(1, 20ms).leaves);
  CHECK(guard.beat(0, 20ms).leaves);
  guard.hear(word(1, 1, 10ms), 30ms); // the answer to something earlier
  CHECK(guard.overdue(30ms) == std::vector<scheduler_id>{0, 1});
  guard.hear(word(1, 1, 20ms), 30ms);
  CHECK(guard.overdue(30ms) == std::vector<scheduler_id>{0});
  CHECK(guard.running() == std::vector<task_id>{{7, 0}});
  CHECK_FALSE(guard.idle());
  CHECK(end(0, 5010ms, 100ms));
  auto heard = word(0, 1, 100ms);
  heard.events_heard = 2;
  heard.ends_done = 1;
  guard.hear(heard, 110ms);
  CHECK(guard.idle());
  call(1, 2, 120ms); // a new life has to be told, too
  CHECK(guard.overdue(120ms).back() == 1);
  CHECK(guard.beat(1, 120ms).leaves);
}
