#include "actors/owner/owner_core.hpp"
#include "support/model_builders.hpp"
#include "support/sync_of.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace troupe;
using namespace troupe::testing;
using namespace std::chrono_literals;

namespace {

/// Owner 3 of partitions 0 and 2 of four. Partition 0 has machines 0 and 1, partition 2 machines 4
/// and 5, all with two slots; there are three schedulers.
struct owner_core_fixture {
  catalog machines = slot_catalog({9, 2, 8, 3, 7, 4, 6, 5}, 4, 2);
  owner_core owner{3, machines, std::array<partition_id, 2>{0, 2}, 3, conflict_detection::fine};
  std::vector<granted_placement> granted;

  commit_reply commit(scheduler_id scheduler, commit_id id, std::vector<placement> placements,
                      commit_id answered_below = 1, instant now = 0s) {
    granted.clear();
    return owner.commit({scheduler, id, answered_below, 0, std::move(placements)}, granted, now);
  }

  void end(job_id job, std::uint32_t index, machine_id machine, instant now = 0s) {
    const task_end e{{job, index}, machine, task_outcome::finished, now};
    owner.end({&e, 1}, now);
  }
};

} // namespace

TEST_CASE_FIXTURE(owner_core_fixture,
                  "each placement of a commit is granted or refused on its own") {
  const auto reply =
    commit(1, 4,
           {slot_placement(1, 0, 0), slot_placement(1, 1, 0), slot_placement(1, 2, 0),
            slot_placement(1, 3, 5), slot_placement(1, 4, 0)});
  CHECK(reply.owner == 3);
  CHECK(reply.id == 4);
  REQUIRE(granted.size() == 3);
  CHECK(granted[0].task == task_id{1, 0});
  CHECK(granted[2].task == task_id{1, 3});
  REQUIRE(reply.rejections.size() == 2);
  CHECK(reply.rejections[0].index == 2);
  CHECK(reply.rejections[1].index == 4);
  CHECK(reply.rejections[0].cause == conflict_cause::taken);
  CHECK(reply.rejections[0].winner == 1);
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "a commit that comes again gets the same answer and nothing more") {
  const std::vector<placement> wanted{slot_placement(1, 0, 0), slot_placement(1, 1, 0),
                                      slot_placement(1, 2, 0)};
  const auto first = commit(1, 4, wanted);
  REQUIRE(first.rejections.size() == 1);
  end(1, 0, 0); // now there would be room for the third
  for (int i = 0; i < 2; ++i) {
    const auto again = commit(1, 4, wanted);
    CHECK(granted.empty());
    REQUIRE(again.rejections.size() == 1);
    CHECK(again.rejections[0].index == 2);
    CHECK(again.rejections[0].free == resources{});
  }
  const auto sample = owner.take_sample(0s);
  CHECK(sample.accepted == 2);
  CHECK(sample.rejected == 1);
  CHECK(sample.running == 1);
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "commits with one number of two schedulers have nothing in common") {
  commit(1, 4, {slot_placement(1, 0, 0)});
  const auto reply = commit(2, 4, {slot_placement(2, 0, 0)});
  CHECK(granted.size() == 1);
  CHECK(reply.rejections.empty());
}

TEST_CASE_FIXTURE(owner_core_fixture, "an older commit that comes late is still decided on") {
  commit(1, 5, {slot_placement(1, 5, 0)});
  commit(1, 4, {slot_placement(1, 4, 0)});
  CHECK(granted.size() == 1);
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "a copy of a commit that is known to be answered grants nothing") {
  const std::vector<placement> wanted{slot_placement(1, 0, 0)};
  commit(1, 4, wanted);
  end(1, 0, 0);
  commit(1, 9, {slot_placement(1, 1, 0)}, 9); // says that 4 has been answered
  const auto reply = commit(1, 4, wanted);
  CHECK(granted.empty());
  CHECK(reply.id == 4);
  CHECK(owner.take_sample(0s).accepted == 2);
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "a machine of another owner has moved, and so has one that is none") {
  const auto reply = commit(1, 1, {slot_placement(1, 0, 2), slot_placement(1, 1, 999)});
  CHECK(granted.empty());
  REQUIRE(reply.rejections.size() == 2);
  for (const auto& r : reply.rejections) {
    CHECK(r.cause == conflict_cause::moved);
    CHECK(r.winner == no_scheduler);
    CHECK(r.free == resources{});
  }
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "task ends go to the scheduler whose tasks they were, numbered") {
  commit(0, 1, {slot_placement(1, 0, 0), slot_placement(1, 1, 0), slot_placement(1, 2, 4)});
  commit(2, 1, {slot_placement(2, 0, 5)});
  CHECK_FALSE(owner.has_news());
  end(1, 0, 0, 1s);
  end(2, 0, 5, 1s);
  end(1, 2, 4, 2s);
  CHECK(owner.has_news());
  const auto first = owner.reports(2s);
  CHECK_FALSE(owner.has_news());
  REQUIRE(first.size() == 2);
  CHECK(first[0].first == 0);
  CHECK(first[0].second.owner == 3);
  CHECK(first[0].second.number == 1);
  REQUIRE(first[0].second.ends.size() == 2);
  CHECK(first[0].second.ends[1].task == task_id{1, 2});
  CHECK(first[0].second.ends[1].at == 2s);
  CHECK(first[1].first == 2);
  CHECK(first[1].second.number == 1);
  CHECK(owner.reports(2s).empty());
  end(1, 1, 0, 3s);
  const auto second = owner.reports(3s);
  REQUIRE(second.size() == 1);
  CHECK(second[0].second.number == 2);
}

