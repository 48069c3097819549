#include "model/owner/partition_state.hpp"
#include "model/view/view_partition.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace troupe;
using namespace troupe::testing;

namespace {

catalog disks_of_two_kinds(std::uint32_t count) {
  const auto scores = lognormal_scores(count);
  std::vector<machine_info> all;
  for (std::uint32_t i = 0; i < count; ++i)
    all.push_back({cpu_and_memory(8000, 16384), scores[i], i % 2});
  return {std::move(all),
          {{"old", {{"disk", "hdd"}}}, {"new", {{"disk", "ssd"}}}},
          1,
          cpu_and_memory(1000, 2048),
          {task_class{"fast", {{parse_constraint("disk == ssd"), 0.7}}}}};
}

/// An owner's partition whose machines are used, lost and changed at random.
class random_partition {
public:
  explicit random_partition(const catalog& machines)
    : machines_(machines), state_(machines, 0, conflict_detection::fine) {}

  partition_state& state() { return state_; }

  void step() {
    const auto m = machines_.members(0)[random_.below(state_.size())];
    const auto action = random_.below(100);
    if (action < 60)
      place(m);
    else if (action < 95)
      end_one();
    else if (action < 97)
      state_.remove(m);
    else
      state_.restore(m);
  }

private:
  void place(machine_id m) {
    const task_id task{next_++, 0};
    const auto demand = machines_.unit() + machines_.unit();
    if (!state_.commit({task, m, 0, demand, duration{1}}, 1))
      running_.push_back({task, m});
  }

  void end_one() {
    if (running_.empty())
      return;
    std::swap(running_[random_.below(running_.size())], running_.back());
    state_.end(running_.back().second, running_.back().first);
    running_.pop_back();
  }

  const catalog& machines_;
  partition_state state_;
  random_stream random_{5};
  job_id next_ = 1;
  std::vector<std::pair<task_id, machine_id>> running_;
};

void compare_counts(const catalog& machines) {
  random_partition owner{machines};
  view_partition told{machines, 0};
  view_partition counts{machines, 0};
  for (int round = 0; round < 300; ++round) {
    auto s = owner.state().snapshot(instant{round});
    REQUIRE_FALSE(s.counted.sums.empty());
    counts.assign(s.free, s.versions);
    told.assign(std::move(s.free), std::move(s.versions), std::move(s.counted));
    REQUIRE(told.units() == counts.units());
    for (std::uint32_t c = 0; c < machines.task_classes(); ++c)
      REQUIRE(told.weight(c) == counts.weight(c));
    for (std::uint32_t i = 0; i < told.size(); ++i)
      REQUIRE(told.units(i) == counts.units(i));
    for (std::uint64_t at = 0; at < told.units(); at += 7)
      REQUIRE(told.machine_at_unit(at) == counts.machine_at_unit(at));
    for (int n = 0; n < 10; ++n)
      owner.step();
  }
}

} // namespace

TEST_CASE("an owner counts what a view would count, for slots") {
  compare_counts(slot_catalog(lognormal_scores(100), 1, 5));
}

TEST_CASE("an owner counts what a view would count, for several kinds of resource and classes") {
  compare_counts(disks_of_two_kinds(70));
}

TEST_CASE("what one view charges is seen by no other one, and not by the owner") {
  const auto machines = slot_catalog(lognormal_scores(100), 1, 5);
  random_partition owner{machines};
  std::vector<view_partition> views(3, view_partition{machines, 0});
  std::vector<std::vector<std::int32_t>> expected(3);
  random_stream random{9};
  for (int round = 0; round < 600; ++round) {
    const auto to = random.below(views.size()); // buffers go from one to another
    auto s = owner.state().snapshot(instant{round});
    expected[to] = s.free.values();
    views[to].assign(std::move(s.free), std::move(s.versions), std::move(s.counted));
    for (int n = 0; n < 5; ++n) {
      const auto by = random.below(views.size());
      const auto i = static_cast<std::uint32_t>(random.below(views[by].size()));
      if (expected[by].empty())
        continue;
      views[by].take(i, one_slot);
      --expected[by][i];
    }
    owner.step();
    for (std::size_t v = 0; v < views.size(); ++v)
      if (!expected[v].empty())
        REQUIRE(views[v].table().cells().values() == expected[v]);
    REQUIRE(owner.state().inconsistent() == 0);
  }
}

TEST_CASE("counts of another number of machines are not used") {
  const auto machines = slot_catalog(lognormal_scores(40), 1, 3);
  view_partition part{machines, 0};
  std::vector<std::int32_t> free(40, 0);
  free[4] = 2;
  part.assign(free, {}, {{}, {9, 9, 9}});
  CHECK(part.units() == 2);
  CHECK(part.machine_at_unit(1) == 4);
}
