#include "actors/neighbours.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "policies/registry.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

struct allocator_inbox {
  inbox<offer_answer> answers;
};

allocator_actor::behavior_type fake_allocator(allocator_actor::pointer self, allocator_inbox* got) {
  return {[](const peers&) {},
          keep(got->answers, self),
          [](const capacity_report&) {},
          [](round_atom) {},
          [](resend_atom) {},
          [](sample_atom) { return allocator_status{}; },
          [](heartbeat_atom) {},
          [](const heartbeat_reply&) {},
          [](const membership&) {},
          [](const capacity_statement&) {},
          [](const sample_request&) { return allocator_status{}; }};
}

const auto one_slot_free = resources::of_slots(1);

/// Framework 0: a scheduler that is offered machines of two slots. Deciding takes 10 ms per job and
/// 1 ms per task.
struct framework_fixture {
  owner_inbox owner;
  allocator_inbox allocator;
  world w;
  placing_scheduler_actor subject;

  framework_fixture() { make(0); }

  void make(std::uint32_t offer_tasks, double hoard = 0, bool suppress = false) {
    scheduler_config config;
    config.machines = slot_machines(4, 2, 1);
    config.owner_of = {0};
    config.policy = [] { return make_policy("random-fit", {}); };
    config.limits.t_job = 10ms;
    config.limits.t_task = 1ms;
    config.limits.batch = 4;
    config.limits.source = view_source::offers;
    config.limits.offer_tasks = offer_tasks;
    config.limits.hoard = hoard;
    config.limits.suppress_offers = suppress;
    config.random = random_stream::derive(1, "scheduler", 0);
    subject = w.system().spawn(scheduler, config);
    peers all;
    all.owners.push_back(pointer(w.system().spawn(fake_owner, &owner)));
    all.allocators.push_back(pointer(w.system().spawn(fake_allocator, &allocator)));
    caf::anon_send(subject, all);
    w.settle();
  }

  template <class Message>
  void tell(Message message) {
    caf::anon_send(subject, std::move(message));
    w.settle();
  }

  void submit_gang(job_id id, std::uint32_t tasks) {
    auto gang = slot_job(id, tasks, w.now());
    gang.gang = true;
    tell(submission{{gang}});
  }

  void submit(job_id id, std::uint32_t tasks) { tell(submission{{slot_job(id, tasks, w.now())}}); }

  void offer(offer_id id, std::vector<machine_amount> machines) {
    tell(resource_offer{id, 1, std::move(machines)});
  }

  const offer_answer& last_answer() {
    REQUIRE_FALSE(allocator.answers.empty());
    return allocator.answers.back().second;
  }
};

} // namespace

TEST_CASE_FIXTURE(framework_fixture, "without an offer nothing is placed") {
  submit(1, 2);
  w.run_until(1s);
  CHECK(owner.commits.empty());
}

