#include "actors/neighbours.hpp"
#include "actors/scheduler/scheduler_core.hpp"
#include "policies/registry.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::test;

namespace {

job_delivery delivery(std::uint64_t number, std::vector<kept_job> jobs, bool resumed = false,
                      incarnation_id incarnation = 1) {
  return {0, incarnation, number, resumed, std::move(jobs)};
}

/// A scheduler with two owners of one machine each.
struct failover_fixture {
  std::shared_ptr<const catalog> machines = slot_machines(2, 4, 2);
  scheduler_core core{0,  *machines,        {0, 1}, make_policy("random-fit", {}),
                      {}, random_stream{5}, 0s};

  explicit failover_fixture(incarnation_id incarnation = 1) {
    core.watch_failures(incarnation, {0}, 2);
  }

  owner_statement statement(owner_id owner, incarnation_id incarnation,
                            incarnation_id of_scheduler = 1) {
    return {owner, session_base(incarnation, of_scheduler), {}, {}, {}};
  }

  /// Has it decide and commit, and returns the commits.
  std::vector<scheduler_core::outgoing> place(instant now) {
    return core.decide(now) ? core.commit(now) : std::vector<scheduler_core::outgoing>{};
  }
};

/// The same, with a view that learns from its own tasks.
struct alone : failover_fixture {
  alone() {
    scheduler_limits limits;
    limits.source = view_source::own_tasks;
    limits.retry.wait_for_refresh = true;
    core = {0, *machines, {0, 1}, make_policy("random-fit", {}), limits, random_stream{5}, 0s};
    core.watch_failures(1, {0}, 2);
    core.reconcile(statement(0, 1), 0s);
    core.reconcile(statement(1, 1), 0s);
    core.deliver(delivery(1, {{slot_job(1, 8), {}}}), 0s);
  }

  task_report change(std::uint64_t number, const machine_change& what) {
    return {0, session_base(1, 1) + number, {}, {what}};
  }
};

struct second_incarnation : failover_fixture {
  second_incarnation() : failover_fixture(2) {}
};

} // namespace

TEST_CASE_FIXTURE(alone, "of a job that was withdrawn, tasks that wait are abandoned") {
  REQUIRE(place(1s).size() == 2); // all eight run, and four more jobs wait
  auto next = delivery(2, {{slot_job(2, 4), {}}, {slot_job(3, 1), {}}});
  core.deliver(next, 2s);
  CHECK(core.counts().queued == 5);
  auto end = delivery(3, {});
  end.withdrawn = {1, 2, 99};
  core.deliver(end, 3s);
  CHECK(core.counts().queued == 1);
  CHECK(core.counts().abandoned == 4);
  CHECK(core.counts().in_commit == 8);
  std::vector<task_id> told;
  core.failover()->visit_untold([&](const task_id& t, task_fate fate) {
    CHECK(fate == task_fate::abandoned);
    told.push_back(t);
  });
  CHECK(told == std::vector<task_id>{{2, 0}, {2, 1}, {2, 2}, {2, 3}});
}

TEST_CASE_FIXTURE(second_incarnation, "a job that was withdrawn is not placed after a failover") {
  auto all = delivery(1, {{slot_job(7, 2), {}}, {slot_job(8, 2), {}}}, true, 2);
  all.withdrawn = {7};
  core.deliver(all, 0s);
  core.reconcile(statement(0, 1, 2), 0s);
  auto other = statement(1, 1, 2);
  other.running = {{{7, 1}, 3}};
  core.reconcile(other, 0s);
  CHECK_FALSE(core.failover()->taking_over());
  core.decide(1s);
  CHECK(core.counts().abandoned == 1);
  CHECK(core.counts().running == 1);
  CHECK(core.counts().queued + core.counts().in_commit == 2);
}

TEST_CASE_FIXTURE(second_incarnation,
                  "tasks of a withdrawn job that might have run are abandoned") {
  scheduler_limits limits;
  limits.max_empty_attempts = 1;
  core = {0, *machines, {0, 1}, make_policy("random-fit", {}), limits, random_stream{5}, 0s};
  core.watch_failures(2, {0}, 2);
  job staged{7, 0s, 0s, {{2, one_slot, {2s}}, {1, one_slot, {3s}}}};
  staged.groups[1].after = {0};
  core.deliver(delivery(1, {{staged, {}}}, true, 2), 0s);
  auto knowing = statement(0, 1, 2);
  knowing.running = {{{7, 0}, 0}};
  core.reconcile(knowing, 0s);
  auto other = statement(1, 1, 2);
  other.unknown = {1};
  core.reconcile(other, 0s);
  auto end = delivery(2, {}, false, 2);
  end.withdrawn = {7};
  core.deliver(end, 1s);
  CHECK(core.counts().running == 3); // two of them may run on the unknown machine
  other.session |= stated_again;
  other.unknown.clear();
  core.reconcile(other, 2s);
  CHECK(place(2s).empty());
  CHECK(core.counts().running == 1);
  CHECK(core.counts().abandoned == 2);
}

