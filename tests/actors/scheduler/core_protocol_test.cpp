#include "support/attribute_cluster.hpp"
#include "support/core_cluster.hpp"
#include "support/seeds.hpp"

#include <doctest/doctest.h>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

constexpr int steps = 6'000;

/// Checks that whatever waits has an age, and adds what was counted.
void check_waiting(const std::pair<scheduler_sample, owner_sample>& now, scheduler_sample& all,
                   owner_sample& owners) {
  CHECK(now.first.waiting.count() == now.first.tasks.queued + now.first.tasks.in_commit);
  all.merge_growing(now.first);
  all.tasks.queued = now.first.tasks.queued;
  all.tasks.in_commit = now.first.tasks.in_commit;
  all.tasks.running = now.first.tasks.running;
  owners.merge(now.second);
  owners.running = now.second.running;
}

/// Runs a small, crowded cluster for a while and to its end.
void run(core_cluster_options options) {
  std::vector<std::uint32_t> kinds(30, hdd);
  for (std::uint32_t i = 0; i < 30; i += 3)
    kinds[i] = ssd;
  const auto machines =
    options.picky ? disk_catalog(kinds, 6, 2) : slot_catalog(lognormal_scores(30), 6, 2);
  for (std::uint64_t seed = 1; seed <= 4; seed += test::step_of_seeds(4)) {
    CAPTURE(seed);
    options.seed = seed;
    core_cluster cluster{machines, options};
    auto [schedulers, owners] = cluster.take_sample();
    for (int i = 1; i <= steps; ++i) {
      cluster.step();
      if (i % 200 == 0)
        check_waiting(cluster.take_sample(), schedulers, owners);
    }
    cluster.drain();
    check_waiting(cluster.take_sample(), schedulers, owners);
    CHECK(cluster.submitted > 1'000);
    CHECK(schedulers.tasks.finished + schedulers.tasks.abandoned == cluster.submitted);
    CHECK(schedulers.tasks.finished == cluster.finished.size());
    CHECK(schedulers.tasks.queued + schedulers.tasks.in_commit + schedulers.tasks.running == 0);
    CHECK(schedulers.tasks.placed == owners.accepted);
    CHECK(schedulers.conflicts == owners.rejected);
    if (options.exclusive || options.offers)
      CHECK(schedulers.conflicts ==
            schedulers.conflicts_by_cause[static_cast<std::size_t>(conflict_cause::gone)]);
    else
      CHECK(schedulers.conflicts > 50);
    CHECK(schedulers.duplicate_grants == 0);
    CHECK(schedulers.constraint_violations == 0);
    CHECK(owners.unknown_ends == 0);
    CHECK(owners.running == 0);
    CHECK(owners.over_capacity == 0);
    for (const auto& o : cluster.owners)
      CHECK_FALSE(o.has_holds());
    CHECK(cluster.gangs.empty() == (options.gangs == 0));
    std::uint64_t started = 0;
    for (const auto& [job, tasks] : cluster.gangs) {
      const auto first = cluster.finished.lower_bound({job, 0});
      const auto last = cluster.finished.lower_bound({job + 1, 0});
      const auto finished = static_cast<std::uint64_t>(std::distance(first, last));
      REQUIRE((finished == 0 || finished == tasks));
      started += finished > 0;
    }
    CHECK(schedulers.attempts.gangs_placed == started);
    CHECK(schedulers.attempts.transactions > schedulers.attempts.conflicted);
    if (options.hold_timeout > std::chrono::seconds{10})
      CHECK(schedulers.attempts.gangs_broken == 0);
    else
      CHECK(schedulers.attempts.gangs_broken > 0);
    CHECK((schedulers.attempts.diverted > 0) == (options.limits.candidates > 1));
    if (options.limits.max_attempts + options.limits.max_empty_attempts == 0 &&
        !options.loses_machines)
      CHECK(schedulers.tasks.placed == cluster.submitted + schedulers.preempted.tasks);
    CHECK(schedulers.preempted.tasks == owners.evicted);
    CHECK(owners.evicted == cluster.evictions);
    CHECK((cluster.evictions > (options.gangs > 0 ? 10 : 50)) == options.limits.preemption);
    if (options.loss > 0)
      CHECK(schedulers.retransmits > 10);
    const auto abandons = options.limits.max_attempts + options.limits.max_empty_attempts > 0;
    CHECK((schedulers.tasks.abandoned > 0) == abandons);
    CHECK((schedulers.attempts.jobs_abandoned > 0) == abandons);
  }
}

} // namespace

