#include "support/virtual_time.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

using namespace std::chrono_literals;
using namespace troupe;
using world = test::virtual_time;
using arrivals = std::vector<std::pair<instant, int>>;

namespace {

// Logs what it gets and when.
caf::actor spawn_log(world& w, arrivals& log) {
  return w.system().spawn([&w, &log](caf::event_based_actor*) -> caf::behavior {
    return {[&w, &log](int x) { log.emplace_back(w.now(), x); }};
  });
}

void at(world& w, instant t, const caf::actor& sender, const caf::actor& receiver, int x) {
  w.clock().schedule_message(
    virtual_clock::to_time_point(t), caf::actor_cast<caf::strong_actor_ptr>(receiver),
    caf::make_mailbox_element(caf::actor_cast<caf::strong_actor_ptr>(sender),
                              caf::make_message_id(), {}, x));
}

std::vector<int> values(const arrivals& log) {
  std::vector<int> result;
  for (const auto& x : log)
    result.push_back(x.second);
  return result;
}

} // namespace

TEST_CASE("messages arrive at their due instant, the earliest first") {
  arrivals log;
  world w;
  const auto receiver = spawn_log(w, log);
  at(w, 30ms, {}, receiver, 3);
  at(w, 10ms, {}, receiver, 1);
  at(w, 20ms, {}, receiver, 2);
  w.run();
  CHECK(log == arrivals{{10ms, 1}, {20ms, 2}, {30ms, 3}});
}

TEST_CASE("a message for the past arrives at the present instant") {
  arrivals log;
  world w;
  const auto receiver = spawn_log(w, log);
  w.run_until(5s);
  at(w, 1s, {}, receiver, 1);
  w.run();
  CHECK(log == arrivals{{5s, 1}});
}

TEST_CASE("the seed orders the events of one instant") {
  const auto order = [](std::uint64_t seed, interleave how) {
    arrivals log;
    world w{seed, how};
    const auto receiver = spawn_log(w, log);
    std::vector<caf::actor> senders;
    for (int i = 0; i < 20; ++i)
      senders.push_back(spawn_log(w, log));
    for (int i = 0; i < 20; ++i)
      at(w, 1ms, senders[static_cast<std::size_t>(i)], receiver, i);
    w.run();
    return values(log);
  };
  const auto one = order(1, interleave::seeded);
  CHECK(one == order(1, interleave::seeded));
  CHECK(one != order(2, interleave::seeded));
  const auto fifo = order(1, interleave::fifo);
  CHECK(std::is_sorted(fifo.begin(), fifo.end()));
  CHECK_FALSE(std::is_sorted(one.begin(), one.end()));
}

TEST_CASE("over many ties every sender wins equally often") {
  arrivals log;
  world w{42};
  const auto receiver = spawn_log(w, log);
  std::array<caf::actor, 4> senders;
  for (auto& x : senders)
    x = spawn_log(w, log);
  constexpr int rounds = 8000;
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < 4; ++i)
      at(w, duration{r + 1}, senders[static_cast<std::size_t>(i)], receiver, i);
  w.run();
  REQUIRE(log.size() == 4 * rounds);
  // 16 counts of a binomial(8000, 1/4), sigma 38.7: 200 is five sigma.
  std::array<std::array<int, 4>, 4> place{};
  for (std::size_t k = 0; k < log.size(); ++k)
    ++place[static_cast<std::size_t>(log[k].second)][k % 4];
  for (const auto& row : place)
    for (int count : row)
      CHECK(std::abs(count - rounds / 4) < 200);
}

TEST_CASE("messages of one pair at one instant keep their order") {
  std::map<int, std::vector<int>> per_sender;
  arrivals log;
  world w{3};
  const auto receiver = spawn_log(w, log);
  const std::array<caf::actor, 3> senders{spawn_log(w, log), spawn_log(w, log), spawn_log(w, log)};
  for (int k = 0; k < 50; ++k)
    for (int s = 0; s < 3; ++s)
      at(w, 1ms, senders[static_cast<std::size_t>(s)], receiver, s * 100 + k);
  w.run();
  REQUIRE(log.size() == 150);
  for (const auto& x : log)
    per_sender[x.second / 100].push_back(x.second);
  for (const auto& [sender, got] : per_sender) {
    CHECK(got.size() == 50);
    CHECK(std::is_sorted(got.begin(), got.end()));
  }
}

