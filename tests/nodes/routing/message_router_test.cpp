#include "nodes/fixture.hpp"
#include "nodes/routing/envelope.hpp"
#include "nodes/routing/handle_cache.hpp"
#include "nodes/routing/message_router.hpp"
#include "nodes/routing/send_pacer.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

address member_of(role what, std::uint32_t number, incarnation_id incarnation) {
  return {party::member, what, number, incarnation};
}

const address some_owner = member_of(role::owner, 2, 1);
const address scheduler_5 = member_of(role::scheduler, 5, 1);

/// Two nodes in one process: mail goes over when it is carried.
struct two_routers : test::local_system {
  std::shared_ptr<message_router> here = std::make_shared<message_router>(system);
  std::shared_ptr<message_router> there = std::make_shared<message_router>(system);
  peer_id to_there = here->peer("there");
  peer_id to_here = there->peer("here");
  std::vector<peer_id> news; ///< of mail, here
  caf::scoped_actor owner{system};
  caf::scoped_actor scheduler{system};

  two_routers() {
    here->on_mail = [this](peer_id to) { news.push_back(to); };
    there->on_mail = [](peer_id) {};
    here->connect(to_there);
    there->connect(to_here);
    here->settle(some_owner, caf::actor_cast<caf::strong_actor_ptr>(owner.ptr()));
    there->settle(scheduler_5, caf::actor_cast<caf::strong_actor_ptr>(scheduler.ptr()));
    introduce();
  }

  /// Both tell the other who lives there.
  void introduce() {
    here->learn(to_there, there->residents());
    there->learn(to_here, here->residents());
  }

  void carry() {
    there->receive(to_here, here->take(to_there));
    here->receive(to_there, there->take(to_here));
  }

  caf::actor handle(message_router& of, const address& from, const address& to) {
    return caf::actor_cast<caf::actor>(of.find(from, to));
  }

  /// Returns whether `who` has got a message.
  static bool has_mail(caf::scoped_actor& who) { return who->has_next_message(); }
};

report_seen seen_of(std::uint64_t number) {
  report_seen s;
  s.number = number;
  return s;
}

} // namespace

TEST_CASE_FIXTURE(two_routers, "who lives here is reached directly, who lives there by mail") {
  CHECK(here->find(scheduler_5, some_owner) == caf::actor_cast<caf::strong_actor_ptr>(owner.ptr()));
  const auto far = handle(*here, some_owner, scheduler_5);
  REQUIRE(far);
  owner->send(far, seen_of(7));
  CHECK(news == std::vector{to_there});
  CHECK_FALSE(has_mail(scheduler));
  carry();
  std::uint64_t got = 0;
  scheduler->receive([&](const report_seen& s) { got = s.number; }, caf::after(0s) >> [] {});
  CHECK(got == 7);
  CHECK(here->counts().envelopes_sent == 1);
  CHECK(here->counts().bytes_sent > 0);
  CHECK(there->counts().envelopes_received == 1);
}

TEST_CASE_FIXTURE(two_routers, "signs of life go before everything else") {
  const auto far = handle(*here, some_owner, scheduler_5);
  owner->send(far, seen_of(1));
  owner->send<caf::message_priority::high>(far, seen_of(2));
  owner->send(far, seen_of(3));
  owner->send<caf::message_priority::high>(far, seen_of(4));
  CHECK(news.size() == 1);
  const auto bytes = here->take(to_there);
  envelope_reader reader{system, bytes};
  std::vector<std::uint64_t> got;
  while (const auto p = reader.next())
    got.push_back(p->content.get_as<report_seen>(0).number);
  CHECK(got == std::vector<std::uint64_t>{2, 4, 1, 3});
  owner->send<caf::message_priority::high>(far, seen_of(5));
  CHECK(news.size() == 2);
}