TEST_CASE("every task is in one place at a time, over perfect links") {
  run({});
}

TEST_CASE("picky tasks run where they may, whatever the links do and machines are lost") {
  for (const auto* policy : {"quality-first", "best-fit", "random-fit"})
    for (const double faults : {0.0, 0.15}) {
      CAPTURE(policy);
      CAPTURE(faults);
      core_cluster_options options{.policy = policy, .loss = faults, .duplication = faults};
      options.keeps_order = faults == 0;
      options.loses_machines = faults > 0;
      options.limits.look_past = 3;
      options.picky = true;
      run(options);
    }
}

TEST_CASE("every task is in one place at a time, over links that lose messages") {
  run({.loss = 0.2});
}

TEST_CASE("every task is in one place at a time, over links that repeat messages") {
  run({.duplication = 0.3});
}

TEST_CASE("every task is in one place at a time, over links that change the order") {
  run({.keeps_order = false});
}

TEST_CASE("every task is in one place at a time, whatever the links do and machines are lost") {
  for (auto detection : {conflict_detection::fine, conflict_detection::coarse})
    for (const std::string policy : {"random-fit", "latency-first", "quality-first"}) {
      CAPTURE(policy);
      run({.policy = policy,
           .detection = detection,
           .loss = 0.2,
           .duplication = 0.2,
           .keeps_order = false,
           .loses_machines = true});
    }
}

TEST_CASE("tasks that are abandoned are over like those that finish") {
  core_cluster_options options{.loss = 0.1, .duplication = 0.1, .loses_machines = true};
  options.limits.max_attempts = 3;
  run(options);
}

TEST_CASE("gangs start whole or not at all, over perfect links and over bad ones") {
  run({.gangs = 0.5});
  run({.policy = "latency-first",
       .loss = 0.2,
       .duplication = 0.2,
       .keeps_order = false,
       .gangs = 0.5});
  run({.owners = 1, .loss = 0.2, .gangs = 1});
}

TEST_CASE("gangs start whole under coarse detection, and with machines that are lost") {
  run({.detection = conflict_detection::coarse,
       .loss = 0.2,
       .duplication = 0.2,
       .keeps_order = false,
       .loses_machines = true,
       .gangs = 0.5});
}

TEST_CASE("gangs that are given up are given up whole") {
  core_cluster_options options{.loss = 0.2, .duplication = 0.1, .keeps_order = false, .gangs = 0.7};
  options.limits.max_attempts = 2;
  run(options);
  options.limits.max_attempts = 0;
  options.limits.max_empty_attempts = 1;
  run(options);
}

TEST_CASE("whatever holds run out, everything is granted once and comes to its end") {
  core_cluster_options options{.loss = 0.4, .keeps_order = false, .gangs = 0.7};
  options.hold_timeout = std::chrono::milliseconds{200};
  run(options);
}

TEST_CASE("jobs whose tasks are committed all or nothing come to their end") {
  core_cluster_options options{.loss = 0.2, .duplication = 0.2, .keeps_order = false};
  options.limits.all_or_nothing = true;
  run(options);
  options.loses_machines = true;
  options.detection = conflict_detection::coarse;
  options.gangs = 0.3;
  run(options);
}

TEST_CASE("every way to try again brings every task to its end") {
  for (const bool at_back : {false, true})
    for (const bool wait_for_refresh : {false, true}) {
      CAPTURE(at_back);
      CAPTURE(wait_for_refresh);
      core_cluster_options options{
        .loss = 0.1, .keeps_order = false, .loses_machines = true, .gangs = 0.2};
      options.limits.retry = {.at_back = at_back, .wait_for_refresh = wait_for_refresh};
      run(options);
      options.limits.retry.delay = std::chrono::milliseconds{50};
      options.limits.retry.factor = 2;
      options.limits.retry.max_delay = std::chrono::seconds{1};
      options.limits.retry.jitter = 0.5;
      run(options);
    }
}

TEST_CASE("placements with several candidates are granted once, on one of them") {
  for (auto detection : {conflict_detection::fine, conflict_detection::coarse})
    for (const std::string policy : {"random-fit", "latency-first", "quality-first"}) {
      CAPTURE(policy);
      core_cluster_options options{.policy = policy,
                                   .detection = detection,
                                   .loss = 0.2,
                                   .duplication = 0.2,
                                   .keeps_order = false,
                                   .loses_machines = true,
                                   .gangs = 0.2};
      options.limits.candidates = 3;
      options.limits.keep_away = std::chrono::seconds{1};
      run(options);
    }
}

