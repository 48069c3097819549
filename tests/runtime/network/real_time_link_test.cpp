#include "runtime/network/link.hpp"

#include <caf/all.hpp>
#include <doctest/doctest.h>

using namespace std::chrono_literals;
using namespace troupe;

TEST_CASE("links work on CAF's own clock and threads") {
  caf::actor_system_config cfg;
  cfg.set("scheduler.max-threads", std::size_t{2});
  caf::actor_system system{cfg};
  const auto net =
    std::make_shared<network>(1, link_settings{.latency = 2ms, .jitter = 1ms},
                              std::vector<network_cut>{}, system.clock().now(), true);
  const auto target = system.spawn([](caf::event_based_actor* self) -> caf::behavior {
    self->set_default_handler(caf::reflect);
    return {[self](int x) {
      if (x < 0)
        self->quit();
      return 2 * x;
    }};
  });
  caf::scoped_actor self{system};
  const auto over = over_network(system, target, net, "client", "target");
  self->monitor(over);
  const auto start = system.clock().now();
  for (int i = 0; i < 200; ++i)
    self->send(over, i);
  int expected = 0;
  self->receive_while([&] { return expected < 200; })([&](int y) {
    CHECK(y == 2 * expected);
    ++expected;
  });
  CHECK(system.clock().now() - start >= 4ms);

  bool answered = false;
  self->request(over, 30s, 7).receive([&](int y) { answered = y == 14; }, [](const caf::error&) {});
  CHECK(answered);
  bool timed_out = false;
  self->request(over, 1ms, 7)
    .receive([](int) {}, [&](const caf::error& e) { timed_out = e == caf::sec::request_timeout; });
  CHECK(timed_out);

  self->send(over, -1);
  bool down = false;
  self->receive_while([&] { return !down; })(
    [&](const caf::down_msg& x) { down = x.source == over; }, [](int) {});
  CHECK(down);
}