TEST_CASE_FIXTURE(failover_fixture, "a report is safe once the job store knows what it tells") {
  core.reconcile(statement(0, 1), 0s);
  core.reconcile(statement(1, 1), 0s);
  core.deliver(delivery(1, {{slot_job(1, 1), {}}}), 0s);
  core.deliver(delivery(1, {{slot_job(1, 1), {}}}), 0s); // again
  const auto sent = place(0s);
  REQUIRE(sent.size() == 1);
  const auto owner = sent[0].first;
  const auto& p = sent[0].second.placements.at(0);
  core.answer({owner, sent[0].second.id, {}}, 0s);
  const auto base = session_base(1, 1);
  CHECK(core.failover()->safe(owner) == base + 1);
  core.report({owner, base + 2, {{p.task, p.machine, task_outcome::finished, 1s}}});
  CHECK(core.failover()->safe(owner) == base + 1);
  const auto news = core.failover()->news(1s, 500ms);
  REQUIRE(news.size() == 1);
  CHECK(news[0].second.over == std::vector<task_id>{p.task});
  CHECK(news[0].second.deliveries_seen == 1);
  CHECK(core.failover()->news(1100ms, 500ms).empty());
  CHECK(core.failover()->news(1500ms, 500ms).size() == 1);
  CHECK(core.failover()->confirm({0, 1, 1}, 1500ms) == std::vector<owner_id>{owner});
  CHECK(core.failover()->safe(owner) == base + 2);
}

TEST_CASE_FIXTURE(failover_fixture,
                  "a new owner's word settles what was under way with the old one") {
  core.reconcile(statement(0, 1), 0s);
  core.reconcile(statement(1, 1), 0s);
  core.deliver(delivery(1, {{slot_job(1, 6), {}}}), 0s);
  const auto sent = place(0s);
  REQUIRE(sent.size() == 2);
  const auto of_zero = sent[0].first == 0 ? sent[0].second : sent[1].second;
  const auto n = of_zero.placements.size();
  REQUIRE(n >= 2);
  // The first of them runs, the second has ended, the others are unheard of.
  auto news = statement(0, 2);
  news.running = {{of_zero.placements[0].task, 0}};
  news.ended = {{of_zero.placements[1].task, 0, task_outcome::finished, 1s}};
  core.reconcile(news, 1s);
  CHECK(core.counts().running == 1);
  CHECK(core.counts().finished == 1);
  CHECK(core.counts().queued == n - 2);
  core.answer({0, of_zero.id, {}}, 1s); // of the old one, and late
  core.reconcile(statement(0, 1), 1s);
  CHECK(core.counts().running == 1);
  // It is lost with the owner after that one.
  core.reconcile(statement(0, 3), 2s);
  CHECK(core.counts().running == 0);
  CHECK(core.counts().queued == n - 1);
  CHECK(core.counts().balanced());
}

TEST_CASE_FIXTURE(failover_fixture, "a task is given up when it was lost too often") {
  core.reconcile(statement(0, 1), 0s);
  core.reconcile(statement(1, 1), 0s);
  core.deliver(delivery(1, {{slot_job(1, 1), {}}}), 0s);
  std::uint64_t number[2] = {1, 1};
  for (int run = 0; run < 3; ++run) {
    const auto sent = place(0s);
    REQUIRE(sent.size() == 1);
    const auto owner = sent[0].first;
    core.answer({owner, sent[0].second.id, {}}, 0s);
    const auto& p = sent[0].second.placements.at(0);
    core.report(
      {owner, session_base(1, 1) + ++number[owner], {{p.task, p.machine, task_outcome::lost, 1s}}});
  }
  CHECK(core.counts().lost == 1);
  CHECK(core.counts().queued == 0);
  CHECK(core.idle());
  CHECK(core.failover()->news(1s, 500ms).size() == 1);
}

