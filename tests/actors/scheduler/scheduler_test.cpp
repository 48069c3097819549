#include "actors/neighbours.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "policies/registry.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// Scheduler 0 with two owners of a partition each; machines of one slot. Deciding takes 10 ms per
/// job and 1 ms per task.
struct scheduler_fixture {
  owner_inbox got[2];
  std::shared_ptr<const catalog> machines = slot_machines(8, 1, 2);
  world w;
  placing_scheduler_actor subject;

  scheduler_fixture() { make({10ms, 1ms, 4, 0, 2s}); }

  void make(const scheduler_limits& limits) {
    scheduler_config config;
    config.machines = machines;
    config.owner_of = {0, 1};
    config.policy = [] { return make_policy("random-fit", {}); };
    config.limits = limits;
    config.random = random_stream::derive(1, "scheduler", 0);
    subject = w.system().spawn(scheduler, config);
    peers all;
    for (auto& g : got)
      all.owners.push_back(pointer(w.system().spawn(fake_owner, &g)));
    caf::anon_send(subject, all);
    w.settle();
  }

  void submit(job_id id, std::uint32_t tasks) {
    caf::anon_send(subject, submission{{slot_job(id, tasks, w.now())}});
    w.settle();
  }

  void reply(owner_id from, commit_id id, std::vector<rejection> rejections = {}) {
    caf::anon_send(subject, commit_reply{from, id, std::move(rejections)});
    w.settle();
  }

  void report(owner_id from, std::uint64_t number, std::vector<task_id> tasks,
              task_outcome outcome = task_outcome::finished) {
    task_report r{from, number, {}};
    for (const auto& t : tasks)
      r.ends.push_back({t, 0, outcome, w.now()});
    caf::anon_send(subject, r);
    w.settle();
  }

  /// Answers every commit that has come, granting all of it, and forgets them.
  void grant_all() {
    for (owner_id o = 0; o < 2; ++o)
      for (const auto& c : std::exchange(got[o].commits, {}))
        reply(o, c.second.id);
  }

  /// When commits came, each instant once.
  std::vector<instant> commit_times() const {
    std::vector<instant> times;
    for (const auto& g : got)
      for (const auto& c : g.commits)
        times.push_back(c.first);
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }

  std::size_t committed() const {
    std::size_t n = 0;
    for (const auto& g : got)
      for (const auto& c : g.commits)
        n += c.second.placements.size();
    return n;
  }

  task_counts counts() { return sum_of(ask<scheduler_status>(w, subject, sample_atom_v)).tasks; }
};

using times = std::vector<instant>;

} // namespace

