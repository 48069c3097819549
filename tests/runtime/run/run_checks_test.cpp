#include "runtime/run/self_checks.hpp"
#include "settings/toml/read.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace troupe;
using namespace std::chrono_literals;

namespace {

struct books {
  run_record record;
  run_settings settings = parse_settings("[workload]\nphases = [{ rate = 1 }]", "test.toml");

  books() {
    auto& t = record.totals.tasks;
    t.submitted = 20;
    t.placed = 14;
    t.finished = 8;
    t.failed = 1;
    t.abandoned = 1;
    t.queued = 2;
    t.in_commit = 3;
    t.running = 5;
    record.workload_tasks = 20;
    record.owners.accepted = 15;
    record.nodes.launched = 15;
  }

  /// Adds an interval in which this was counted.
  interval_record interval;
  void measured() {
    record.sums.add(interval);
    interval = {};
  }

  /// The name of the one check that fails, or "none", or "several".
  std::string failed() const {
    std::string name = "none";
    for (const auto& c : check_invariants(record, settings))
      if (!c.passed)
        name = name == "none" ? c.name : "several";
    return name;
  }
};

} // namespace

TEST_CASE("books that add up pass every check") {
  books b;
  CHECK(b.failed() == "none");
  CHECK(check_invariants(b.record, b.settings).size() == 5);
}

TEST_CASE("a task that is nowhere, twice, or made up fails the balance") {
  books b;
  auto& t = b.record.totals.tasks;
  SUBCASE("nowhere") {
    --t.queued;
  }
  SUBCASE("twice") {
    ++t.failed;
  }
  SUBCASE("never handed in") {
    ++b.record.workload_tasks;
  }
  SUBCASE("made up") {
    --b.record.workload_tasks;
  }
  SUBCASE("not where its scheduler counts it") {
    b.record.balance.wrong = "scheduler 3 counts 2 tasks queued and holds 1";
  }
  CHECK(b.failed() == "tasks balance");
}

TEST_CASE("an overfilled machine fails the capacity") {
  books b;
  SUBCASE("noticed by its owner") {
    b.record.owners.over_capacity = 1;
  }
  SUBCASE("noticed by itself") {
    b.record.nodes.over_capacity = 1;
  }
  CHECK(b.failed() == "no machine over capacity");
}

TEST_CASE("what was granted twice, or not at all, fails") {
  books b;
  SUBCASE("noticed by a scheduler") {
    b.interval.sample.duplicate_grants = 1;
    b.measured();
  }
  SUBCASE("placed, not granted") {
    b.record.owners.accepted = b.record.nodes.launched = b.record.totals.tasks.placed - 1;
  }
  SUBCASE("granted, not placed") {
    b.record.owners.accepted = 18;
  }
  SUBCASE("launched, not granted") {
    b.record.nodes.launched = 16;
  }
  SUBCASE("ended, not granted") {
    b.record.owners.unknown_ends = 1;
  }
  CHECK(b.failed() == "no placement granted twice");
}

TEST_CASE("a view that is too stale fails") {
  books b;
  b.settings.sync.gap = 1s;
  b.settings.network.latency = 2ms;
  b.settings.network.jitter = 1ms;
  CHECK(staleness_bound(b.settings, false) == 1006ms);
  CHECK(staleness_bound(b.settings, true) > staleness_bound(b.settings, false));
  b.interval.sample.oldest_partition = 1006ms;
  b.measured();
  CHECK(b.failed() == "none");
  b.interval.sample.oldest_partition = 1006ms + 1ns;
  b.measured();
  CHECK(b.failed() == "staleness within its bound");
  SUBCASE("but not in real time on a host that was late by as much") {
    b.settings.clock = clock_kind::real_time;
    b.interval.sample.oldest_partition = staleness_bound(b.settings, true) + 30ms;
    b.measured();
    CHECK(b.failed() == "staleness within its bound");
    b.record.host_delay = 10ms;
    CHECK(b.failed() == "none");
  }
  SUBCASE("but not without sync rounds") {
    b.settings.sync.plan = sync_plan_kind::none;
    CHECK(b.failed() == "none");
  }
  SUBCASE("nor where messages are lost") {
    b.settings.network.loss = 0.1;
    CHECK(b.failed() == "none");
  }
  SUBCASE("nor where the network is cut") {
    b.settings.network.cuts.emplace_back();
    CHECK(b.failed() == "none");
  }
}

TEST_CASE("a refusal under exclusive access fails") {
  books b;
  b.settings.sync.plan = sync_plan_kind::exclusive;
  b.interval.sample.conflicts_by_cause[static_cast<std::size_t>(conflict_cause::taken)] = 1;
  b.measured();
  CHECK(b.failed() == "nothing refused under exclusive access");
  SUBCASE("but not where a preempting commit may overtake the placement of its victim") {
    b.settings.scheduler.preemption = true;
    b.settings.groups.front().scheduler.preemption = true;
    CHECK(b.failed() == "nothing refused under exclusive access");
    b.settings.network.loss = 0.02;
    CHECK(b.failed() == "none");
  }
  SUBCASE("nor for a machine that is gone") {
    books other;
    other.settings.sync.plan = sync_plan_kind::exclusive;
    other.interval.sample.conflicts_by_cause[static_cast<std::size_t>(conflict_cause::gone)] = 1;
    other.measured();
    CHECK(other.failed() == "none");
  }
}

TEST_CASE("a task where it must not be fails the constraints") {
  books b;
  b.interval.sample.constraint_violations = 1;
  b.measured();
  CHECK(b.failed() == "constraints met");
}