TEST_CASE_FIXTURE(second_incarnation,
                  "a new incarnation decides on nothing before it has all statements") {
  auto left = delivery(1, {{slot_job(1, 4), {0}}}, true, 2);
  core.deliver(left, 0s);
  auto one = statement(1, 4, 2);
  one.ended = {{task(2), 1, task_outcome::finished, 1s}};
  core.reconcile(one, 0s);
  CHECK_FALSE(core.idle());
  CHECK_FALSE(core.decide(0s));
  auto zero = statement(0, 1, 2);
  zero.running = {{task(1), 0}};
  core.reconcile(zero, 0s);
  CHECK(core.counts().running == 1);
  CHECK(core.counts().queued == 1);
  CHECK(core.counts().finished == 1);
  CHECK_FALSE(core.decide(0s)); // it has seen nothing of what is free
  core.refresh({1, 5, 0, {{1, 10ms, {2}, {}}}}, 11ms);
  const auto sent = place(11ms);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].second.placements.at(0).task == task(3));
  CHECK(sent[0].second.placements.at(0).machine == 1);
  CHECK(scheduler_incarnation(sent[0].second.reports_seen) == 2);
  const auto news = core.failover()->news(1s, 500ms);
  REQUIRE(news.size() == 1);
  CHECK(news[0].second.over == std::vector<task_id>{task(2)});
}

TEST_CASE_FIXTURE(second_incarnation,
                  "a new incarnation releases the groups whose predecessors are over") {
  auto chain = slot_job(1, 2);
  for (std::uint32_t before : {0, 1}) {
    chain.groups.push_back(chain.groups.front());
    chain.groups.back().after = {before};
  }
  core.deliver(delivery(1, {{chain, {0}}}, true, 2), 0s);
  // The end of task 1 has not reached the job store, and task 2 was started behind it.
  auto one = statement(1, 4, 2);
  one.running = {{task(2), 1}};
  core.reconcile(one, 0s);
  auto zero = statement(0, 1, 2);
  zero.ended = {{task(1), 0, task_outcome::finished, 1s}};
  core.reconcile(zero, 0s);
  CHECK(core.counts().running == 1);
  CHECK(core.counts().queued == 3);
  core.refresh({1, 5, 0, {{1, 10ms, {4}, {}}}}, 11ms);
  auto sent = place(11ms);
  REQUIRE(sent.size() == 1);
  REQUIRE(sent[0].second.placements.size() == 1);
  CHECK(sent[0].second.placements[0].task == task(3));
  core.answer({1, sent[0].second.id, {}}, 12ms);
  const auto base = session_base(4, 2);
  core.report({1, base + 2, {{task(2), 1, task_outcome::finished, 2s}}});
  CHECK(place(2s).empty());
  core.report({1, base + 3, {{task(3), 1, task_outcome::finished, 3s}}});
  sent = place(3s);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].second.placements.size() == 2);
}

TEST_CASE_FIXTURE(failover_fixture, "what may run on a machine that is unknown runs nowhere else") {
  core.reconcile(statement(0, 1), 0s);
  core.reconcile(statement(1, 1), 0s);
  core.deliver(delivery(1, {{slot_job(1, 6), {}}}), 0s);
  const auto sent = place(0s);
  REQUIRE(sent.size() == 2);
  const auto of_zero = sent[0].first == 0 ? sent[0].second : sent[1].second;
  const auto n = of_zero.placements.size();
  REQUIRE(n >= 2);
  auto news = statement(0, 2);
  news.unknown = {0};
  core.reconcile(news, 1s);
  CHECK(core.counts().running == n);
  CHECK(core.counts().placed == 0);
  CHECK(core.counts().queued == 0);
  // One of them ends there after all; the machine tells of another one; the rest has never run.
  core.report(
    {0, session_base(2, 1) + 2, {{of_zero.placements[0].task, 0, task_outcome::finished, 2s}}});
  CHECK(core.counts().finished == 1);
  auto again = statement(0, 2);
  again.session |= stated_again;
  again.running = {{of_zero.placements[1].task, 0}};
  core.reconcile(again, 3s);
  CHECK(core.counts().running == 1);
  CHECK(core.counts().placed == 2);
  CHECK(core.counts().queued == n - 2);
  CHECK(core.counts().balanced());
}

