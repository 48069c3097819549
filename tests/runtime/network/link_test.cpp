#include "runtime/network/link.hpp"
#include "support/virtual_time.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <map>
#include <set>

using namespace std::chrono_literals;
using namespace troupe;
using world = test::virtual_time;

namespace {

using worker =
  caf::typed_actor<caf::replies_to<int>::with<int>, caf::reacts_to<caf::put_atom, int>>;

struct worker_state {
  worker_state() = default;
  static inline const char* name = "worker";
  std::vector<std::pair<instant, int>> got;
};

instant time_of(const caf::local_actor* self) {
  return virtual_clock::to_instant(self->clock().now());
}

// Answers with twice the number, refuses negative ones, and ends on put 99.
worker::behavior_type work(worker::stateful_pointer<worker_state> self,
                           std::vector<std::pair<instant, int>>* got) {
  return {[self, got](int x) -> caf::result<int> {
            got->emplace_back(time_of(self), x);
            if (x < 0)
              return caf::make_error(caf::sec::invalid_argument);
            return 2 * x;
          },
          [self, got](caf::put_atom, int x) {
            got->emplace_back(time_of(self), x);
            if (x == 99)
              self->quit(caf::exit_reason::user_shutdown);
          }};
}

struct setting {
  std::vector<std::pair<instant, int>> got; // by the worker
  std::vector<std::string> log;             // by its clients
  world w;
  std::shared_ptr<network> net;
  worker target = w.system().spawn(work, &got);

  explicit setting(const link_settings& s, std::uint64_t seed = 1,
                   std::vector<network_cut> cuts = {})
    : w(seed), net(std::make_shared<network>(seed, s, std::move(cuts))) {}

  worker link(const char* from = "client") {
    return over_network(w.system(), target, net, from, "worker");
  }

  // Asks `over` for `x` at `when` and logs what comes back.
  void ask(const worker& over, int x, instant when, caf::duration timeout) {
    w.system().spawn([this, over, x, when, timeout](caf::event_based_actor* self) -> caf::behavior {
      self->scheduled_send(self, virtual_clock::to_time_point(when), caf::tick_atom_v);
      return {[this, over, x, timeout, self](caf::tick_atom) {
        self->request(over, timeout, x)
          .then([this](int y) { log.push_back(to_string(w.now()) + " " + std::to_string(y)); },
                [this, self](const caf::error& e) {
                  log.push_back(to_string(w.now()) + " " + self->system().render(e));
                });
      }};
    });
  }
};

} // namespace

TEST_CASE("a request and its answer each take the latency") {
  setting s{{.latency = 3ms}};
  s.ask(s.link(), 21, 10ms, caf::infinite);
  s.w.run();
  CHECK(s.got == std::vector<std::pair<instant, int>>{{13ms, 21}});
  CHECK(s.log == std::vector<std::string>{"16ms 42"});
}

TEST_CASE("without latency messages go through the clock at the same instant") {
  setting s{{}};
  const auto over = s.link();
  s.w.settle();
  caf::anon_send(over, caf::put_atom_v, 1);
  s.w.settle();
  CHECK(s.got.empty());
  CHECK(s.w.coordinator().step());
  CHECK(s.got == std::vector<std::pair<instant, int>>{{0ms, 1}});
}

