#include "model/owner/partition_state.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>

using namespace troupe;
using namespace troupe::testing;

namespace {

/// The truth about a partition, kept as naively as possible: a list of what runs.
struct reference_partition {
  struct running {
    task_id task;
    machine_id machine;
    scheduler_id scheduler;
    resources demand;
  };

  struct per_machine {
    std::uint32_t version = 0;
    std::vector<scheduler_id> granted; ///< to whom, in order
    bool present = true;
  };

  const catalog& machines;
  conflict_detection detection;
  std::vector<running> tasks;
  std::map<machine_id, per_machine> states;

  resources free(machine_id m) {
    if (!states[m].present)
      return {};
    auto left = machines.machine(m).capacity;
    for (const auto& t : tasks)
      if (t.machine == m)
        left -= t.demand;
    return left;
  }

  /// The last one before `s` comes, of the others if there are any.
  scheduler_id winner(machine_id m, scheduler_id s) {
    const auto& all = states[m].granted;
    const auto other = std::find_if(all.rbegin(), all.rend(), [s](auto x) { return x != s; });
    return other != all.rend() ? *other : all.empty() ? no_scheduler : s;
  }

  std::optional<conflict_cause> commit(const placement& p, scheduler_id s) {
    auto& state = states[p.machine];
    if (!state.present)
      return conflict_cause::gone;
    if (detection == conflict_detection::coarse && p.seen_version != state.version)
      return conflict_cause::changed;
    if (!free(p.machine).fits(p.demand))
      return conflict_cause::taken;
    tasks.push_back({p.task, p.machine, s, p.demand});
    ++state.version;
    state.granted.push_back(s);
    return std::nullopt;
  }

  /// What is free where the catalog's unit does not fit.
  resource_sum stranded() {
    resource_sum sum{};
    for (machine_id m = 0; m < machines.machines(); ++m)
      if (const auto left = free(m); !left.fits(machines.unit()))
        sum += left;
    return sum;
  }

  std::optional<scheduler_id> end(machine_id m, const task_id& id) {
    const auto it = std::find_if(tasks.begin(), tasks.end(),
                                 [&](const running& t) { return t.machine == m && t.task == id; });
    if (it == tasks.end())
      return std::nullopt;
    const auto s = it->scheduler;
    tasks.erase(it);
    return s;
  }

  std::vector<task_id> remove(machine_id m) {
    std::vector<task_id> lost;
    if (!states[m].present)
      return lost;
    for (const auto& t : tasks)
      if (t.machine == m)
        lost.push_back(t.task);
    std::erase_if(tasks, [m](const running& t) { return t.machine == m; });
    states[m].present = false;
    ++states[m].version;
    return lost;
  }

  void restore(machine_id m) {
    if (!states[m].present)
      ++states[m].version;
    states[m].present = true;
  }
};

/// Three machines of two kinds, for tasks of up to half of the smaller kind.
catalog small_cluster() {
  return {{{cpu_and_memory(4000, 4096), 3, 0},
           {cpu_and_memory(8000, 6144), 2, 1},
           {cpu_and_memory(4000, 4096), 1, 0}},
          {{"small", {}}, {"large", {}}},
          1,
          cpu_and_memory(1000, 1024)};
}

void compare_with_reference(conflict_detection detection, std::uint64_t seed) {
  const auto machines = small_cluster();
  partition_state state{machines, 0, detection};
  reference_partition reference{machines, detection, {}, {}};
  random_stream random{seed};
  std::map<conflict_cause, int> causes;
  std::uint32_t next_task = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto m = static_cast<machine_id>(random.below(machines.machines()));
    const auto action = random.below(100);
    if (action < 50) {
      const auto lag = random.below(4) == 0 ? 1U : 0U;
      const placement p{{1, next_task++},
                        m,
                        reference.states[m].version - std::min(reference.states[m].version, lag),
                        cpu_and_memory(static_cast<std::int32_t>(100 + random.below(1900)),
                                       static_cast<std::int32_t>(random.below(2048))),
                        duration{1}};
      const auto s = static_cast<scheduler_id>(random.below(4));
      const auto winner = reference.winner(m, s);
      const auto refused = state.commit(p, s);
      const auto expected = reference.commit(p, s);
      REQUIRE(refused.has_value() == expected.has_value());
      if (refused) {
        ++causes[refused->cause];
        REQUIRE(refused->cause == *expected);
        REQUIRE(refused->winner == winner);
        REQUIRE(refused->version == reference.states[m].version);
        REQUIRE(refused->free == reference.free(m));
      }
    } else if (action < 97) {
      // Mostly a task that runs, now and then one that does not run there.
      task_id id{2, next_task};
      auto on = m;
      if (!reference.tasks.empty() && random.below(10) > 0) {
        const auto& t = reference.tasks[random.below(reference.tasks.size())];
        id = t.task;
        on = random.below(10) > 0 ? t.machine : m;
      }
      const auto ran = state.end(on, id);
      const auto expected = reference.end(on, id);
      REQUIRE(ran.has_value() == expected.has_value());
      if (ran)
        REQUIRE(ran->scheduler == *expected);
    } else if (action < 98) {
      std::vector<task_id> lost;
      for (const auto& t : state.remove(m))
        lost.push_back(t.task);
      std::sort(lost.begin(), lost.end());
      REQUIRE(lost == reference.remove(m));
    } else {
      state.restore(m);
      reference.restore(m);
    }
    REQUIRE(state.free(m) == reference.free(m));
    REQUIRE_FALSE(state.free(m).any_negative());
    REQUIRE(state.is_present(m) == reference.states[m].present);
    REQUIRE(state.running() == reference.tasks.size());
    REQUIRE(state.inconsistent() == 0);
    REQUIRE(state.stranded() == reference.stranded());
  }
  CHECK(causes[conflict_cause::taken] > 100);
  CHECK(causes[conflict_cause::gone] > 100);
  CHECK((causes[conflict_cause::changed] > 100) == (detection == conflict_detection::coarse));
}

} // namespace

TEST_CASE("a partition behaves like a plain list of tasks, fine detection") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    compare_with_reference(conflict_detection::fine, seed);
}

TEST_CASE("a partition behaves like a plain list of tasks, coarse detection") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    compare_with_reference(conflict_detection::coarse, seed);
}
