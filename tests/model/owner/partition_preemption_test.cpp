#include "model/owner/partition_state.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <tuple>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

constexpr ranking_options ranked{.preemption = true, .tenants = 3};

placement ranked_placement(std::uint32_t index, std::int32_t slots, std::int32_t priority,
                           bool preempts = true) {
  return {{1, index}, 0, 0, resources::of_slots(slots), 10s, priority, 0, preempts};
}

/// One machine of four slots.
struct partition_preemption_fixture {
  catalog machines = even_catalog(1, 1, 4);
  partition_state state{machines, 0, conflict_detection::fine, ranked};
  instant now{0};

  /// Grants at the next full second and returns the tasks that had to leave, or nothing if it was
  /// refused.
  std::optional<std::vector<std::uint32_t>> grant(const placement& p) {
    now += 1s;
    if (state.commit(p, 2, now))
      return std::nullopt;
    std::vector<std::uint32_t> gone;
    for (const auto& e : state.evicted())
      gone.push_back(e.task.index);
    return gone;
  }
};

using indexes = std::vector<std::uint32_t>;

} // namespace

TEST_CASE_FIXTURE(partition_preemption_fixture,
                  "a task takes the place of lower priorities only, and if it asks to") {
  CHECK(grant(ranked_placement(0, 4, 3)) == indexes{});
  CHECK_FALSE(grant(ranked_placement(1, 1, 2)));
  CHECK_FALSE(grant(ranked_placement(2, 1, 3)));
  CHECK_FALSE(grant(ranked_placement(3, 1, 4, false)));
  CHECK_FALSE(grant(ranked_placement(4, 5, 4)));
  CHECK(grant(ranked_placement(5, 1, 4)) == indexes{0});
  CHECK(state.free(0) == resources::of_slots(3));
  CHECK(state.running() == 1);
}

TEST_CASE_FIXTURE(partition_preemption_fixture, "nobody leaves where there is room") {
  grant(ranked_placement(0, 2, 0));
  CHECK(grant(ranked_placement(1, 2, 9)) == indexes{});
  CHECK(state.running() == 2);
}

TEST_CASE_FIXTURE(partition_preemption_fixture,
                  "the lowest priority leaves first, then the one granted last") {
  grant(ranked_placement(0, 1, 2));
  grant(ranked_placement(1, 1, 1));
  grant(ranked_placement(2, 1, 1));
  grant(ranked_placement(3, 1, 0));
  CHECK(grant(ranked_placement(4, 1, 5)) == indexes{3});
  CHECK(grant(ranked_placement(5, 1, 5)) == indexes{2});
  CHECK(grant(ranked_placement(6, 2, 5)) == indexes{1, 0});
  CHECK_FALSE(grant(ranked_placement(7, 1, 5)));
}

TEST_CASE_FIXTURE(partition_preemption_fixture, "those are spared that turn out not to be needed") {
  grant(ranked_placement(0, 1, 0));
  grant(ranked_placement(1, 3, 1));
  CHECK(grant(ranked_placement(2, 3, 2)) == indexes{1});
  CHECK(state.free(0) == resources{});
}

TEST_CASE_FIXTURE(partition_preemption_fixture,
                  "an eviction says whose task it was and how long it had run") {
  grant(ranked_placement(0, 4, 0));
  const auto grant_of_0 = state.latest_grant();
  now += 2s;
  grant(ranked_placement(1, 4, 1));
  REQUIRE(state.evicted().size() == 1);
  CHECK(state.evicted()[0].scheduler == 2);
  CHECK(state.evicted()[0].machine == 0);
  CHECK(state.evicted()[0].grant == grant_of_0);
  CHECK(state.evicted()[0].ran == 3s);
  now += 30s; // longer than a task runs: its end is under way
  grant(ranked_placement(2, 4, 2));
  CHECK(state.evicted()[0].ran == 10s);
}

