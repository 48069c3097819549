#include "model/base/random.hpp"
#include "model/protocol/reliable_channel.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

using items = std::vector<int>;

/// Puts items 1 to `n`.
reliable_sender<int> sender_of(int n) {
  reliable_sender<int> sender;
  for (int i = 1; i <= n; ++i)
    sender.put(i);
  return sender;
}

items receive(reliable_receiver<int>& receiver, std::uint64_t first, const items& what,
              std::uint64_t session = 0) {
  items got;
  receiver.receive(session, first, what, [&](int i) { got.push_back(i); });
  return got;
}

/// A message of one of the sides: a run, or an acknowledgement.
struct letter {
  bool is_run = true;
  std::uint64_t session = 0;
  channel_run<int> run;
  std::uint64_t seen = 0;
};

/// A link that loses, delays, doubles and reorders.
struct bad_link {
  random_stream random;
  std::multimap<instant, letter> under_way;

  void send(const letter& what, instant now, bool calm) {
    for (auto copies = random.below(10) == 0 ? 2 : 1; copies > 0; --copies)
      if (calm || random.below(4) != 0)
        under_way.emplace(now + std::chrono::milliseconds{1 + random.below(400)}, what);
  }
};

} // namespace

TEST_CASE("a new item is sent once and at once") {
  auto sender = sender_of(2);
  auto run = sender.next(0ms, 100ms);
  REQUIRE(run);
  CHECK(run->first == 1);
  CHECK(run->items == items{1, 2});
  CHECK_FALSE(sender.next(0ms, 100ms));
  CHECK(sender.put(3) == 3);
  run = sender.next(50ms, 100ms);
  REQUIRE(run);
  CHECK(run->first == 3);
  CHECK(run->items == items{3});
  CHECK(sender.size() == 3);
  CHECK_FALSE(sender.due(99ms, 100ms));
}

TEST_CASE("new items can be sent without a repetition of others") {
  auto sender = sender_of(1);
  sender.next(0ms, 100ms);
  CHECK_FALSE(sender.next_new(500ms));
  sender.put(2);
  const auto run = sender.next_new(500ms);
  REQUIRE(run);
  CHECK(run->first == 2);
  CHECK(run->items == items{2});
  CHECK(sender.next(500ms, 100ms)->items == items{1}); // overdue all the same
}

TEST_CASE("only what is overdue is repeated") {
  auto sender = sender_of(1);
  sender.next(0ms, 100ms);
  sender.put(2);
  sender.next(60ms, 100ms);
  const auto run = sender.next(100ms, 100ms);
  REQUIRE(run);
  CHECK(run->first == 1);
  CHECK(run->items == items{1}); // the second one is not
  CHECK_FALSE(sender.next(100ms, 100ms));
  sender.acknowledge(0, 2, 110ms);
  CHECK(sender.empty());
  CHECK(sender.acknowledged() == 2);
  CHECK_FALSE(sender.due(10s, 100ms));
}

TEST_CASE("what is new goes with what is overdue if it follows it") {
  auto sender = sender_of(2);
  sender.next(0ms, 100ms);
  sender.put(3);
  const auto run = sender.next(100ms, 100ms);
  REQUIRE(run);
  CHECK(run->items == items{1, 2, 3});
  CHECK_FALSE(sender.next(100ms, 100ms));
}

TEST_CASE("repetitions become rare while nothing is answered") {
  auto sender = sender_of(1);
  std::vector<instant> sent;
  for (auto now = 0ms; now < 4s; now += 10ms)
    if (sender.next(now, 100ms))
      sent.push_back(now);
  CHECK(sent == std::vector<instant>{0ms, 100ms, 300ms, 700ms, 1500ms, 2300ms, 3100ms, 3900ms});
}

TEST_CASE("repetitions at an even pace stay as frequent") {
  reliable_sender<int> sender{reliable_sender<int>::pace::even};
  sender.put(1);
  std::vector<instant> sent;
  for (auto now = 0ms; now < 500ms; now += 10ms)
    if (sender.next(now, 100ms))
      sent.push_back(now);
  CHECK(sent == std::vector<instant>{0ms, 100ms, 200ms, 300ms, 400ms});
}

TEST_CASE("a sender waits as long as answers take") {
  auto sender = sender_of(1);
  sender.next(0ms, 100ms);
  sender.acknowledge(0, 1, 90ms);
  sender.put(2);
  sender.next(100ms, 100ms);
  CHECK_FALSE(sender.overdue(279ms, 100ms));
  CHECK(sender.overdue(280ms, 100ms));
}

TEST_CASE("items that waited for a lost one do not make answers slow") {
  auto sender = sender_of(1);
  CHECK(sender.next(0s, 1s));
  sender.put(2);
  CHECK(sender.next(500ms, 1s));
  const auto again = sender.next(1s, 1s);
  REQUIRE(again);
  CHECK(again->items == items{1});
  sender.acknowledge(0, 2, 1400ms); // item 2 came at once, and waited
  sender.put(3);
  CHECK(sender.next(2s, 1s));
  CHECK_FALSE(sender.overdue(2900ms, 1s));
  CHECK(sender.overdue(3s, 1s));
}

TEST_CASE("a long run is sent in parts") {
  auto sender = sender_of(2500);
  CHECK(sender.next(0ms, 1s)->items.size() == 1000);
  CHECK(sender.next(0ms, 1s)->first == 1001);
  CHECK(sender.next(0ms, 1s)->items.size() == 500);
  CHECK_FALSE(sender.next(0ms, 1s));
}

