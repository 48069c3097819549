#include "actors/owner/owner_core.hpp"
#include "actors/scheduler/scheduler_core.hpp"
#include "support/best_score.hpp"
#include "support/model_builders.hpp"
#include "support/sample_of.hpp"
#include "support/sync_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <deque>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Scheduler 0 of a cluster of four machines with three slots, two in each of two partitions that
/// have one owner: machines 0 and 1, and 2 and 3.
struct scheduler_core_view_fixture {
  catalog machines = slot_catalog({4, 1, 3, 2}, 2, 3);
  std::vector<placement_outcome> told;
  scheduler_core core{0,
                      machines,
                      {0, 0},
                      std::make_unique<best_score>(told),
                      {.batch = 2, .commit_timeout = 2s},
                      random_stream{1},
                      0s};

  void submit(job j) {
    std::vector<job> jobs;
    jobs.push_back(std::move(j));
    core.submit(std::move(jobs));
  }

  /// Decides on two tasks and hands them out.
  commit_request place(instant now = 0s) {
    REQUIRE(core.decide(now));
    return core.commit(now).at(0).second;
  }

  /// Partition 0 as its owner has it after commit `seen`.
  void refresh(commit_id seen, std::vector<std::int32_t> free, instant at = 1s) {
    core.refresh({0, 1, seen, {{0, at, std::move(free), {}}}}, at);
  }

  std::int32_t slots(machine_id m) const { return core.seen().free(m)[resource::slots]; }
};

} // namespace

TEST_CASE_FIXTURE(scheduler_core_view_fixture, "a placement is charged when it is decided on") {
  submit(slot_job(1, 4));
  REQUIRE(core.decide(0s));
  CHECK(slots(0) == 1);
  core.commit(0s);
  CHECK(slots(0) == 1);
  place();
  CHECK(slots(0) == 0);
  CHECK(slots(2) == 2);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "a snapshot from before a commit arrived does not undo its charges") {
  submit(slot_job(1, 4));
  place();
  refresh(0, {3, 3});
  CHECK(slots(0) == 1);
  CHECK(slots(1) == 3);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "a snapshot does not undo the charges of a batch that is not sent yet") {
  submit(slot_job(1, 2));
  REQUIRE(core.decide(0s));
  refresh(0, {3, 2});
  CHECK(slots(0) == 1);
  CHECK(slots(1) == 2);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "a snapshot that reflects a commit is taken as it is") {
  submit(slot_job(1, 4));
  place();
  place(); // of which one task goes to machine 0
  refresh(1, {3, 3});
  CHECK(slots(0) == 2);
  refresh(2, {3, 3});
  CHECK(slots(0) == 3);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "a commit that had to be sent again stays charged until it is answered") {
  submit(slot_job(1, 3));
  place(0s); // gets lost
  place(1s); // arrives
  REQUIRE(core.overdue(2s).size() == 1);
  refresh(2, {2, 3});
  CHECK(slots(0) == 0);
  core.answer({0, 1, {}}, 3s);
  refresh(2, {0, 3});
  CHECK(slots(0) == 0);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "a rejection does not undo the charges of what is still under way") {
  submit(slot_job(1, 4));
  place();
  place();
  core.answer({0, 1, {{1, conflict_cause::taken, 7, 0, resources::of_slots(2)}}}, 1s);
  CHECK(slots(0) == 1); // one of commit 2 is still to come
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "a rejection tells what is left after the whole commit") {
  job j{1, 0s, 0s, {{1, resources::of_slots(2), {1s}}, {1, one_slot, {1s}}}};
  submit(std::move(j));
  const auto sent = place();
  REQUIRE(sent.placements[0].machine == 0);
  REQUIRE(sent.placements[1].machine == 0);
  // Another one held two of the slots: the first did not fit, the second did.
  core.answer({0, 1, {{0, conflict_cause::taken, 7, 0, {}}}}, 1s);
  CHECK(slots(0) == 0);
  CHECK(core.counts().running == 1);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "under coarse detection a scheduler is not in its own way either") {
  owner_core owner{0, machines, std::array<partition_id, 2>{0, 1}, 1, conflict_detection::coarse};
  core = {0,
          machines,
          {0, 0},
          std::make_unique<best_score>(told),
          {.batch = 2, .coarse_detection = true},
          random_stream{1},
          0s};
  submit(slot_job(1, 12));
  std::vector<granted_placement> granted;
  for (int i = 0; i < 3; ++i) {
    const auto first = place();
    const auto second = place();
    // Taken before the two commits arrive.
    core.refresh(sync_of(owner, sync_plan::partitioned(1s, 1), 1, 0, 1s), 1s);
    for (const auto& request : {first, second}) {
      const auto reply = owner.commit(request, granted, 1s);
      CHECK(reply.rejections.empty());
      core.answer(reply, 1s);
    }
  }
  CHECK(granted.size() == 12);
  CHECK(core.seen().units() == 0);
}