TEST_CASE_FIXTURE(owner_core_fixture, "reports are repeated until they have been seen") {
  commit(0, 1, {slot_placement(1, 0, 0), slot_placement(1, 1, 0), slot_placement(1, 2, 4)});
  end(1, 0, 0, 1s);
  owner.reports(1s);
  end(1, 1, 0, 2s);
  owner.reports(2s);
  CHECK(owner.has_unseen());
  CHECK(owner.overdue(2s, 2s).empty());
  const auto again = owner.overdue(3s, 2s);
  REQUIRE(again.size() == 1);
  CHECK(again[0].second.number == 1);
  CHECK(again[0].second.ends.size() == 1);
  owner.seen(0, 1, 4s);
  REQUIRE(owner.overdue(5s, 2s).size() == 1); // the second one
  CHECK(owner.overdue(6s, 2s).empty());
  end(1, 2, 4, 7s);
  CHECK(owner.reports(7s)[0].second.number == 3);
  // A commit says what has been seen, too.
  owner.commit({0, 2, 2, 3, {}}, granted, 8s);
  CHECK_FALSE(owner.has_unseen());
  CHECK(owner.overdue(99s, 2s).empty());
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "the end of a task that does not run here is counted and ignored") {
  commit(0, 1, {slot_placement(1, 0, 0)});
  end(1, 0, 5);
  end(1, 0, 2);
  end(1, 0, 999);
  end(1, 0, 0);
  end(1, 0, 0);
  const auto sample = owner.take_sample(0s);
  CHECK(sample.unknown_ends == 4);
  CHECK(sample.ended == 1);
  CHECK(owner.reports(0s)[0].second.ends.size() == 1);
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "a machine that is lost takes its tasks along, which is reported") {
  commit(0, 1, {slot_placement(1, 0, 5), slot_placement(1, 1, 0)});
  commit(1, 1, {slot_placement(2, 0, 5)});
  owner.remove(5, 4s);
  const auto reports = owner.reports(4s);
  REQUIRE(reports.size() == 2);
  for (const auto& [scheduler, report] : reports) {
    REQUIRE(report.ends.size() == 1);
    CHECK(report.ends[0].outcome == task_outcome::lost);
    CHECK(report.ends[0].machine == 5);
    CHECK(report.ends[0].at == 4s);
    CHECK(report.ends[0].task.job == scheduler + 1);
  }
  owner.remove(5, 5s);
  owner.remove(2, 5s);
  CHECK_FALSE(owner.has_news());
  const auto reply = commit(0, 2, {slot_placement(1, 2, 5)});
  REQUIRE(reply.rejections.size() == 1);
  CHECK(reply.rejections[0].cause == conflict_cause::gone);
  owner.restore(5, 0s);
  CHECK(commit(0, 3, {slot_placement(1, 2, 5)}).rejections.empty());
  CHECK(owner.inconsistent() == 0);
}

