#include "runtime/network/network.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace std::chrono_literals;
using namespace troupe;

TEST_CASE("'*' stands for any run of characters") {
  CHECK(matches("*", "master"));
  CHECK(matches("owner.*", "owner.12"));
  CHECK(matches("owner.*", "owner."));
  CHECK_FALSE(matches("owner.*", "owners"));
  CHECK(matches("*.3", "scheduler.3"));
  CHECK(matches("s*r.*3", "scheduler.13"));
  CHECK_FALSE(matches("scheduler.1", "scheduler.12"));
  CHECK_FALSE(matches("", "x"));
}

TEST_CASE("jitter stays in its bounds and never changes the order") {
  network net{1, {.latency = 500us, .jitter = 200us}};
  auto& c = net.between("a", "b");
  instant last{0};
  instant low = 1s;
  instant high{0};
  for (int i = 1; i <= 20000; ++i) {
    const instant now = i * 1ms; // far apart, so that none holds the next one up
    const auto arrival = c.send(now).value();
    low = std::min(low, arrival - now);
    high = std::max(high, arrival - now);
  }
  CHECK(low >= 500us);
  CHECK(low < 501us);
  CHECK(high <= 700us);
  CHECK(high > 699us);
  auto& d = net.between("a", "c");
  for (int i = 0; i < 20000; ++i) {
    const instant now = i * 1us;
    const auto arrival = d.send(now).value();
    CHECK(arrival >= last);
    CHECK(arrival - now >= 500us);
    CHECK(arrival - now <= 700us);
    last = arrival;
  }
}

TEST_CASE("a message is lost with the given probability") {
  network net{7, {.latency = 1ms, .loss = 0.05}};
  auto& c = net.between("a", "b");
  int lost = 0;
  constexpr int sent = 100000;
  for (int i = 0; i < sent; ++i)
    lost += !c.send(i * 1us);
  // sigma is 69; five of them
  CHECK(std::abs(lost - 5000) < 345);
  CHECK(c.send_surely(1s) == 1s + 1ms);
}

TEST_CASE("a cut loses what leaves meanwhile, between its two sides, both ways") {
  network net{1, {.latency = 1ms}, {{1s, 2s, "owner.*", "scheduler.1"}}};
  auto& there = net.between("scheduler.1", "owner.4");
  auto& back = net.between("owner.4", "scheduler.1");
  auto& other = net.between("scheduler.2", "owner.4");
  CHECK(there.send(999ms) == 1000ms);
  for (auto* c : {&there, &back}) {
    CHECK_FALSE(c->send(1s));
    CHECK_FALSE(c->send(1999999us));
    CHECK(c->send_surely(1500ms) == 2001ms);
    CHECK(c->send(2s) == 2001ms);
  }
  CHECK(other.send(1500ms) == 1501ms);
}

TEST_CASE("each direction of each pair has a stream of its own, from the seed") {
  const auto draw = [](std::uint64_t seed, const char* from, const char* to, bool others) {
    network net{seed, {.jitter = 1s}};
    std::vector<instant> result;
    for (int i = 0; i < 10; ++i) {
      if (others)
        net.between("x", "y").send(i * 10s);
      result.push_back(net.between(from, to).send(i * 10s).value());
    }
    return result;
  };
  CHECK(draw(1, "a", "b", false) == draw(1, "a", "b", true));
  CHECK(draw(1, "a", "b", false) != draw(2, "a", "b", false));
  CHECK(draw(1, "a", "b", false) != draw(1, "b", "a", false));
  CHECK(draw(1, "a", "b", false) != draw(1, "a", "c", false));
}
