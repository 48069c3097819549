#pragma once

#include "actors/scheduler/scheduler_parts.hpp"
#include "support/best_score.hpp"
#include "support/model_builders.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <utility>
#include <vector>

namespace troupe::testing {

/// The limits of a scheduler that decides on four tasks at a time, in 2 ms each and 10 ms per job.
inline scheduler_limits small_limits(view_source source = view_source::snapshots) {
  scheduler_limits limits;
  limits.t_job = std::chrono::milliseconds{10};
  limits.t_task = std::chrono::milliseconds{2};
  limits.batch = 4;
  limits.source = source;
  return limits;
}

/// A one-slot task of a job, as it waits.
inline waiting_task waiting_one(const job& of, std::uint32_t index = 0) {
  waiting_task task;
  task.task = {of.id, index};
  task.demand = one_slot;
  task.of = &of;
  task.in = &of.groups.front();
  return task;
}

/// The parts of scheduler 5, of a cluster of two partitions, {0, 1} and {2, 3}, each with an owner
/// of its own, and two slots per machine. Machine 0 has the best score, then 2, 3 and 1.
struct scheduler_fixture {
  explicit scheduler_fixture(const scheduler_limits& limits = small_limits(),
                             std::vector<tenant_quota> tenants = {})
    : parts(5, machines, {0, 1}, std::make_unique<best_score>(told), limits, random_stream{1},
            instant{0}, 0, std::move(tenants)) {}

  catalog machines = slot_catalog({4, 1, 3, 2}, 2, 2);
  std::vector<placement_outcome> told;
  scheduler_parts parts;

  task_counts counts() const { return parts.counters.total(); }
  job_book& jobs() { return parts.waiting.jobs(); }

  void submit(job_id id, std::uint32_t tasks, bool gang = false) {
    auto j = slot_job(id, tasks);
    j.gang = gang;
    parts.intake.submit(std::move(j));
  }

  /// Decides on a batch and hands it out.
  std::vector<outgoing_commit> place(instant now = instant{0}) {
    REQUIRE(parts.decisions.decide(now, {}));
    return parts.sender.send_batch(now);
  }

  /// Has an owner grant all of a commit.
  std::vector<outgoing_commit> grant(const outgoing_commit& sent, instant now = instant{0}) {
    return parts.answers.book({sent.first, sent.second.id, {}}, now);
  }

  /// Has an owner refuse all of a commit.
  std::vector<outgoing_commit> refuse(const outgoing_commit& sent, instant now = instant{0}) {
    commit_reply reply{sent.first, sent.second.id, {}};
    for (std::uint32_t i = 0; i < sent.second.placements.size(); ++i)
      reply.rejections.push_back({i, conflict_cause::taken, 7, 0, {}});
    return parts.answers.book(reply, now);
  }

  void watch_failures(incarnation_id incarnation = 1) {
    parts.failover.emplace(5, incarnation, 2, std::vector<std::uint32_t>{0}, 0);
  }
};

} // namespace troupe::testing