TEST_CASE("a view that is refreshed in turn is half a gap old on average") {
  const auto machines = even_catalog(4, 4, 1);
  std::vector<placement_outcome> told;
  const auto core_after = [&](instant latency, bool together) {
    scheduler_core core{
      0, machines, {0, 0, 0, 0}, std::make_unique<best_score>(told), {}, random_stream{1}, 0s};
    // A gap of 4 s: a quarter of the partitions every second, or all of them every fourth.
    for (std::uint64_t n = 1; n <= 12; ++n) {
      const std::chrono::seconds taken{n};
      sync_update update{0, n, 0, {}};
      for (partition_id p = 0; p < 4; ++p)
        if (together ? n % 4 == 0 : n % 4 == p)
          update.partitions.push_back({p, taken, {1}, {}});
      core.refresh(std::move(update), taken + latency);
    }
    return sample_of(core, 12s + latency);
  };

  // Complete from 4 s on; between two rounds the mean age grows from (0 + 1 + 2 + 3) / 4.
  const auto in_turn = core_after(0s, false);
  CHECK(in_turn.age.seconds == doctest::Approx(8));
  CHECK(in_turn.age.mean() == doctest::Approx(2));
  CHECK(in_turn.age.min == doctest::Approx(1.5));
  CHECK(in_turn.age.max == doctest::Approx(2.5));
  CHECK(in_turn.oldest_partition == 4s);
  CHECK(in_turn.snapshots == 12);

  const auto together = core_after(0s, true);
  CHECK(together.age.seconds == doctest::Approx(8));
  CHECK(together.age.mean() == doctest::Approx(2));
  CHECK(together.age.min == doctest::Approx(0));
  CHECK(together.age.max == doctest::Approx(4));

  const auto late = core_after(250ms, false);
  CHECK(late.age.mean() == doctest::Approx(2.25));
  CHECK(late.age.min == doctest::Approx(1.75));
  CHECK(late.oldest_partition == 4250ms);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "the age of a view counts once every partition has been refreshed") {
  refresh(0, {3, 3}, 1s);
  CHECK(sample_of(core, 2s).age.seconds == 0);
  core.refresh({0, 2, 0, {{1, 2s, {3, 3}, {}}}}, 3s);
  // From 3 s on: partition 0 as of 1 s, partition 1 as of 2 s.
  const auto sample = sample_of(core, 4s);
  CHECK(sample.age.seconds == doctest::Approx(1));
  CHECK(sample.age.mean() == doctest::Approx(2));
  CHECK(sample.age.min == doctest::Approx(1.5));
  CHECK(sample_of(core, 4s).age.seconds == 0);
}