TEST_CASE("messages that arrive at one later instant are joined, no others") {
  const message_joiner add = [](caf::mailbox_element_ptr& first, const caf::mailbox_element& next) {
    const auto value = [](const caf::mailbox_element& of) { return of.content().get_as<int>(1); };
    const auto sum = value(*first) + value(next);
    if (sum > 100) // refused
      return false;
    first = caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, caf::put_atom_v, sum);
    return true;
  };
  const auto arrivals_of = [&](const link_settings& settings) {
    setting s{settings};
    const auto over = over_network(s.w.system(), s.target, s.net, "client", "worker", add);
    s.w.settle();
    for (const int x : {1, 2, 40, 70, 30})
      caf::anon_send(over, caf::put_atom_v, x);
    s.w.run_until(1ms);
    caf::anon_send(over, caf::put_atom_v, 5);
    s.w.run();
    return s.got;
  };
  using arrivals = std::vector<std::pair<instant, int>>;
  CHECK(arrivals_of({.latency = 3ms}) == arrivals{{3ms, 43}, {3ms, 100}, {4ms, 5}});
  // At the present instant messages may be under way to the target already.
  CHECK(arrivals_of({}) == arrivals{{0ms, 1}, {0ms, 2}, {0ms, 40}, {0ms, 70}, {0ms, 30}, {1ms, 5}});
  const auto apart = arrivals_of({.latency = 3ms, .jitter = 5ms});
  setting alone{{.latency = 3ms, .jitter = 5ms}}; // each draws as if it were sent alone
  const auto over = alone.link();
  alone.w.settle();
  for (const int x : {1, 2, 40, 70, 30})
    caf::anon_send(over, caf::put_atom_v, x);
  alone.w.run_until(1ms);
  caf::anon_send(over, caf::put_atom_v, 5);
  alone.w.run();
  const auto sums = [](const arrivals& all) {
    std::map<instant, int> of;
    for (const auto& [at, x] : all)
      of[at] += x;
    return of;
  };
  CHECK(sums(apart) == sums(alone.got));
  CHECK(sums(apart).size() > 1);
  CHECK(apart.size() < alone.got.size());
}

TEST_CASE("error answers travel back") {
  setting s{{.latency = 3ms}};
  s.ask(s.link(), -1, 0ms, caf::infinite);
  s.w.run();
  REQUIRE(s.log.size() == 1);
  CHECK(s.log[0].starts_with("6ms "));
  CHECK(s.log[0].find("invalid_argument") != std::string::npos);
}

TEST_CASE("a timeout shorter than the round trip fires, a longer one is cancelled by the answer") {
  setting s{{.latency = 3ms}};
  const auto over = s.link();
  s.ask(over, 1, 0ms, caf::duration{5ms});
  s.ask(over, 2, 0ms, caf::duration{7ms});
  s.w.run();
  REQUIRE(s.log.size() == 2);
  CHECK(s.log[0].starts_with("5ms "));
  CHECK(s.log[0].find("request_timeout") != std::string::npos);
  CHECK(s.log[1] == "6ms 4");
  CHECK(s.w.now() == 6ms);
  CHECK(s.w.clock().pending() == 0);
}

TEST_CASE("order is kept under jitter and every delay is within its bounds") {
  setting s{{.latency = 1ms, .jitter = 5ms}};
  const auto over = s.link();
  s.w.settle();
  std::vector<instant> sent;
  for (int i = 0; i < 98; ++i) {
    s.w.run_until(i * 500us);
    sent.push_back(s.w.now());
    caf::anon_send(over, caf::put_atom_v, i);
  }
  s.w.run();
  REQUIRE(s.got.size() == 98);
  std::set<instant> delays;
  for (std::size_t i = 0; i < 98; ++i) {
    CHECK(s.got[i].second == static_cast<int>(i));
    const auto delay = s.got[i].first - sent[i];
    CHECK(delay >= 1ms);
    CHECK(delay <= 6ms);
    delays.insert(delay);
  }
  CHECK(delays.size() > 20);
}

TEST_CASE("lost requests fail by their timeout, and about as many as the loss says") {
  setting s{{.latency = 1ms, .loss = 0.1}};
  const auto over = s.link();
  for (int i = 0; i < 1000; ++i)
    s.ask(over, i, i * 1ms, caf::duration{50ms});
  s.w.run();
  REQUIRE(s.log.size() == 1000);
  const auto failed = std::count_if(s.log.begin(), s.log.end(), [](const std::string& x) {
    return x.find("request_timeout") != std::string::npos;
  });
  // lost on one of two ways: 0.19, sigma 12.4; five of them
  CHECK(std::abs(failed - 190) < 62);
  CHECK(s.got.size() > 850);
  CHECK(s.got.size() < 950);
}