TEST_CASE("request timeouts fire at their instant") {
  std::vector<std::string> log;
  world w;
  const auto silent = w.system().spawn([](caf::event_based_actor* self) -> caf::behavior {
    auto held = std::make_shared<std::vector<caf::response_promise>>();
    return {[self, held](int) {
      auto promise = self->make_response_promise<int>();
      held->push_back(promise);
      return promise;
    }};
  });
  w.system().spawn([&](caf::event_based_actor* self) {
    self->request(silent, 250ms, 1)
      .then([&](int) { log.push_back("answer"); },
            [&log, &w, self](const caf::error& e) {
              log.push_back(to_string(w.now()) + " " + self->system().render(e));
            });
  });
  w.run();
  REQUIRE(log.size() == 1);
  CHECK(log[0].starts_with("250ms "));
  CHECK(log[0].find("request_timeout") != std::string::npos);
}

TEST_CASE("a cancelled timeout neither fires nor counts as pending") {
  int timeouts = 0;
  world w;
  const auto a = w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler(
      [&](caf::scheduled_actor*, caf::message_view&) -> caf::result<caf::message> {
        ++timeouts;
        return caf::message{};
      });
    return {[](int) {}};
  });
  w.settle();
  auto* raw = caf::actor_cast<caf::abstract_actor*>(a);
  auto& clock = w.clock();
  const auto base = clock.pending();
  for (std::uint64_t i = 1; i <= 5000; ++i)
    clock.set_request_timeout(virtual_clock::to_time_point(1s), raw,
                              caf::make_message_id(i).response_id());
  CHECK(clock.pending() == base + 5000);
  for (std::uint64_t i = 1; i <= 5000; ++i)
    clock.cancel_request_timeout(raw, caf::make_message_id(i).response_id());
  CHECK(clock.pending() == base);
  clock.set_multi_timeout(virtual_clock::to_time_point(2s), raw, caf::atom("multi"), 1);
  clock.set_multi_timeout(virtual_clock::to_time_point(2s), raw, caf::atom("multi"), 2);
  clock.set_ordinary_timeout(virtual_clock::to_time_point(2s), raw, caf::atom("once"), 1);
  clock.set_ordinary_timeout(virtual_clock::to_time_point(2s), raw, caf::atom("once"), 2);
  CHECK(clock.pending() == base + 3);
  clock.cancel_ordinary_timeout(raw, caf::atom("once"));
  CHECK(clock.pending() == base + 2);
  clock.cancel_timeouts(raw);
  CHECK(clock.pending() == base);
  CHECK_FALSE(w.coordinator().next_due());
  w.run();
  CHECK(timeouts == 0);
  CHECK(w.now() == 0s);
}

TEST_CASE("receive timeouts fire once the actor has been idle for so long") {
  std::vector<instant> idle;
  world w;
  const auto a = w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    return {[](int) {}, caf::after(100ms) >>
                          [&idle, &w, self] {
                            idle.push_back(w.now());
                            if (idle.size() == 2)
                              self->quit();
                          }};
  });
  w.settle();
  w.run_until(60ms);
  caf::anon_send(a, 1);
  w.run();
  CHECK(idle == std::vector<instant>{160ms, 260ms});
}

TEST_CASE("a periodic tick stays exact") {
  std::vector<instant> ticks;
  world w;
  w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->delayed_send(self, 333333ns, caf::tick_atom_v);
    return {[&ticks, &w, self](caf::tick_atom) {
      ticks.push_back(w.now());
      self->delayed_send(self, 333333ns, caf::tick_atom_v);
    }};
  });
  w.run_until(10s);
  REQUIRE(ticks.size() == 30000);
  for (std::size_t i = 0; i < ticks.size(); ++i)
    REQUIRE(ticks[i] == 333333ns * static_cast<std::int64_t>(i + 1));
}

TEST_CASE("a closed clock holds nothing and takes nothing") {
  arrivals log;
  world w;
  const auto receiver = spawn_log(w, log);
  w.settle();
  at(w, 1ms, {}, receiver, 1);
  CHECK(w.clock().pending() == 1);
  w.clock().close();
  at(w, 1ms, {}, receiver, 2);
  CHECK(w.clock().pending() == 0);
  w.run();
  CHECK(log.empty());
}