TEST_CASE_FIXTURE(two_routers, "an outbox tells once that it is not empty any more") {
  const auto far = handle(*here, some_owner, scheduler_5);
  owner->send(far, seen_of(1));
  owner->send(far, seen_of(2));
  CHECK(news.size() == 1);
  carry();
  owner->send(far, seen_of(3));
  CHECK(news.size() == 2);
  carry();
  for (const std::uint64_t expected : {1, 2, 3}) {
    std::uint64_t got = 0;
    scheduler->receive([&](const report_seen& s) { got = s.number; }, caf::after(0s) >> [] {});
    CHECK(got == expected);
  }
}

TEST_CASE_FIXTURE(two_routers, "a sender can be answered where it is") {
  owner->send(handle(*here, some_owner, scheduler_5), seen_of(1));
  carry();
  caf::actor back;
  scheduler->receive(
    [&](const report_seen&) { back = caf::actor_cast<caf::actor>(scheduler->current_sender()); },
    caf::after(0s) >> [] {});
  REQUIRE(back);
  scheduler->send(back, seen_of(2));
  carry();
  std::uint64_t got = 0;
  owner->receive([&](const report_seen& s) { got = s.number; }, caf::after(0s) >> [] {});
  CHECK(got == 2);
}

TEST_CASE_FIXTURE(two_routers,
                  "an unknown address is nobody's, and an incarnation is not another one") {
  CHECK(here->find(some_owner, member_of(role::scheduler, 6, 0)) == nullptr);
  CHECK(here->find(some_owner, member_of(role::scheduler, 5, 2)) == nullptr);
  CHECK(here->knows(member_of(role::scheduler, 5, 0)));
  there->settle(member_of(role::scheduler, 5, 2),
                caf::actor_cast<caf::strong_actor_ptr>(scheduler.ptr()));
  introduce();
  CHECK(here->knows(member_of(role::scheduler, 5, 2)));
}

TEST_CASE_FIXTURE(two_routers, "who has moved away is found no more") {
  there->leave(scheduler_5);
  introduce();
  CHECK_FALSE(here->knows(scheduler_5));
  CHECK(there->residents().empty());
}

TEST_CASE_FIXTURE(two_routers,
                  "messages for a node without a connection are lost, those in its outbox, too") {
  const auto far = handle(*here, some_owner, scheduler_5);
  owner->send(far, seen_of(1));
  here->disconnect(to_there);
  owner->send(far, seen_of(2));
  CHECK(here->counts().dropped == 1);
  CHECK(here->take(to_there).empty());
  here->connect(to_there);
  owner->send(far, seen_of(3));
  carry();
  std::uint64_t got = 0;
  scheduler->receive([&](const report_seen& s) { got = s.number; }, caf::after(0s) >> [] {});
  CHECK(got == 3);
  CHECK_FALSE(has_mail(scheduler));
}

TEST_CASE_FIXTURE(two_routers, "mail for a member that has just moved away is lost") {
  owner->send(handle(*here, some_owner, scheduler_5), seen_of(1));
  there->leave(scheduler_5);
  carry();
  CHECK(there->counts().dropped == 1);
  CHECK_FALSE(has_mail(scheduler));
}

TEST_CASE_FIXTURE(two_routers, "machines are known by where their numbers belong") {
  there->learn_machines(to_here, 100, 10);
  CHECK(there->knows(member_of(role::machine, 100, 0)));
  CHECK(there->knows(member_of(role::machine, 109, 0)));
  CHECK_FALSE(there->knows(member_of(role::machine, 110, 0)));
}

