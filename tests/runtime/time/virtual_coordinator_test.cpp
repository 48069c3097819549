#include "runtime/time/virtual_coordinator.hpp"
#include "support/virtual_time.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <stdexcept>

using namespace std::chrono_literals;
using namespace troupe;
using world = test::virtual_time;

namespace {

struct ticker_state {
  ticker_state() = default;
  static inline const char* name = "ticker";
  int ticks = 0;
};

caf::behavior ticker(caf::stateful_actor<ticker_state>* self, duration period) {
  self->delayed_send(self, period, caf::tick_atom_v);
  return {[self, period](caf::tick_atom) {
            ++self->state.ticks;
            self->delayed_send(self, period, caf::tick_atom_v);
          },
          [self](caf::get_atom) { return self->state.ticks; }};
}

// Counts how many of it live.
struct counted_state {
  counted_state() { ++alive; }
  ~counted_state() { --alive; }
  counted_state(const counted_state&) = delete;
  counted_state& operator=(const counted_state&) = delete;
  static inline const char* name = "counted";
  static inline int alive = 0;
  caf::actor peer;
};

caf::behavior counted(caf::stateful_actor<counted_state>* self) {
  self->delayed_send(self, 1s, caf::tick_atom_v);
  return {[self](caf::actor peer) { self->state.peer = std::move(peer); },
          [self](caf::tick_atom) { self->delayed_send(self, 1s, caf::tick_atom_v); }};
}

} // namespace

TEST_CASE("nothing runs unless it is driven") {
  int got = 0;
  world w;
  const auto a = w.system().spawn(
    [&got](caf::event_based_actor*) -> caf::behavior { return {[&got](int x) { got += x; }}; });
  caf::anon_send(a, 2);
  CHECK(got == 0);
  CHECK_FALSE(w.coordinator().settled());
  w.settle();
  CHECK(got == 2);
  CHECK(w.coordinator().idle());
}

TEST_CASE("a system with another scheduler has no virtual coordinator") {
  caf::actor_system_config cfg;
  caf::actor_system system{cfg};
  CHECK_THROWS_AS(virtual_coordinator::of(system), std::logic_error);
}

TEST_CASE("run_until goes to the horizon and no further") {
  world w;
  const auto a = w.system().spawn(ticker, duration{1s});
  auto& c = w.coordinator();
  c.settle();
  CHECK(c.next_due() == 1s);

  c.run_until(2500ms, false);
  CHECK(c.now() == 2s);
  CHECK(c.next_due() == 3s);

  c.run_until(2500ms);
  CHECK(c.now() == 2500ms);

  c.run_until(3s);
  CHECK(c.now() == 3s);
  CHECK(c.next_due() == 4s);

  c.run_until(1s);
  CHECK(c.now() == 3s);

  CHECK(c.step());
  CHECK(c.now() == 4s);
  CHECK(c.clock().delivered() == 4);
}

TEST_CASE("run_until ends when nothing is pending") {
  world w;
  w.coordinator().run_until(5s, false);
  CHECK(w.now() == 0s);
  CHECK_FALSE(w.coordinator().step());
  w.coordinator().run_until(5s);
  CHECK(w.now() == 5s);
}

TEST_CASE("messages are counted one by one") {
  int got = 0;
  world w;
  const auto a = w.system().spawn(
    [&got](caf::event_based_actor*) -> caf::behavior { return {[&got](int) { ++got; }}; });
  w.settle();
  const auto before = w.coordinator().counters().messages;
  for (int i = 0; i < 7; ++i)
    caf::anon_send(a, i);
  w.settle();
  CHECK(got == 7);
  CHECK(w.coordinator().counters().messages - before == 7);

  const auto b = w.system().spawn(
    [&got](caf::event_based_actor*) -> caf::behavior { return {[&got](int) { ++got; }}; });
  caf::anon_send(b, 1);
  w.settle();
  w.system().spawn([](caf::event_based_actor*) -> caf::behavior { return {[](int) {}}; });
  w.settle();
  CHECK(w.coordinator().counters().messages - before == 8);
}