TEST_CASE_FIXTURE(partition_preemption_fixture,
                  "the end of an evicted task is not taken for that of a later run") {
  grant(ranked_placement(0, 4, 0));
  const auto first = state.latest_grant();
  grant(ranked_placement(1, 4, 1));
  const auto other = state.latest_grant();
  state.end(0, {1, 1}, other);
  grant(ranked_placement(0, 4, 0));
  const auto second = state.latest_grant();
  CHECK(second != first);
  CHECK_FALSE(state.settle_evicted(0, {1, 0}, second));
  CHECK_FALSE(state.settle_evicted(0, {1, 7}, first));
  CHECK(state.settle_evicted(0, {1, 0}, first));
  CHECK_FALSE(state.settle_evicted(0, {1, 0}, first));
  CHECK(state.running() == 1);
  CHECK(state.end(0, {1, 0}, second));
}

TEST_CASE_FIXTURE(partition_preemption_fixture,
                  "the end of an evicted task is found without its grant number") {
  grant(ranked_placement(0, 2, 0));
  grant(ranked_placement(1, 2, 0));
  grant(ranked_placement(2, 4, 1));
  REQUIRE(state.leaving().size() == 2);
  CHECK_FALSE(state.settle_evicted(0, {1, 2}, no_grant));
  const auto gone = state.settle_evicted(0, {1, 1}, no_grant);
  REQUIRE(gone);
  CHECK(gone->scheduler == 2);
  CHECK(gone->ran == 1s);
  CHECK_FALSE(state.settle_evicted(0, {1, 1}, no_grant));
  const auto rest = state.drop_evicted(0);
  REQUIRE(rest.size() == 1);
  CHECK(rest[0].task == task_id{1, 0});
  CHECK(state.leaving().empty());
  // Their grant numbers are used again.
  state.end(0, {1, 2});
  grant(ranked_placement(3, 1, 0));
  CHECK(state.latest_grant() < 3);
}

TEST_CASE_FIXTURE(partition_preemption_fixture,
                  "nobody has to give way on a machine that is closed") {
  grant(ranked_placement(0, 4, 0));
  REQUIRE(state.snapshot(0s).held.size() == 1);
  state.close(0, true);
  CHECK_FALSE(grant(ranked_placement(1, 1, 5)));
  CHECK(state.snapshot(0s).held.empty());
  state.close(0, false);
  CHECK(state.snapshot(0s).held.size() == 1);
  CHECK(grant(ranked_placement(2, 1, 5)) == indexes{0});
}

TEST_CASE_FIXTURE(partition_preemption_fixture, "a removed machine comes back open") {
  SUBCASE("it was present") {}
  SUBCASE("it had no capacity left") {
    state.set_capacity(0, {});
  }
  state.close(0, true);
  state.remove(0);
  state.restore(0);
  grant(ranked_placement(0, 4, 0));
  CHECK(state.snapshot(0s).held.size() == 1);
  CHECK(grant(ranked_placement(1, 1, 5)) == indexes{0});
}

TEST_CASE("without ranking nobody gives way and nothing is told") {
  const auto machines = even_catalog(1, 1, 4);
  partition_state state{machines, 0, conflict_detection::fine};
  CHECK_FALSE(state.commit(ranked_placement(0, 4, 0), 0, 0s));
  CHECK(state.commit(ranked_placement(1, 1, 5), 0, 0s));
  CHECK(state.snapshot(0s).held.empty());
  CHECK(state.used_by_tenant().empty());
}

namespace {

/// What runs, as naively as possible.
struct running {
  placement what;
  instant since;
  grant_number grant;
};

std::vector<task_id> victims_of(std::vector<running> on_machine, const placement& p,
                                resources free) {
  std::erase_if(on_machine, [&](const auto& r) { return r.what.priority >= p.priority; });
  std::ranges::sort(on_machine, [](const auto& a, const auto& b) {
    return std::tuple{a.what.priority, -a.since.count()} <
           std::tuple{b.what.priority, -b.since.count()};
  });
  std::vector<running> out;
  for (const auto& r : on_machine)
    if (!free.fits(p.demand)) {
      free += r.what.demand;
      out.push_back(r);
    }
  for (auto i = out.size(); i-- > 0;)
    if ((free - out[i].what.demand).fits(p.demand)) {
      free -= out[i].what.demand;
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
    }
  std::vector<task_id> tasks;
  if (free.fits(p.demand))
    for (const auto& r : out)
      tasks.push_back(r.what.task);
  return tasks;
}

} // namespace