TEST_CASE_FIXTURE(two_routers, "a place is reached where its machine is now") {
  const auto machine = member_of(role::machine, 7, 0);
  handle_cache cache{here, some_owner};
  CHECK_FALSE(here->knows(machine));
  here->settle(machine, caf::actor_cast<caf::strong_actor_ptr>(scheduler.ptr()));
  CHECK_FALSE(here->knows(member_of(role::machine, 6, 0)));
  CHECK(cache.find(role::machine, 7, 0) == caf::actor_cast<caf::strong_actor_ptr>(scheduler.ptr()));
  here->learn_machines(to_there, 7, 1); // it still lives here
  CHECK(here->node_of(machine) == "");
  here->leave(machine);
  CHECK_FALSE(here->knows(machine));
  CHECK(cache.find(role::machine, 7, 0) == nullptr);
  here->learn_machines(to_there, 7, 1);
  CHECK(here->node_of(machine) == "there");
  CHECK(cache.find(role::machine, 7, 0) != nullptr);
  here->settle(machine, caf::actor_cast<caf::strong_actor_ptr>(owner.ptr()));
  CHECK(cache.find(role::machine, 7, 0) == caf::actor_cast<caf::strong_actor_ptr>(owner.ptr()));
}

TEST_CASE_FIXTURE(two_routers, "mail that is nonsense is refused whole") {
  CHECK_THROWS_AS(here->receive(to_there, "this is no mail"), std::runtime_error);
  CHECK_FALSE(has_mail(owner));
}

TEST_CASE_FIXTURE(two_routers, "a machine is reached by one handle in all of its incarnations") {
  handle_cache known{here, some_owner};
  CHECK_FALSE(known.find(role::machine, 7, 0));
  here->learn_machines(to_there, 0, 10);
  const auto handle = known.find(role::machine, 7, 0);
  REQUIRE(handle);
  CHECK(known.find(role::machine, 7, 3) == handle);
  CHECK(known.find(role::machine, 8, 3) != handle);
}

TEST_CASE_FIXTURE(two_routers,
                  "the latest incarnation of a member is another one when it has moved") {
  handle_cache known{here, some_owner};
  const auto first = known.find(role::scheduler, 5, 1);
  REQUIRE(first);
  CHECK(known.find(role::scheduler, 5, 1) == first);
  CHECK_FALSE(known.find(role::scheduler, 5, 2));
  CHECK(here->incarnation_of({party::member, role::scheduler, 5, 0}) == 1);
  const auto moved = caf::actor_cast<caf::strong_actor_ptr>(scheduler.ptr());
  here->settle(member_of(role::scheduler, 5, 2), moved);
  CHECK(known.find(role::scheduler, 5, 0) == moved);
  CHECK(known.find(role::scheduler, 5, 2) == moved);
  CHECK(known.find(role::scheduler, 5, 1) == first);
  CHECK(here->incarnation_of({party::member, role::scheduler, 5, 0}) == 2);
  CHECK(here->incarnation_of({party::member, role::scheduler, 6, 0}) == 0);
}

namespace {

sync_update snapshots_of_owner_2() {
  sync_update u;
  u.owner = 2;
  u.partitions.push_back({0, 1s, {7, 7}, {}, {}, 0});
  return u;
}

/// Partitions of two machines of one kind of resource.
const snapshot_sizes two_machines{3, 1, {2}};

} // namespace

TEST_CASE_FIXTURE(two_routers, "what is remembered of snapshots goes with those who sent them") {
  there->expect(two_machines);
  const auto partitions = [&] {
    std::size_t n = 99;
    scheduler->receive([&](const sync_update& u) { n = u.partitions.size(); },
                       caf::after(0s) >> [] {});
    return n;
  };
  for (incarnation_id incarnation = 1; incarnation <= 20; ++incarnation) {
    const auto from = member_of(role::owner, 2, incarnation);
    here->settle(from, caf::actor_cast<caf::strong_actor_ptr>(owner.ptr()));
    introduce();
    owner->send(handle(*here, from, scheduler_5), snapshots_of_owner_2());
    carry();
    CHECK(partitions() == 1);
    here->leave(from);
    introduce();
  }
  CHECK(here->snapshot_streams() == 0);
  CHECK(there->snapshot_streams() == 1);

  // What an earlier incarnation has still sent does not disturb the later one.
  owner->send(handle(*here, member_of(role::owner, 2, 19), scheduler_5), snapshots_of_owner_2());
  carry();
  CHECK(partitions() == 0);
  CHECK(there->snapshot_streams() == 1);

  there->leave(scheduler_5);
  CHECK(there->snapshot_streams() == 0);
  there->settle(scheduler_5, caf::actor_cast<caf::strong_actor_ptr>(scheduler.ptr()));
  introduce();
  owner->send(handle(*here, some_owner, scheduler_5), snapshots_of_owner_2());
  carry();
  CHECK(there->snapshot_streams() == 1);
  there->disconnect(to_here);
  CHECK(there->snapshot_streams() == 0);
}