TEST_CASE("a cut loses messages until it heals") {
  setting s{{.latency = 1ms}, 1, {{10ms, 20ms, "client", "worker"}}};
  const auto over = s.link();
  for (int i = 0; i < 4; ++i)
    s.ask(over, i, i * 9ms,
          caf::duration{5ms}); // at 0, 9, 18, 27 ms; the answer of the second is lost
  s.w.run();
  REQUIRE(s.log.size() == 4);
  CHECK(s.log[0] == "2ms 0");
  CHECK(s.log[1].starts_with("14ms "));
  CHECK(s.log[2].starts_with("23ms "));
  CHECK(s.log[3] == "29ms 6");
  CHECK(s.got.size() == 3);
}

TEST_CASE("a monitor hears of the target's end after the latency and after its last words") {
  setting s{{.latency = 3ms}};
  const auto over = s.link();
  s.w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->monitor(over);
    self->set_down_handler([&, self](const caf::down_msg& x) {
      s.log.push_back(to_string(s.w.now()) + " down " + self->system().render(x.reason) +
                      (x.source == over ? " of the link" : ""));
    });
    self->request(over, caf::infinite, 5).then([&](int y) {
      s.log.push_back(to_string(s.w.now()) + " " + std::to_string(y));
    });
    self->send(over, caf::put_atom_v, 99);
    return {[](int) {}};
  });
  s.w.run();
  REQUIRE(s.log.size() == 2);
  CHECK(s.log[0] == "6ms 10");
  CHECK(s.log[1].starts_with("6ms down "));
  CHECK(s.log[1].find("user_shutdown") != std::string::npos);
  CHECK(s.log[1].ends_with(" of the link"));
}

TEST_CASE("a monitor hears of the target's end though the handle is gone, and after a cut") {
  setting s{{.latency = 3ms, .loss = 0.9}, 1, {{1ms, 50ms, "*", "*"}}};
  const auto monitor = s.w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->monitor(s.link());
    self->set_down_handler(
      [&](const caf::down_msg&) { s.log.push_back(to_string(s.w.now()) + " down"); });
    return {[](int) {}};
  });
  s.w.run_until(10ms);
  caf::anon_send_exit(s.target, caf::exit_reason::kill);
  s.w.run();
  CHECK(s.log == std::vector<std::string>{"53ms down"});
}

TEST_CASE("linked actors end with each other, after the latency") {
  setting s{{.latency = 3ms}};
  const auto over = s.link();
  const auto linked = s.w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->link_to(over);
    self->attach_functor(
      [&](const caf::error&) { s.log.push_back(to_string(s.w.now()) + " ended"); });
    return {[](int) {}};
  });
  s.w.run_until(10ms);
  SUBCASE("from the target") {
    caf::anon_send_exit(s.target, caf::exit_reason::kill);
    s.w.run();
    CHECK(s.log == std::vector<std::string>{"13ms ended"});
  }
  SUBCASE("to the target") {
    s.target->attach_functor(
      [&](const caf::error&) { s.log.push_back(to_string(s.w.now()) + " target"); });
    caf::anon_send_exit(linked, caf::exit_reason::kill);
    s.w.run();
    CHECK(s.log == std::vector<std::string>{"10ms ended", "13ms target"});
  }
}

TEST_CASE("a link to a dead target says so after the latency, and requests are refused") {
  setting s{{.latency = 3ms}};
  caf::anon_send_exit(s.target, caf::exit_reason::user_shutdown);
  s.w.settle();
  const auto over = s.link();
  s.ask(over, 1, 10ms, caf::duration{1s});
  const auto monitor = s.w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->monitor(over);
    self->set_down_handler(
      [&](const caf::down_msg&) { s.log.push_back(to_string(s.w.now()) + " down"); });
    return {[](int) {}};
  });
  s.w.run();
  REQUIRE(s.log.size() == 2);
  CHECK(s.log[0] == "3ms down");
  CHECK(s.log[1].starts_with("16ms "));
  CHECK(s.log[1].find("request_receiver_down") != std::string::npos);
}

