#pragma once

#include "actors/scheduler/commits/open_commits.hpp"
#include "actors/scheduler/commits/open_transactions.hpp"
#include "actors/scheduler/decisions/decided_batch.hpp"
#include "actors/scheduler/failover_books.hpp"
#include "actors/scheduler/queue/waiting_tasks.hpp"
#include "actors/scheduler/scheduler_counters.hpp"
#include "actors/scheduler/scheduler_setup.hpp"
#include "actors/scheduler/view/charged_view.hpp"
#include "actors/scheduler/view/held_offers.hpp"
#include "actors/scheduler/view/machine_capacities.hpp"
#include "model/base/random.hpp"
#include "model/records/record_outbox.hpp"
#include "model/view/placement_rules.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace troupe {

/// The state that several steps of a scheduler change, as classes that each keep their own part of
/// it consistent. They know each other little; a step brings them in line when a task changes its
/// place.
struct scheduler_tables {
  scheduler_tables(scheduler_id id, const catalog& machines, std::vector<owner_id> owner_of,
                   const scheduler_limits& limits, random_stream stream, instant now,
                   std::uint32_t own_group, std::vector<tenant_quota> tenants)
    : setup(id, machines, std::move(owner_of), limits),
      random(stream),
      recording(recording_of(setup)),
      counters(setup, own_group, now),
      charged(setup, std::move(tenants), now),
      rules(machines, limits.preferences, limits.share.reach()) {}

  scheduler_tables(const scheduler_tables&) = delete;
  scheduler_tables& operator=(const scheduler_tables&) = delete;

  scheduler_setup setup;
  random_stream random;
  std::optional<failover_books> failover;   ///< if failures are watched
  std::unique_ptr<record_outbox> recording; ///< of jobs and tasks; null: they are not recorded
  scheduler_counters counters;
  charged_view charged;
  placement_rules rules;
  machine_capacities capacities{setup, charged};
  waiting_tasks waiting{setup.limits, charged.tenants(), &setup.machines};
  held_offers offers{setup, charged};
  decided_batch batch{setup.most_at_a_time()};
  open_transactions transactions;
  open_commits commits{setup.id, setup.owners(), setup.machines.windows() != nullptr};

  /// The book of jobs and tasks, or null.
  record_book* records() { return recording ? &recording->book() : nullptr; }

  /// What watches a job; null unless one does.
  task_watch* watching(job_id job) { return recording ? recording->book().watching(job) : nullptr; }

private:
  static std::unique_ptr<record_outbox> recording_of(const scheduler_setup& setup) {
    if (setup.limits.records == record_level::none)
      return nullptr;
    return std::make_unique<record_outbox>(record_book{
      setup.limits.records, setup.id, setup.machines, setup.owner_of, setup.limits.watch});
  }
};

} // namespace troupe