TEST_CASE_FIXTURE(two_routers, "snapshots of owners that there are not are refused") {
  const auto send_as = [&](const address& from) {
    owner->send(handle(*here, from, scheduler_5), snapshots_of_owner_2());
    there->receive(to_here, here->take(to_there));
  };
  CHECK_THROWS_AS(send_as(some_owner), std::runtime_error); // nothing is expected yet
  there->expect(two_machines);
  CHECK_THROWS_AS(send_as(member_of(role::owner, 3, 1)), std::runtime_error);
  CHECK_THROWS_AS(send_as(member_of(role::scheduler, 0, 1)), std::runtime_error);
  CHECK(there->snapshot_streams() == 0);
  CHECK_FALSE(has_mail(scheduler));
}

TEST_CASE("mail is sent at once after a pause, and together with later mail otherwise") {
  using time = send_pacer::clock::time_point;
  send_pacer pacer{1ms};
  const time begin{1h};
  CHECK(pacer.begin(begin) == 0ms);
  CHECK_FALSE(pacer.begin(begin + 1us)); // goes with the first one
  pacer.sent(begin + 10us);
  CHECK(pacer.begin(begin + 200us) == 810us);
  CHECK_FALSE(pacer.begin(begin + 900us));
  pacer.sent(begin + 1'010us);
  CHECK(pacer.begin(begin + 2'010us) == 0ms);
}

TEST_CASE_FIXTURE(two_routers, "handles for incarnations that are gone are not kept") {
  for (incarnation_id i = 2; i < 50; ++i) {
    const auto next = member_of(role::scheduler, 5, i);
    there->leave(member_of(role::scheduler, 5, i - 1));
    there->settle(next, caf::actor_cast<caf::strong_actor_ptr>(scheduler.ptr()));
    introduce();
    CHECK(handle(*here, some_owner, next));
    CHECK(handle(*there, next, some_owner));
    CHECK(handle(*there, next, member_of(role::owner, 2, 0)));
    CHECK(here->stand_ins() <= 2);
    CHECK(there->stand_ins() <= 4);
  }
  CHECK(handle(*here, some_owner, member_of(role::scheduler, 5, 0)));
  here->disconnect(to_there);
  CHECK(here->knows(member_of(role::scheduler, 5, 49))); // it may come back
  here->learn(to_there, {});
  CHECK_FALSE(here->knows(member_of(role::scheduler, 5, 49)));
  CHECK(here->stand_ins() == 1); // that for the latest incarnation, whichever it is
}

TEST_CASE_FIXTURE(two_routers, "standbys are forgotten with the connection to their node") {
  const address standby{party::standby, role::owner, 9, 0};
  const address master = member_of(role::master, 0, 1);
  here->settle(master, caf::actor_cast<caf::strong_actor_ptr>(owner.ptr()));
  introduce();
  const auto says = [&] {
    scheduler->send(handle(*there, standby, master), seen_of(1));
    carry();
    return here->knows(standby);
  };
  CHECK(says());
  const auto before = here->stand_ins();
  here->disconnect(to_there);
  CHECK_FALSE(here->knows(standby));
  CHECK(here->stand_ins() < before);
  here->connect(to_there);
  CHECK(says());
}