TEST_CASE("a scheduler alone never conflicts, however late snapshots and commits arrive") {
  const auto machines = slot_catalog(lognormal_scores(20), 4, 2);
  for (auto detection : {conflict_detection::fine, conflict_detection::coarse})
    for (const auto& policy : builtin_policies())
      for (std::uint64_t seed = 1; seed <= 3; seed += test::step_of_seeds(3)) {
        CAPTURE(policy.name);
        CAPTURE(seed);
        core_cluster cluster{machines,
                             {.schedulers = 1,
                              .owners = 2,
                              .policy = std::string{policy.name},
                              .detection = detection,
                              .seed = seed}};
        for (int i = 0; i < steps; ++i)
          cluster.step();
        const auto sample = cluster.take_sample().first;
        CHECK(sample.tasks.placed > 500);
        CHECK(sample.conflicts == 0);
      }
}

TEST_CASE("where every scheduler keeps to its own machines, none is refused") {
  run({.exclusive = true});
  run({.loss = 0.2, .duplication = 0.2, .keeps_order = false, .exclusive = true});
}

TEST_CASE("where every scheduler keeps to its own machines, only those that are gone refuse") {
  run({.loses_machines = true, .exclusive = true});
  run({.loss = 0.2,
       .duplication = 0.2,
       .keeps_order = false,
       .loses_machines = true,
       .exclusive = true});
}

TEST_CASE("what a framework is offered is not refused, whatever the links do") {
  for (bool whole : {false, true})
    for (duration timeout : {0s, 8s}) {
      CAPTURE(whole);
      CAPTURE(timeout.count());
      const offer_rules rules{.filter = 1s, .timeout = timeout, .whole = whole, .ask_after = 1s};
      run({.offers = rules});
      run({.loss = 0.2, .duplication = 0.2, .keeps_order = false, .offers = rules});
    }
}

TEST_CASE("what a framework is offered is refused only where a machine is gone") {
  const offer_rules rules{.filter = 1s, .timeout = 8s, .ask_after = 1s};
  run({.loss = 0.2,
       .duplication = 0.2,
       .keeps_order = false,
       .loses_machines = true,
       .offers = rules});
}

TEST_CASE("every task is in one place at a time where higher priorities take the place of lower") {
  core_cluster_options options;
  options.limits.preemption = true;
  SUBCASE("over perfect links") {}
  SUBCASE("over links that lose messages") {
    options.loss = 0.2;
  }
  SUBCASE("with coarse detection") {
    options.detection = conflict_detection::coarse;
  }
  SUBCASE("whatever the links do and machines are lost") {
    options.loss = 0.2;
    options.duplication = 0.2;
    options.keeps_order = false;
    options.loses_machines = true;
  }
  SUBCASE("where every scheduler keeps to its own partitions") {
    options.exclusive = true;
  }
  SUBCASE("with tenants") {
    options.tenants = {{1, 0, 1}, {2, 0.2, 1}, {1, 0, 0.3}};
  }
  run(options);
}

TEST_CASE("owners tell what each tenant uses, whatever the links do and machines are lost") {
  core_cluster_options options{
    .loss = 0.2, .duplication = 0.2, .keeps_order = false, .loses_machines = true};
  options.tenants = {{1, 0, 1}, {2, 0.2, 1}, {1, 0, 0.3}};
  run(options);
}

TEST_CASE("a scheduler alone keeps to the maximum of a tenant, however late snapshots arrive") {
  const auto machines = slot_catalog(lognormal_scores(30), 6, 2);
  for (std::uint64_t seed = 1; seed <= 3; seed += test::step_of_seeds(3)) {
    CAPTURE(seed);
    core_cluster_options options{.schedulers = 1, .seed = seed};
    options.tenants = {{1, 0, 1}, {1, 0, 0.3}};
    core_cluster cluster{machines, options};
    for (int i = 0; i < steps; ++i)
      cluster.step();
    CHECK(cluster.greatest_share > 0.25);
    CHECK(cluster.greatest_share <= 0.3);
  }
}

TEST_CASE("gangs start whole where others are preempted, and in partitions of their own") {
  core_cluster_options options{.loss = 0.2, .keeps_order = false, .gangs = 0.4};
  SUBCASE("higher priorities take the place of lower") {
    options.limits.preemption = true;
    run(options);
  }
  SUBCASE("every scheduler keeps to its own machines") {
    options.exclusive = true;
    run(options);
  }
}