TEST_CASE_FIXTURE(framework_fixture,
                  "an offer is used for what waits, and the rest is given back") {
  submit(1, 2);
  offer(1, {{2, resources::of_slots(2)}, {3, one_slot_free}});
  CHECK(allocator.answers.empty()); // it is deciding
  w.run_until(12ms);
  REQUIRE(owner.commits.size() == 1);
  CHECK(owner.commits[0].second.placements.size() == 2);
  REQUIRE(allocator.answers.size() == 1);
  CHECK(allocator.answers[0].first == 12ms);
  CHECK(last_answer().first == 1);
  CHECK(last_answer().last == 1);
  REQUIRE(last_answer().used.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(last_answer().used[i] ==
          machine_amount{owner.commits[0].second.placements[i].machine, one_slot_free});
  submit(2, 1); // the rest is gone
  w.run_until(1s);
  CHECK(owner.commits.size() == 1);
}

TEST_CASE_FIXTURE(framework_fixture, "with nothing to place it declines at once") {
  offer(1, {{0, one_slot_free}});
  REQUIRE(allocator.answers.size() == 1);
  CHECK(last_answer().used.empty());
}

TEST_CASE_FIXTURE(framework_fixture, "offers that come while it decides are answered together") {
  submit(1, 3);
  offer(1, {{0, one_slot_free}});
  offer(2, {{1, one_slot_free}});
  w.run_until(1s);
  REQUIRE(allocator.answers.size() == 1);
  CHECK(last_answer().first == 1);
  CHECK(last_answer().last == 2);
  CHECK(last_answer().used.size() == 2);
}

TEST_CASE_FIXTURE(framework_fixture, "it may be allowed a number of tasks per answer only") {
  make(1);
  submit(1, 3);
  offer(1, {{0, one_slot_free}, {1, one_slot_free}, {2, one_slot_free}});
  w.run_until(1s);
  REQUIRE(allocator.answers.size() == 1);
  CHECK(last_answer().used.size() == 1);
  offer(2, {{1, one_slot_free}});
  w.run_until(2s);
  CHECK(last_answer().first == 2);
  CHECK(last_answer().used.size() == 1);
}

TEST_CASE_FIXTURE(framework_fixture, "what an owner refuses goes into the next answer") {
  submit(1, 1);
  offer(1, {{0, one_slot_free}});
  w.run_until(11ms);
  tell(commit_reply{0, 1, {{0, conflict_cause::gone, no_scheduler, 1, {}}}});
  CHECK(last_answer().first > last_answer().last); // it asks for an offer to answer
  offer(2, {{1, one_slot_free}});
  w.run_until(1s);
  CHECK(last_answer().last == 2);
  CHECK(last_answer().returned == std::vector<machine_amount>{{0, one_slot_free}});
  CHECK(last_answer().used == std::vector<machine_amount>{{1, one_slot_free}});
}

TEST_CASE_FIXTURE(framework_fixture, "an offer that comes twice counts once") {
  submit(1, 2);
  offer(1, {{0, one_slot_free}});
  offer(1, {{0, one_slot_free}});
  w.run_until(1s);
  CHECK(last_answer().used.size() == 1);
  offer(1, {{0, one_slot_free}}); // it was answered
  w.run_until(2s);
  CHECK(allocator.answers.size() == 1);
  CHECK(owner.commits.size() == 1);
}

TEST_CASE_FIXTURE(framework_fixture,
                  "asked after an offer, it repeats its answer, or says nothing yet") {
  submit(1, 1);
  offer(1, {{0, one_slot_free}});
  tell(offer_recall{1, 1, false});
  CHECK(allocator.answers.empty());
  w.run_until(1s);
  tell(offer_recall{1, 1, false});
  REQUIRE(allocator.answers.size() == 2);
  CHECK(allocator.answers[0].second.used == allocator.answers[1].second.used);
  tell(offer_recall{2, 2, false}); // that one never came
  REQUIRE(allocator.answers.size() == 3);
  CHECK(last_answer().first == 2);
  CHECK(last_answer().last == 2);
  offer(2, {{1, one_slot_free}}); // now it does
  CHECK(allocator.answers.size() == 3);
}

TEST_CASE_FIXTURE(framework_fixture, "an offer that is taken back ends the decision under way") {
  submit(1, 2);
  offer(1, {{0, one_slot_free}, {1, one_slot_free}});
  w.run_until(5ms);
  tell(offer_recall{1, 1, true});
  REQUIRE(allocator.answers.size() == 1);
  CHECK(last_answer().used.empty());
  w.run_until(1s);
  CHECK(owner.commits.empty());
  CHECK(ask<scheduler_status>(w, subject, sample_atom_v).samples[0].sample.tasks.queued == 2);
  offer(2, {{0, one_slot_free}});
  w.run_until(1011ms);
  REQUIRE(owner.commits.size() == 1); // the job is decided on anew
  CHECK(owner.commits[0].first == 1011ms);
}

TEST_CASE_FIXTURE(framework_fixture,
                  "a decision that was withdrawn does not end the next one early") {
  submit(1, 1);
  offer(1, {{0, one_slot_free}});
  w.run_until(5ms);
  tell(offer_recall{1, 1, true});
  offer(2, {{0, one_slot_free}});
  w.run_until(15ms);
  CHECK(owner.commits.empty()); // the first one would have ended at 11 ms
  w.run_until(16ms);
  CHECK(owner.commits.size() == 1);
}

TEST_CASE_FIXTURE(framework_fixture,
                  "what an owner refuses is returned, and an offer for that asked for") {
  submit(1, 1);
  offer(1, {{0, one_slot_free}});
  w.run_until(11ms);
  REQUIRE(owner.commits.size() == 1);
  commit_reply refused;
  refused.id = owner.commits[0].second.id;
  refused.rejections.push_back({0, conflict_cause::gone, no_scheduler, 0, {}});
  tell(refused);
  CHECK(last_answer().first > last_answer().last);
  CHECK(last_answer().returned == std::vector<machine_amount>{{0, one_slot_free}});
  const auto asked = allocator.answers.size();
  w.run_until(5s);
  CHECK(allocator.answers.size() > asked); // the word may have been lost
  offer(2, {});
  CHECK(last_answer().last == 2);
  CHECK(last_answer().returned == std::vector<machine_amount>{{0, one_slot_free}});
}

TEST_CASE_FIXTURE(framework_fixture,
                  "after a decision that was withdrawn it decides on half as much") {
  submit(1, 4);
  offer(1, {{0, resources::of_slots(2)}, {1, resources::of_slots(2)}});
  w.run_until(13ms);
  tell(offer_recall{1, 1, true}); // all four take 14 ms
  offer(2, {{0, resources::of_slots(2)}, {1, resources::of_slots(2)}});
  w.run_until(25ms);
  REQUIRE(owner.commits.size() == 1);
  CHECK(owner.commits[0].second.placements.size() == 2);
  submit(2, 4);
  w.run_until(27ms);
  REQUIRE(owner.commits.size() == 2);
  CHECK(owner.commits[1].second.placements.size() == 2);
  offer(3, {{2, resources::of_slots(2)}, {3, resources::of_slots(2)}});
  w.run_until(41ms);
  REQUIRE(owner.commits.size() == 3);
  CHECK(owner.commits[2].second.placements.size() == 4);
}

TEST_CASE_FIXTURE(framework_fixture, "offers that are too little for a gang are given back") {
  submit_gang(1, 4);
  offer(1, {{0, resources::of_slots(2)}});
  w.run_until(1s);
  REQUIRE(allocator.answers.size() > 0);
  CHECK(last_answer().last == 1);
  CHECK(owner.commits.empty());
}

TEST_CASE_FIXTURE(framework_fixture, "a scheduler that hoards keeps offers until a gang fits") {
  make(0, 0.5);
  submit_gang(1, 4);
  const auto before = allocator.answers.size();
  offer(1, {{0, resources::of_slots(2)}});
  w.run_until(1500ms);
  CHECK(allocator.answers.size() == before);
  CHECK(owner.commits.empty());
  offer(2, {{3, resources::of_slots(2)}});
  w.run_until(2s);
  REQUIRE(owner.commits.size() == 1);
  CHECK(owner.commits.back().second.placements.size() == 4);
  CHECK(last_answer().last == 2); // nothing is left to hoard for
  CHECK(last_answer().used.size() == 4);
}

TEST_CASE_FIXTURE(framework_fixture, "nothing is hoarded beyond the limit") {
  make(0, 0.5);
  submit_gang(1, 5); // more than half of 8 slots
  offer(1, {{0, resources::of_slots(2)}});
  w.run_until(1s);
  CHECK(last_answer().last == 1);
  make(0, 0.5);
  submit_gang(2, 4);
  offer(2, {{0, one_slot_free}, {1, one_slot_free}, {2, one_slot_free}});
  w.run_until(2s);
  const auto before = allocator.answers.size();
  CHECK(owner.commits.empty());
  tell(offer_recall{2, 1, true}); // its time is up
  CHECK(allocator.answers.size() == before + 1);
  CHECK(last_answer().used.empty());
}

TEST_CASE_FIXTURE(framework_fixture, "while nothing waits it suppresses offers, until tasks come") {
  make(0, 0, true);
  offer(1, {{0, one_slot_free}});
  CHECK(last_answer().suppresses);
  submit(1, 1);
  REQUIRE(allocator.answers.size() == 2);
  CHECK_FALSE(last_answer().suppresses);
  CHECK(last_answer().first > last_answer().last);
  submit(2, 1);
  CHECK(allocator.answers.size() == 2);
  w.run_until(60s); // the answer or the offer may be lost: it asks again
  CHECK(allocator.answers.size() > 2);
  offer(2, {{0, resources::of_slots(2)}});
  w.run_until(61s);
  CHECK(last_answer().used.size() == 2);
  CHECK(last_answer().suppresses);
}
