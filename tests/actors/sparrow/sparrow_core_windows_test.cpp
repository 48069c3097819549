#include "actors/sparrow_cluster.hpp"

#include <memory>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Machines 0 to 5 are closed from 10 s until 20 s, but to tenant 1.
catalog with_windows() {
  auto machines = even_catalog(8, 1, 1);
  machines.set_windows(std::make_shared<const machine_windows>(
    std::vector<machine_window>{{10s, 20s, 1, {0, 1, 2, 3, 4, 5}}}, 8, nullptr));
  return machines;
}

struct windows_cluster {
  explicit windows_cluster(probing how = probing::late_binding)
    : c(limits_of(how, now), with_windows()) {}

  static sparrow_limits limits_of(probing how, const std::shared_ptr<instant>& now) {
    auto limits = probing_by(how);
    limits.time = [now] { return *now; };
    return limits;
  }

  static job job_of(job_id id, std::uint32_t tasks, duration estimate, std::uint32_t tenant = 0) {
    auto j = slot_job(id, tasks);
    j.estimate = estimate;
    j.tenant = tenant;
    return j;
  }

  std::shared_ptr<instant> now = std::make_shared<instant>(0s);
  cluster_of_one c;
};

} // namespace

TEST_CASE("reservations are made where the windows leave time") {
  windows_cluster w;
  w.c.submit(windows_cluster::job_of(1, 2, 12s));
  for (const auto& [m, entry] : w.c.out.entries) {
    CHECK(m >= 6);
    CHECK(entry.order.estimate == 12s);
  }
  CHECK(w.c.reserved().size() == 4);
  w.c.out.clear();
  w.c.submit(windows_cluster::job_of(2, 3, 12s, 1));
  CHECK(distinct(w.c.reserved()) == 6);
  w.c.out.clear();
  w.c.submit(windows_cluster::job_of(3, 4, 5s));
  CHECK(distinct(w.c.reserved()) == 8);
}

TEST_CASE("a machine that asks and has no time left gets nothing, and another is reserved") {
  windows_cluster w;
  w.c.submit(windows_cluster::job_of(1, 4, 5s));
  *w.now = 6s;
  w.c.out.clear();
  CHECK(w.c.ask(1, 0).none);
  for (machine_id m = 1; m < 6; ++m)
    CHECK(w.c.ask(1, m).none);
  // Two reservations were left for four tasks.
  CHECK(w.c.reserved().size() == 2);
  for (const auto m : w.c.reserved())
    CHECK(m >= 6);
  const auto given = w.c.ask(1, 6);
  CHECK_FALSE(given.none);
  CHECK(given.order.estimate == 5s);
  CHECK(w.c.core.why_waits({1, 3}) == wait_reason::probing);
}

TEST_CASE("a job for which no machine is open waits for the end of a window") {
  for (const auto how :
       {probing::random, probing::per_task, probing::batch, probing::late_binding}) {
    windows_cluster w{how};
    w.c.machines.set_windows(std::make_shared<const machine_windows>(
      std::vector<machine_window>{{10s, 20s, {}, {0, 1, 2, 3, 4, 5, 6, 7}}}, 8, nullptr));
    w.c.submit(windows_cluster::job_of(1, 2, 0s)); // it may be endless
    CHECK(w.c.out.entries.empty());
    CHECK(w.c.out.probes.empty());
    CHECK(w.c.core.why_waits({1, 0}) == wait_reason::closed);
    *w.now = 15s;
    w.c.core.reopen(w.c.out);
    CHECK(w.c.out.entries.empty());
    CHECK(w.c.out.probes.empty());
    *w.now = 20s;
    w.c.core.reopen(w.c.out);
    CHECK(w.c.out.entries.size() + w.c.out.probes.size() >= 2);
    CHECK(w.c.core.why_waits({1, 0}) != wait_reason::closed);
  }
}

TEST_CASE("a machine that closed while it was probed is sent nothing") {
  windows_cluster w{probing::batch};
  w.c.submit(windows_cluster::job_of(1, 4, 5s));
  REQUIRE(w.c.out.probes.size() == 8);
  *w.now = 6s;
  const auto probes = w.c.out.probes;
  w.c.out.clear();
  for (const auto& [m, p] : probes)
    w.c.core.answer({p.round, p.index, m < 6 ? -1 : 3}, w.c.out);
  for (const auto& [m, _] : w.c.out.entries)
    CHECK(m >= 6);
  for (const auto& [m, _] : w.c.out.probes)
    CHECK(m >= 6);
  CHECK_FALSE(w.c.out.probes.empty());
}

TEST_CASE("a scheduler that is not told the time leaves windows to the machines") {
  cluster_of_one c{{}, with_windows()};
  c.submit(windows_cluster::job_of(1, 4, 12s));
  CHECK(distinct(c.reserved()) == 8);
}

TEST_CASE("a start that a window excludes is counted") {
  windows_cluster w;
  w.c.submit(windows_cluster::job_of(1, 2, 5s));
  const auto a = w.c.ask(1, 6);
  const auto b = w.c.ask(1, 0);
  REQUIRE_FALSE(b.none);
  w.c.start(a, 6, 15s);
  CHECK(w.c.sample().constraint_violations == 0);
  w.c.start(b, 0, 15s);
  CHECK(w.c.sample().constraint_violations == 1);
}