TEST_CASE_FIXTURE(owner_core_fixture, "a round sends each scheduler its partitions of this owner") {
  const auto plan = sync_plan::partitioned(1s, 3);
  commit(1, 6, {slot_placement(1, 0, 5)});
  // Partition p goes to scheduler (p + round) mod 3.
  const auto update = sync_of(owner, plan, 2, 1, 7s);
  CHECK(update.owner == 3);
  CHECK(update.round == 2);
  CHECK(update.commits_seen == 6);
  REQUIRE(update.partitions.size() == 1);
  CHECK(update.partitions[0].partition == 2);
  CHECK(update.partitions[0].taken_at == 7s);
  CHECK(update.partitions[0].free == std::vector<std::int32_t>{2, 1});
  CHECK(sync_of(owner, plan, 2, 2, 7s).partitions[0].partition == 0);
  CHECK(sync_of(owner, plan, 2, 2, 7s).commits_seen == 0);
  CHECK(sync_of(owner, plan, 2, 0, 7s).partitions.empty()); // partition 1 is of another owner
  CHECK(sync_of(owner, sync_plan::partitioned(1s, 1), 1, 0, 7s).partitions.size() == 2);
}

TEST_CASE_FIXTURE(owner_core_fixture,
                  "a sample integrates the use of capacity over time, and starts anew") {
  // Eight slots. Two are used from 1 s on, a third from 2 s to 4 s.
  commit(0, 1, {slot_placement(1, 0, 0), slot_placement(1, 1, 5)}, 1, 1s);
  commit(0, 2, {slot_placement(1, 2, 4)}, 1, 2s);
  end(1, 2, 4, 4s);
  auto sample = owner.take_sample(6s);
  CHECK(sample.seconds == doctest::Approx(6));
  CHECK(sample.used_seconds == doctest::Approx(0 + 0.25 + 2 * 0.375 + 2 * 0.25));
  CHECK(sample.accepted == 3);
  CHECK(sample.ended == 1);
  CHECK(sample.running == 2);
  CHECK(sample.machines == 4);
  CHECK(sample.capacity_weight == 4);
  CHECK(sample.over_capacity == 0);
  sample = owner.take_sample(8s);
  CHECK(sample.seconds == doctest::Approx(2));
  CHECK(sample.used_seconds == doctest::Approx(0.5));
  CHECK(sample.accepted == 0);
  CHECK(sample.running == 2);
  sample = owner.take_sample(8s);
  CHECK(sample.seconds == 0);
}

TEST_CASE("an owner integrates what of each resource is there, in use and stranded") {
  const catalog cpu{{{cpu_and_memory(4000, 8000), 1, 0}, {cpu_and_memory(4000, 8000), 1, 0}},
                    {{"default", {}}},
                    2,
                    cpu_and_memory(2000, 1000)};
  owner_core both{0, cpu, std::array<partition_id, 2>{0, 1}, 1, conflict_detection::fine};
  std::vector<granted_placement> granted;
  both.commit({0, 1, 1, 0, {{{1, 0}, 0, 0, cpu_and_memory(3000, 1000), 1s}}}, granted, 2s);
  const task_end ended{{1, 0}, 0, task_outcome::finished, 6s};
  both.end({&ended, 1}, 6s);
  const auto uses = both.take_sample(10s).resources;
  const auto& of_cpu = uses[static_cast<std::size_t>(resource::cpu)];
  CHECK(of_cpu.capacity == 8000 * 10);
  CHECK(of_cpu.used == 3000 * 4);
  CHECK(of_cpu.stranded == 1000 * 4);
  CHECK(of_cpu.utilization() == doctest::Approx(0.15));
  CHECK(of_cpu.fragmentation() == doctest::Approx(4.0 / 68));
  const auto& of_memory = uses[static_cast<std::size_t>(resource::memory)];
  CHECK(of_memory.stranded == 7000 * 4);
  CHECK(uses[static_cast<std::size_t>(resource::gpu)].capacity == 0);
  CHECK(both.take_sample(10s).resources[0].capacity == 0);
}

TEST_CASE("an owner that takes over integrates what it knows of, from when it knows of it") {
  const auto machines = slot_catalog({1, 1}, 1, 2);
  owner_core late{0,  machines, std::array<partition_id, 1>{0}, 1, conflict_detection::fine,
                  {}, 500s};
  late.remove(0, 500s);
  late.remove(1, 500s);
  CHECK(late.take_sample(501s).seconds == 0);
  late.restore(0, 502s);
  late.restore(1, 502s);
  CHECK(late.adopt({{1, 0}, 0, one_slot, 60s}, 0, 502s));
  const auto sample = late.take_sample(506s);
  CHECK(sample.seconds == doctest::Approx(4));
  CHECK(sample.used_seconds == doctest::Approx(1));
  const auto& slots = sample.resources[static_cast<std::size_t>(resource::slots)];
  CHECK(slots.capacity == 4 * 4);
  CHECK(slots.used == 4);
  CHECK(slots.utilization() == doctest::Approx(0.25));
}