TEST_CASE("a partition that preempts behaves like a plain list over a long random sequence") {
  const catalog machines{{{cpu_and_memory(4000, 4096), 3, 0},
                          {cpu_and_memory(8000, 6144), 2, 0},
                          {cpu_and_memory(4000, 4096), 1, 0}},
                         {{"any", {}}},
                         1,
                         cpu_and_memory(1000, 1024)};
  partition_state state{machines, 0, conflict_detection::fine, ranked};
  random_stream random{77};
  std::vector<running> all;
  std::vector<evicted_task> leaving;
  std::uint64_t evicted = 0;
  std::uint64_t refused = 0;
  for (int step = 1; step <= 20'000; ++step) {
    const instant now{step}; // all different
    const auto m = static_cast<machine_id>(random.below(machines.machines()));
    auto free = machines.machine(m).capacity;
    std::vector<running> here;
    for (const auto& r : all)
      if (r.what.machine == m) {
        free -= r.what.demand;
        here.push_back(r);
      }
    const auto action = random.below(100);
    if (action < 70 && state.is_present(m)) {
      const placement p{{1, static_cast<std::uint32_t>(step)},
                        m,
                        0,
                        cpu_and_memory(static_cast<std::int32_t>(100 + random.below(3000)),
                                       static_cast<std::int32_t>(random.below(3000))),
                        1h,
                        static_cast<std::int32_t>(random.below(4)),
                        static_cast<std::uint32_t>(random.below(3)),
                        random.below(3) > 0};
      const bool fits = free.fits(p.demand);
      const auto victims = fits || !p.preempts ? std::vector<task_id>{} : victims_of(here, p, free);
      const auto answer = state.commit(p, 0, now);
      REQUIRE(answer.has_value() == (!fits && victims.empty()));
      if (answer) {
        ++refused;
        continue;
      }
      std::vector<task_id> gone;
      for (const auto& e : state.evicted()) {
        gone.push_back(e.task);
        leaving.push_back(e);
      }
      REQUIRE(gone == victims);
      evicted += gone.size();
      std::erase_if(all, [&](const auto& r) { return std::ranges::count(gone, r.what.task) > 0; });
      all.push_back({p, now, state.latest_grant()});
    } else if (action < 75 && !leaving.empty()) {
      const auto i = random.below(leaving.size());
      REQUIRE(state.settle_evicted(leaving[i].machine, leaving[i].task, leaving[i].grant));
      leaving.erase(leaving.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (action < 95 && !all.empty()) {
      const auto i = random.below(all.size());
      REQUIRE_FALSE(state.settle_evicted(all[i].what.machine, all[i].what.task, all[i].grant));
      REQUIRE(state.end(all[i].what.machine, all[i].what.task, all[i].grant));
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (action < 96) {
      state.remove(m);
      std::erase_if(all, [m](const auto& r) { return r.what.machine == m; });
    } else {
      state.restore(m);
    }
    std::vector<resource_sum> used(3);
    std::map<std::int32_t, std::vector<std::int32_t>> bands;
    for (const auto& r : all) {
      used[r.what.tenant] += r.what.demand;
      auto& cells = bands.try_emplace(r.what.priority, std::vector<std::int32_t>(6)).first->second;
      cells[r.what.machine] += r.what.demand[resource::cpu];
      cells[3 + r.what.machine] += r.what.demand[resource::memory];
    }
    REQUIRE(state.used_by_tenant() == used);
    const auto told = state.snapshot(now).held;
    REQUIRE(told.size() == bands.size());
    auto band = bands.begin();
    for (const auto& b : told) {
      REQUIRE(b.priority == band->first);
      REQUIRE(b.cells == band++->second);
    }
    REQUIRE(state.running() == all.size());
    REQUIRE(state.inconsistent() == 0);
  }
  CHECK(evicted > 500);
  CHECK(refused > 1'000);
}