TEST_CASE("the queue of ready actors keeps its order while it grows") {
  std::vector<int> order;
  world w;
  std::vector<caf::actor> actors;
  for (int i = 0; i < 5000; ++i)
    actors.push_back(w.system().spawn([&order](caf::event_based_actor*) -> caf::behavior {
      return {[&order](int x) { order.push_back(x); }};
    }));
  w.settle();
  for (int i = 0; i < 5000; ++i)
    caf::anon_send(actors[static_cast<std::size_t>(i)], i);
  w.settle();
  CHECK(order.size() == 5000);
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK(w.coordinator().counters().peak_ready >= 5000);
}

TEST_CASE("prefetching changes nothing but the speed") {
  const auto run = [](std::uint32_t distance) {
    world w{virtual_time_settings{.seed = 5, .prefetch = distance}};
    std::vector<caf::actor> tickers;
    for (int i = 1; i <= 50; ++i)
      tickers.push_back(w.system().spawn(ticker, duration{i * 1ms}));
    w.start_trace();
    w.run_until(100ms);
    return w.trace();
  };
  const auto plain = run(0);
  CHECK(plain.size() > 400);
  CHECK(plain == run(1));
  CHECK(plain == run(8));
}

TEST_CASE("the trace shows each message with its time and its actor") {
  world w{1, interleave::fifo};
  w.start_trace();
  const auto a = w.system().spawn(ticker, duration{250ms});
  w.run_until(500ms);
  CHECK(w.trace() == std::vector<std::string>{"0s ticker#0 start", "250ms ticker#0 ('tick')",
                                              "500ms ticker#0 ('tick')"});
}

TEST_CASE("a system ends with live actors and pending timers") {
  counted_state::alive = 0;
  {
    world w;
    const auto a = w.system().spawn(counted);
    const auto b = w.system().spawn(counted);
    caf::anon_send(a, b); // a cycle of handles
    caf::anon_send(b, a);
    w.run_until(10s);
    CHECK(counted_state::alive == 2);
    CHECK(w.clock().pending() == 2);
    caf::anon_send(a, caf::tick_atom_v); // and a job that waits
  }
  CHECK(counted_state::alive == 0);
}

TEST_CASE("a system ends though its actors start others when they die") {
  {
    world w;
    w.system().spawn([](caf::event_based_actor* self) -> caf::behavior {
      self->attach_functor(
        [self](const caf::error&) { self->home_system().spawn(ticker, duration{1s}); });
      return {[](int) {}};
    });
    w.settle();
  }
  CHECK(true); // it came here
}

TEST_CASE("a system that never ran ends") {
  world w;
  w.system().spawn(ticker, duration{1s});
  w.system().spawn<caf::lazy_init>(ticker, duration{1s});
  CHECK_FALSE(w.coordinator().settled());
}

TEST_CASE("driving stops amid an instant that does not end, and goes on") {
  world w;
  const auto endless = w.system().spawn([](caf::event_based_actor* self) -> caf::behavior {
    return {[self](int n) { self->send(self, n + 1); }};
  });
  caf::anon_send(endless, 0);
  int asked = 0;
  w.coordinator().stop_when([&] { return ++asked == 3; });
  w.run_until(1s);
  CHECK(w.coordinator().stopped());
  CHECK(w.now() == 0s);
  CHECK(asked == 3);
  const auto before = w.coordinator().counters().messages;
  CHECK(w.coordinator().whereabouts().starts_with("at 0s of simulated time"));
  w.coordinator().stop_when([] { return true; });
  w.coordinator().go_on();
  w.settle();
  CHECK(w.coordinator().stopped());
  CHECK(w.coordinator().counters().messages > before);
  CHECK_FALSE(w.coordinator().step());
}