TEST_CASE("the target sees one stand-in per sender and can send to it and monitor it") {
  std::vector<std::string> log;
  world w;
  const auto net = std::make_shared<network>(1, link_settings{.latency = 2ms});
  std::set<caf::actor_id> senders;
  const auto target = w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->set_down_handler(
      [&](const caf::down_msg&) { log.push_back(to_string(w.now()) + " sender down"); });
    return {[&, self](int x) {
      if (senders.insert(self->current_sender()->id()).second)
        self->monitor(self->current_sender());
      self->send(caf::actor_cast<caf::actor>(self->current_sender()), std::to_string(x));
    }};
  });
  const auto over = over_network(w.system(), target, net, "client", "target");
  const auto client = w.system().spawn([&](caf::event_based_actor* self) -> caf::behavior {
    for (int i = 0; i < 3; ++i)
      self->send(over, i);
    return {[&, self](const std::string& x) {
      log.push_back(to_string(w.now()) + " " + x + (self->current_sender() == over ? " ok" : ""));
      if (x == "2")
        self->quit();
    }};
  });
  w.run();
  CHECK(senders.size() == 1);
  CHECK_FALSE(senders.contains(client.id()));
  CHECK(log == std::vector<std::string>{"4ms 0 ok", "4ms 1 ok", "4ms 2 ok", "6ms sender down"});
}

TEST_CASE("the seed decides who wins among different senders at one instant") {
  const auto winners = [](std::uint64_t seed) {
    setting s{{.latency = 1ms}, seed};
    std::vector<worker> links;
    for (int i = 0; i < 10; ++i)
      links.push_back(s.link(("client." + std::to_string(i)).c_str()));
    s.w.settle();
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 10; ++i)
        caf::anon_send(links[static_cast<std::size_t>(i)], caf::put_atom_v, i);
      s.w.advance(1ms);
    }
    REQUIRE(s.got.size() == 50);
    std::vector<int> result;
    for (const auto& x : s.got)
      result.push_back(x.second);
    return result;
  };
  const auto one = winners(1);
  CHECK(one == winners(1));
  CHECK(one != winners(2));
  std::set<int> firsts;
  for (std::size_t round = 0; round < 5; ++round)
    firsts.insert(one[round * 10]);
  CHECK(firsts.size() > 1);
}

TEST_CASE("a run over a jittery, lossy network repeats with its seed") {
  const auto run = [](std::uint64_t seed) {
    setting s{{.latency = 1ms, .jitter = 1ms, .loss = 0.05}, seed};
    s.w.start_trace();
    for (int i = 0; i < 5; ++i) {
      const auto over = s.link(("client." + std::to_string(i)).c_str());
      for (int k = 0; k < 20; ++k)
        s.ask(over, i * 10 + k, k * 1ms, caf::duration{10ms});
    }
    s.w.run();
    auto result = s.w.trace();
    result.insert(result.end(), s.log.begin(), s.log.end());
    return result;
  };
  const auto one = run(1);
  CHECK(one.size() > 400);
  CHECK(one == run(1));
  CHECK(one != run(2));
}

TEST_CASE("a system ends with links, their cycles of handles and messages under way") {
  setting s{{.latency = 1s}};
  const auto over = s.link();
  s.ask(over, 1, 0s, caf::infinite);
  s.w.system().spawn([over](caf::event_based_actor* self) -> caf::behavior {
    self->monitor(over);
    self->link_to(over);
    self->send(over, caf::put_atom_v, 1);
    return {[over](int) {}};
  });
  s.w.run_until(500ms);
  CHECK(s.w.clock().pending() == 2);
}
