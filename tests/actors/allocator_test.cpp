#include "actors/neighbours.hpp"
#include "actors/offers/allocator.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// An allocator of four machines with one slot each, two owners and two frameworks.
struct allocator_fixture {
  world w;
  std::vector<scheduler_inbox> frameworks{2};
  std::vector<owner_inbox> owners{2};
  allocator_config config{slot_machines(4, 1, 2), {1, 1}, {0, 1}, {}, 1s, {}};
  allocator_actor subject;

  void start() {
    subject = w.system().spawn(allocator, config);
    peers all;
    for (auto& f : frameworks)
      all.schedulers.push_back(pointer(w.system().spawn(fake_scheduler, &f)));
    for (auto& o : owners)
      all.owners.push_back(pointer(w.system().spawn(fake_owner, &o)));
    caf::anon_send(subject, std::move(all));
    w.settle();
  }

  void answer(scheduler_id f, offer_id id, std::vector<machine_amount> used = {}) {
    caf::anon_send(subject, offer_answer{f, id, id, std::move(used), {}});
    w.settle();
  }
};

const auto slot = resources::of_slots(1);

} // namespace

TEST_CASE_FIXTURE(allocator_fixture, "what is free is offered at once and then in every interval") {
  start();
  REQUIRE(frameworks[0].offers.size() == 1);
  REQUIRE(frameworks[1].offers.size() == 1);
  const auto& [at, first] = frameworks[0].offers[0];
  CHECK(at == 0s);
  CHECK(first.id == 1);
  CHECK(first.machines == std::vector<machine_amount>{{0, slot}, {2, slot}});
  answer(0, 1, {{0, slot}});
  w.run_until(999ms);
  CHECK(frameworks[1].offers.size() == 1);
  w.run_until(1s); // what framework 0 has left
  REQUIRE(frameworks[1].offers.size() == 2);
  CHECK(frameworks[1].offers[1].first == 1s);
  CHECK(frameworks[1].offers[1].second.machines == std::vector<machine_amount>{{2, slot}});
}

TEST_CASE_FIXTURE(allocator_fixture,
                  "owners are told once per interval what has been seen, or when asked") {
  start();
  answer(0, 1, {{0, slot}});
  caf::anon_send(subject, capacity_report{1, 1, {{0, 0, slot}}, {}});
  w.settle();
  CHECK(owners[1].acknowledged.empty());
  w.run_until(1s);
  REQUIRE(owners[1].acknowledged.size() == 1);
  CHECK(owners[1].acknowledged[0].second.number == 1);
  caf::anon_send(subject, capacity_report{1, 1, {{0, 0, slot}}, {}}); // it comes again
  w.settle();
  CHECK(owners[1].acknowledged.size() == 2);
  CHECK(owners[0].acknowledged.empty());
}

TEST_CASE_FIXTURE(allocator_fixture,
                  "offers without an answer are asked after and then asked back") {
  config.rules.timeout = 3s;
  start();
  answer(1, 1);
  w.run_until(2s);
  REQUIRE(frameworks[0].recalls.size() == 1);
  CHECK(frameworks[0].recalls[0].first == 2s);
  CHECK_FALSE(frameworks[0].recalls[0].second.rescind);
  w.run_until(3s);
  REQUIRE(frameworks[0].recalls.size() >= 2);
  CHECK(frameworks[0].recalls[1].first == 3s);
  CHECK(frameworks[0].recalls[1].second.id == 1);
  CHECK(frameworks[0].recalls[1].second.rescind);
  CHECK(frameworks[1].recalls.empty());
}

TEST_CASE_FIXTURE(allocator_fixture, "nonsense is ignored") {
  start();
  answer(9, 1);
  caf::anon_send(subject, capacity_report{9, 1, {}, {}});
  w.run_until(1s);
  CHECK(frameworks[0].offers.size() == 1);
}

TEST_CASE_FIXTURE(allocator_fixture, "it tells what was counted since the last time") {
  start();
  w.run_until(500ms);
  answer(0, 1, {{0, slot}, {2, slot}});
  const auto status = ask<allocator_status>(w, subject, sample_atom_v);
  REQUIRE(status.groups.size() == 2);
  CHECK(status.all.made == 2);
  CHECK(status.all.accepted == 1);
  CHECK(status.all.locked() == doctest::Approx(1));
  CHECK(status.groups[0].locked() == doctest::Approx(0.5));
  CHECK(status.groups[0].share() == doctest::Approx(0.5));
  CHECK(ask<allocator_status>(w, subject, sample_atom_v).all.made == 0);
}

TEST_CASE_FIXTURE(
  allocator_fixture,
  "offers to a framework that says nothing are void, and it is asked until it does") {
  const std::vector<caf::strong_actor_ptr> schedulers{
    pointer(w.system().spawn(fake_scheduler, &frameworks[0])),
    pointer(w.system().spawn(fake_scheduler, &frameworks[1]))};
  config.failover.emplace();
  config.failover->as = {role::allocator, 0, 1};
  config.failover->reach = [&](role what, std::uint32_t number, incarnation_id) {
    return what == role::scheduler ? schedulers[number] : caf::strong_actor_ptr{};
  };
  config.owners = 1;
  subject = w.system().spawn(allocator, config);
  const auto state = [&](std::uint32_t incarnation) {
    capacity_statement all{0, session_base(1, incarnation) + 1, {}, {}};
    for (machine_id m = 0; m < 4; ++m)
      all.free.push_back({m, slot});
    caf::anon_send(subject, all);
    w.settle();
  };
  w.settle();
  state(1);
  w.run_until(1s);
  REQUIRE(frameworks[1].offers.size() == 1);
  const auto first = frameworks[1].offers[0].second;
  CHECK(first.machines.size() == 2);
  answer(0, frameworks[0].offers.at(0).second.id, {{0, slot}});
  w.run_until(6s); // asked after 2 s, and waited for since then
  REQUIRE(frameworks[1].recalls.size() > 1);
  w.run_until(8s);
  state(2); // the next incarnation of the allocator asks what is free
  w.run_until(10s);
  REQUIRE_FALSE(frameworks[0].offers.empty());
  const auto& all = frameworks[0].offers.back().second;
  CHECK(incarnation_of_offer(all.id) == 2);
  CHECK(all.machines.size() == 4);
  const auto question = frameworks[1].offers.back().second;
  CHECK(incarnation_of_offer(question.id) == 2);
  CHECK(question.machines.empty());
  w.run_until(13s);
  CHECK(frameworks[1].offers.back().second.id == question.id);
  answer(1, question.id);
  answer(0, all.id); // which it declines
  w.run_until(14s);
  CHECK(frameworks[1].offers.back().second.machines.size() == 4);
}