TEST_CASE("a task found on another machine than expected is charged there") {
  const auto machines = slot_machines(2, 4, 1);
  scheduler_limits limits;
  limits.source = view_source::own_tasks;
  limits.candidates = 2;
  scheduler_core core{0,      *machines,        {0}, make_policy("random-fit", {}),
                      limits, random_stream{5}, 0s};
  core.watch_failures(1, {0}, 2);
  core.reconcile({0, session_base(1, 1)}, 0s);
  core.deliver(delivery(1, {{slot_job(1, 1), {}}}), 0s);
  REQUIRE(core.decide(0s));
  const auto sent = core.commit(0s);
  REQUIRE(sent.at(0).second.alternatives.size() == 1);
  const auto first = sent[0].second.placements.at(0).machine;
  const auto other = sent[0].second.alternatives[0].machine;
  owner_statement news{0, session_base(2, 1)};
  news.unknown = {other};
  SUBCASE("the first choice may have been granted") {
    news.unknown = {0, 1};
  }
  SUBCASE("only the other one may") {}
  core.reconcile(news, 1s);
  CHECK(core.counts().running == 1);
  owner_statement all{0, session_base(2, 1) | stated_again, {{task(0), other}}};
  core.reconcile(all, 2s);
  CHECK(core.failover()->running.at(task(0)) == other);
  CHECK(core.seen().free(first) == resources::of_slots(4));
  CHECK(core.seen().free(other) == resources::of_slots(3));
  CHECK(core.counts().placed == 1);
}

TEST_CASE_FIXTURE(second_incarnation,
                  "a new incarnation begins although some machines are unknown") {
  core.deliver(delivery(1, {{slot_job(1, 3), {0}}, {slot_job(2, 2), {}}}, true, 2), 0s);
  core.reconcile(statement(1, 1, 2), 0s);
  auto partial = statement(0, 4, 2);
  partial.running = {{task(1), 0}};
  partial.unknown = {0};
  core.reconcile(partial, 0s);
  // The first job has started, so that its last task may run; nothing is known of the second.
  CHECK(core.counts().running == 2);
  CHECK(core.counts().queued == 0);
  CHECK(core.failover()->left.size() == 1);
  core.deliver(delivery(2, {{slot_job(3, 1), {}}}, false, 2), 1s);
  core.refresh({1, 5, 0, {{1, 10ms, {4}, {}}}}, 1s);
  const auto sent = place(1s);
  REQUIRE(sent.size() == 1);
  CHECK(sent[0].second.placements.at(0).task == task_id{3, 0});
  core.answer({1, sent[0].second.id, {}}, 1s);
  SUBCASE("a task of it shows up") {
    core.report({0, session_base(4, 2) + 2, {{{2, 1}, 0, task_outcome::finished, 2s}}});
    CHECK(core.counts().finished == 1);
    CHECK(core.counts().running == 4);
  }
  SUBCASE("nothing shows up") {}
  auto all = statement(0, 4, 2);
  all.session |= stated_again;
  all.running = {{task(1), 0}};
  core.reconcile(all, 3s);
  CHECK(core.failover()->left.empty());
  CHECK(core.counts().running == 2);
  CHECK(core.counts().queued == 3 - core.counts().finished);
  CHECK(core.counts().balanced());
}

TEST_CASE_FIXTURE(alone, "where it is alone, a scheduler heeds what a machine loses in part") {
  const auto lost = resources{} - resources::of_slots(3);
  core.report(change(2, {0, true, lost}));
  CHECK(core.seen().free(0) == resources::of_slots(1));
  core.report(change(2, {0, true, lost})); // again
  CHECK(core.seen().free(0) == resources::of_slots(1));
  core.report(change(3, {0, false, resources{} - resources::of_slots(1)}));
  CHECK(core.seen().free(0) == resources{});
  core.report(change(4, {0, true}));
  CHECK(core.seen().free(0) == resources::of_slots(4));
  // A new owner says what is, whatever the one before has said.
  auto news = statement(0, 2);
  news.capacities = {{0, resources::of_slots(2)}};
  core.reconcile(news, 1s);
  CHECK(core.seen().free(0) == resources::of_slots(2));
  core.reconcile(statement(0, 3), 2s);
  CHECK(core.seen().free(0) == resources::of_slots(4));
}

TEST_CASE_FIXTURE(alone,
                  "where it is alone, a scheduler waits for no version of what was refused") {
  const auto sent = place(0s);
  REQUIRE(sent.size() == 2);
  commit_reply reply{sent[0].first, sent[0].second.id, {}};
  reply.rejections = {{0, conflict_cause::gone, no_scheduler, 0, {}, 12}};
  core.answer(reply, 1s);
  CHECK(core.decide(1s));
}