TEST_CASE("an acknowledgement counts in its session") {
  auto sender = sender_of(3);
  sender.next(0ms, 1s);
  sender.acknowledge(7, 2, 0ms);
  CHECK(sender.size() == 3);
  sender.acknowledge(0, 2, 0ms);
  CHECK(sender.size() == 1);
  CHECK(sender[0] == 3);
  sender.reset(7, 40);
  CHECK(sender.empty());
  CHECK(sender.put(9) == 41);
  sender.acknowledge(0, 100, 0ms);
  CHECK(sender.size() == 1);
  SUBCASE("of what was sent") {
    CHECK(sender.next(0ms, 1s)->first == 41);
  }
  SUBCASE("of what was told otherwise") {}
  sender.acknowledge(7, 41, 0ms);
  CHECK(sender.empty());
  CHECK_FALSE(sender.next(0ms, 1s));
  CHECK(sender.put(9) == 42);
}

TEST_CASE("items come out once and in their order") {
  reliable_receiver<int> receiver;
  CHECK(receive(receiver, 2, {2, 3}).empty());
  CHECK(receiver.owes());
  CHECK(receiver.seen() == 0);
  CHECK(receive(receiver, 1, {1}) == items{1, 2, 3});
  receiver.answered();
  CHECK_FALSE(receiver.owes());
  CHECK(receive(receiver, 1, {1, 2, 3, 4}) == items{4});
  CHECK(receiver.seen() == 4);
  CHECK(receive(receiver, 3, {3}).empty());
  CHECK(receiver.owes()); // its acknowledgement may be lost
}

TEST_CASE("what is too far ahead is not kept") {
  reliable_receiver<int> receiver;
  constexpr auto window = reliable_receiver<int>::window;
  CHECK(receive(receiver, window + 1, {9}).empty());
  CHECK(receive(receiver, window, {8}).empty());
  CHECK(receive(receiver, 1, items(window - 1, 7)).back() == 8);
  CHECK(receiver.seen() == window);
}

TEST_CASE("a receiver heeds its session alone, and may be reset while it hands out") {
  reliable_receiver<int> receiver;
  receiver.reset(3, 10);
  CHECK(receive(receiver, 11, {1}, 2).empty());
  CHECK_FALSE(receiver.owes());
  CHECK(receive(receiver, 11, {1}, 3) == items{1});
  items got;
  receiver.receive(3, 12, {2, 3, 4}, [&](int i) {
    got.push_back(i);
    receiver.reset(4);
  });
  CHECK(got == items{2});
  CHECK(receiver.seen() == 0);
}

TEST_CASE("over any link all items of a session come, once and in their order") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    random_stream random{seed};
    bad_link there{random_stream{seed + 1000}, {}};
    bad_link back{random_stream{seed + 2000}, {}};
    reliable_sender<int> sender;
    reliable_receiver<int> receiver;
    std::uint64_t session = 0;
    int put = 0;
    int got = 0;
    for (auto now = 0ms; now < 40s; now += 10ms) {
      const bool calm = now > 20s;
      if (!calm && random.below(500) == 0) { // one of the two begins another incarnation
        ++session;
        put = got = 0;
        sender.reset(session, session * 10);
        receiver.reset(session, session * 10);
      }
      if (!calm && random.below(3) == 0)
        sender.put(++put);
      while (auto run = sender.next(now, 500ms))
        there.send({true, session, *run, 0}, now, calm);
      const auto arrive = [&](bad_link& link, auto take) {
        while (!link.under_way.empty() && link.under_way.begin()->first <= now)
          take(link.under_way.extract(link.under_way.begin()).mapped());
      };
      arrive(there, [&](const letter& l) {
        receiver.receive(l.session, l.run.first, l.run.items, [&](int i) { REQUIRE(i == ++got); });
        if (receiver.owes() && (calm || random.below(2) == 0)) {
          back.send({false, session, {}, receiver.seen()}, now, calm);
          receiver.answered();
        }
      });
      arrive(back, [&](const letter& l) { sender.acknowledge(l.session, l.seen, now); });
    }
    CHECK(got == put);
    CHECK(sender.empty());
  }
}

TEST_CASE("over a slow link hardly anything is sent twice") {
  reliable_sender<int> sender;
  reliable_receiver<int> receiver;
  std::multimap<instant, letter> under_way;
  std::size_t items_sent = 0;
  int put = 0;
  for (auto now = 0ms; now < 30s; now += 5ms) {
    if (now < 20s)
      sender.put(++put);
    // Nothing comes for a while, as if the other side stood still.
    const auto comes = now < 5s || now > 7200ms ? now + 20ms : 7200ms + 20ms;
    while (auto run = sender.next(now, 1s)) {
      items_sent += run->items.size();
      under_way.emplace(comes, letter{true, 0, *run, 0});
    }
    for (; !under_way.empty() && under_way.begin()->first <= now;
         under_way.erase(under_way.begin())) {
      const auto& l = under_way.begin()->second;
      receiver.receive(0, l.run.first, l.run.items, [](int) {});
    }
    sender.acknowledge(0, receiver.seen(), now);
  }
  CHECK(receiver.seen() == static_cast<std::uint64_t>(put));
  CHECK(items_sent < put + put / 10);
}