TEST_CASE("a refusal is heeded by the decision that is under way") {
  const auto machines = even_catalog(1, 1, 4);
  std::vector<placement_outcome> told;
  scheduler_core core{0,
                      machines,
                      {0},
                      std::make_unique<best_score>(told),
                      {.batch = 1, .coarse_detection = true},
                      random_stream{1},
                      0s};
  core.submit({slot_job(1, 2)});
  const auto next = [&] {
    REQUIRE(core.decide(0s));
    return core.commit(0s).at(0).second;
  };
  const auto first = next();
  REQUIRE(core.decide(0s)); // it counts on the grant
  core.answer({0, first.id, {{0, conflict_cause::changed, 1, 5, resources::of_slots(4)}}}, 0s);
  const auto second = core.commit(0s).at(0).second;
  CHECK(second.placements[0].seen_version == first.placements[0].seen_version);
  REQUIRE(core.decide(0s));
  core.answer({0, second.id, {{0, conflict_cause::changed, 1, 5, resources::of_slots(4)}}}, 0s);
  CHECK(core.commit(0s).at(0).second.placements[0].seen_version == 5);
}

TEST_CASE("refused commits under way do not have later ones refused under coarse detection") {
  const auto machines = even_catalog(1, 1, 100);
  owner_core owner{0, machines, std::array<partition_id, 1>{0}, 2, conflict_detection::coarse};
  std::vector<placement_outcome> told;
  scheduler_core core{0,
                      machines,
                      {0},
                      std::make_unique<best_score>(told),
                      {.batch = 1, .coarse_detection = true},
                      random_stream{1},
                      0s};
  core.submit({slot_job(1, 20)});
  std::deque<commit_request> under_way;
  const auto place = [&] {
    if (core.decide(0s))
      under_way.push_back(core.commit(0s).at(0).second);
  };
  std::vector<granted_placement> granted;
  for (int i = 0; i < 4; ++i)
    place();
  // Another scheduler claims the machine four times: no version that is under way is left.
  commit_request claims{1, 1, 1, 0, {}};
  for (std::uint32_t i = 0; i < 4; ++i)
    claims.placements.push_back({{7, i}, 0, i, one_slot, {1s}});
  owner.commit(claims, granted, 0s);
  for (int i = 0; i < 40; ++i) {
    if (i == 8) // a snapshot takes no notice of what will be refused, either
      core.refresh(sync_of(owner, sync_plan::partitioned(1s, 1), 1, 0, 1s), 1s);
    if (under_way.empty())
      break;
    const auto reply = owner.commit(under_way.front(), granted, 0s);
    under_way.pop_front();
    // The four that were under way, and none after them.
    CHECK((reply.rejections.size() == 1) == (i < 4));
    core.answer(reply, 0s);
    place();
  }
  CHECK(granted.size() == 24);
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "the end of a task frees its place at once, or with the next snapshot") {
  for (const bool own_ends : {false, true}) {
    core = {0,
            machines,
            {0, 0},
            std::make_unique<best_score>(told),
            {.batch = 3, .commit_timeout = 2s, .own_ends = own_ends},
            random_stream{1},
            0s};
    submit(slot_job(1, 3));
    place();
    core.answer({0, 1, {}}, 1s);
    CHECK(slots(0) == 0);
    core.report({0, 1, {{{1, 0}, 0, task_outcome::finished, 2s}}});
    CHECK(slots(0) == (own_ends ? 1 : 0));
    core.report({0, 2, {{{1, 1}, 0, task_outcome::failed, 2s}}});
    CHECK(slots(0) == (own_ends ? 2 : 0));
    refresh(1, {3, 3}, 3s); // which knows of the last end, too
    core.report({0, 3, {{{1, 2}, 0, task_outcome::finished, 2s}}});
    CHECK(slots(0) == 3);
  }
}

TEST_CASE_FIXTURE(scheduler_core_view_fixture,
                  "a task that is lost with its machine frees nothing") {
  core = {0,
          machines,
          {0, 0},
          std::make_unique<best_score>(told),
          {.batch = 1, .own_ends = true},
          random_stream{1},
          0s};
  submit(slot_job(1, 1));
  place();
  core.answer({0, 1, {}}, 1s);
  core.report({0, 1, {{{1, 0}, 0, task_outcome::lost, 2s}}});
  CHECK(slots(0) == 2);
}