TEST_CASE_FIXTURE(scheduler_fixture,
                  "a decision takes t_job for its job and t_task for each task") {
  w.run_until(100ms);
  submit(1, 3);
  CHECK(counts().in_commit == 3);
  w.run_until(113ms - 1ns);
  CHECK(committed() == 0);
  w.run_until(1s);
  CHECK(commit_times() == times{113ms});
  CHECK(committed() == 3);
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "batches follow each other without a pause, each job paid for once") {
  submit(1, 6); // 4 tasks: 14 ms; then 2 tasks of the same job and
  submit(2, 1); // 1 of the next: 13 ms
  w.run_until(1s);
  CHECK(commit_times() == times{14ms, 27ms});
  CHECK(committed() == 7);
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "what is submitted meanwhile waits for the decision under way") {
  submit(1, 1);
  w.run_until(5ms);
  submit(2, 1);
  CHECK(counts().queued == 1);
  w.run_until(1s);
  CHECK(commit_times() == times{11ms, 22ms});
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "each owner gets the placements on its own machines, once each") {
  submit(1, 8);
  w.run_until(1s);
  CHECK(committed() == 8);
  std::vector<machine_id> used;
  for (owner_id o = 0; o < 2; ++o)
    for (const auto& [at, request] : got[o].commits) {
      CHECK(request.scheduler == 0);
      for (const auto& p : request.placements) {
        CHECK(machines->place_of(p.machine).partition == o);
        CHECK(p.demand == resources::of_slots(1));
        CHECK(p.runtime == 1s);
        used.push_back(p.machine);
      }
    }
  std::sort(used.begin(), used.end());
  CHECK(used == std::vector<machine_id>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE_FIXTURE(scheduler_fixture, "what was refused is decided on again, and paid for again") {
  submit(1, 1);
  w.run_until(20ms);
  const owner_id o = got[0].commits.empty() ? 1 : 0;
  REQUIRE(got[o].commits.size() == 1);
  const auto first = got[o].commits[0].second;
  reply(o, first.id, {{0, conflict_cause::taken, 3, 1, {}}});
  w.run_until(1s);
  CHECK(commit_times() == times{11ms, 31ms});
  CHECK(committed() == 2);
  for (const auto& g : got)
    for (const auto& c : g.commits)
      if (c.first == 31ms) {
        CHECK(c.second.placements[0].task == task(0));
        CHECK(c.second.placements[0].machine != first.placements[0].machine);
      }
  const auto sample = sum_of(ask<scheduler_status>(w, subject, sample_atom_v));
  CHECK(sample.conflicts == 1);
  CHECK(sample.busy == 22ms);
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "what is to be tried later is decided on when its delay has ended") {
  scheduler_limits later{10ms, 1ms, 4, 0, 2s};
  later.retry.delay = 300ms;
  make(later);
  submit(1, 1);
  w.run_until(20ms);
  const owner_id o = got[0].commits.empty() ? 1 : 0;
  REQUIRE(got[o].commits.size() == 1);
  reply(o, got[o].commits[0].second.id, {{0, conflict_cause::taken, 3, 1, {}}});
  CHECK(counts().queued == 1);
  w.run_until(331ms - 1ns);
  CHECK(committed() == 1);
  w.run_until(1s);
  CHECK(commit_times() == times{11ms, 331ms}); // 20 + 300 + 11 ms
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "a commit that nobody answers is sent again after the timeout") {
  w.run_until(500ms);
  submit(1, 1);
  w.run_until(10s);
  const auto& g = got[0].commits.empty() ? got[1] : got[0];
  REQUIRE(g.commits.size() >= 3);
  CHECK(g.commits[0].first == 511ms);
  for (std::size_t i = 1; i < g.commits.size(); ++i) {
    const auto pause = g.commits[i].first - g.commits[i - 1].first;
    CHECK(pause >= 2s);
    CHECK(pause < 4s);
    CHECK(g.commits[i].second.id == g.commits[0].second.id);
    CHECK(g.commits[i].second.placements.size() == 1);
  }
  CHECK(counts().in_commit == 1);
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "an answer ends the repetition, and a second one changes nothing") {
  submit(1, 2);
  w.run_until(100ms);
  const auto before = got[0].commits.size() + got[1].commits.size();
  auto first = got[0].commits;
  auto second = got[1].commits;
  for (int twice = 0; twice < 2; ++twice) {
    for (const auto& c : first)
      reply(0, c.second.id);
    for (const auto& c : second)
      reply(1, c.second.id);
  }
  w.run_until(10s);
  CHECK(got[0].commits.size() + got[1].commits.size() == before);
  const auto now = counts();
  CHECK(now.running == 2);
  CHECK(now.placed == 2);
  CHECK(now.balanced());
  reply(0, 77); // never asked for
  CHECK(counts().running == 2);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a full view waits, and a snapshot sets it going again") {
  submit(1, 9);
  w.run_until(100ms);
  CHECK(committed() == 8);
  grant_all();
  CHECK(counts().queued == 1);
  w.run_until(1s);
  CHECK(committed() == 0);
  partition_snapshot snapshot{1, 999ms, {0, 0, 1, 0}, {}};
  caf::anon_send(subject, sync_update{1, 1, ~commit_id{0}, {snapshot}});
  w.run_until(2s);
  REQUIRE(got[1].commits.size() == 1);
  CHECK(got[1].commits[0].first == 1s + 1ms); // its job has been paid for
  CHECK(got[1].commits[0].second.placements[0].machine == machines->members(1)[2]);
  CHECK(counts().queued == 0);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a rejection that tells of room sets it going again") {
  submit(1, 9);
  w.run_until(100ms);
  const auto commits = got[0].commits;
  for (const auto& [at, c] : commits) {
    std::vector<rejection> refused;
    for (std::uint32_t i = 0; i < c.placements.size(); ++i)
      refused.push_back({i, conflict_cause::changed, 3, 1, resources::of_slots(1)});
    reply(0, c.id, refused);
  }
  w.run_until(200ms);
  CHECK(committed() == 12);
}

TEST_CASE_FIXTURE(scheduler_fixture,
                  "ends are booked once, and a report that comes again is said to be seen") {
  submit(1, 2);
  w.run_until(100ms);
  grant_all();
  report(0, 1, {task(0)});
  CHECK(got[0].seen.empty());
  CHECK(counts().finished == 1);
  w.run_until(200ms);
  report(0, 1, {task(0)});
  REQUIRE(got[0].seen.size() == 1);
  CHECK(got[0].seen[0].first == 200ms);
  CHECK(got[0].seen[0].second.scheduler == 0);
  CHECK(got[0].seen[0].second.number == 1);
  CHECK(got[1].seen.empty());
  CHECK(counts().finished == 0);
  CHECK_FALSE(ask<scheduler_status>(w, subject, sample_atom_v).idle);
  report(1, 1, {task(1)});
  CHECK(ask<scheduler_status>(w, subject, sample_atom_v).idle);
}

TEST_CASE_FIXTURE(scheduler_fixture, "commits tell which reports have come") {
  submit(1, 2);
  w.run_until(100ms);
  grant_all();
  report(0, 1, {task(0)});
  submit(2, 6);
  w.run_until(200ms);
  for (owner_id o = 0; o < 2; ++o)
    for (const auto& c : got[o].commits)
      CHECK(c.second.reports_seen == (o == 0 ? 1 : 0));
  CHECK(got[0].commits.size() > 0);
}

TEST_CASE_FIXTURE(scheduler_fixture, "a task that was lost is placed again") {
  submit(1, 1);
  w.run_until(100ms);
  grant_all();
  report(0, 1, {task(0)}, task_outcome::lost);
  w.run_until(200ms);
  CHECK(committed() == 1);
  const auto now = counts();
  CHECK(now.running == 0);
  CHECK(now.in_commit == 1);
  CHECK(now.balanced());
}

TEST_CASE("a scheduler decides on nothing before it knows the owners") {
  owner_inbox got;
  const auto machines = slot_machines(2, 1, 1);
  world w;
  scheduler_config config;
  config.machines = machines;
  config.owner_of = {0};
  config.policy = [] { return make_policy("latency-first", {}); };
  config.limits = {0ms, 1ms, 4, 0, 2s};
  const auto subject = w.system().spawn(scheduler, config);
  caf::anon_send(subject, submission{{slot_job(1, 1)}});
  w.run_until(1s);
  CHECK(got.commits.empty());
  peers all;
  all.owners.push_back(pointer(w.system().spawn(fake_owner, &got)));
  caf::anon_send(subject, all);
  w.run_until(2s);
  REQUIRE(got.commits.size() == 1);
  CHECK(got.commits[0].first == 1001ms);
}

TEST_CASE("a scheduler that comes late has the policy of the changes that were due before") {
  owner_inbox got;
  world w;
  w.run_until(5s);
  std::vector<std::string> made;
  scheduler_config config;
  config.machines = slot_machines(2, 1, 1);
  config.owner_of = {0};
  config.policy = [] { return make_policy("latency-first", {}); };
  config.policy_name = "latency-first";
  config.make_policy = [&made](const policy_choice& to) {
    made.push_back(to.policy);
    return make_policy(to.policy, {});
  };
  config.changes = {{1s, {"best-fit", {}}}, {4s, {"random-fit", {}}}, {7s, {"worst-fit", {}}}};
  config.limits = {0ms, 1ms, 4, 0, 2s};
  const auto subject = w.system().spawn(scheduler, config);
  const auto policy = [&] {
    return ask<scheduler_status>(w, subject, sample_atom_v).details.policy;
  };
  // A message that is sent now comes after the changes that were due before.
  caf::anon_send(subject, policy_choice{"adaptive", {}});
  w.settle();
  CHECK(made == std::vector<std::string>{"best-fit", "random-fit", "adaptive"});
  CHECK(policy() == "adaptive");
  w.run_until(8s);
  CHECK(policy() == "worst-fit");
  caf::anon_send(subject, policy_choice{"no-such", {}});
  w.settle();
  CHECK(policy() == "worst-fit");
}
