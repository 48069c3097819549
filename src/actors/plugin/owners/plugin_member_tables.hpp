#pragma once

#include "actors/plugin/owners/granted_runs.hpp"
#include "actors/plugin/owners/plugin_commits.hpp"
#include "actors/plugin/owners/plugin_member_setup.hpp"
#include "actors/plugin/owners/plugin_outbox.hpp"
#include "actors/plugin/plugin_books.hpp"
#include "actors/plugin/plugin_records.hpp"
#include "actors/scheduler/failover_books.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace troupe {

/// The state that several steps of a plugin's member change, as classes that each keep their own
/// part of it consistent. A step brings them in line when a task changes its place.
struct plugin_member_tables {
  plugin_member_tables(plugin_member_rules rules, const catalog& machines,
                       std::vector<owner_id> owner_of, instant now,
                       std::unique_ptr<plugin_records> recorded)
    : setup(std::move(rules), machines, std::move(owner_of)),
      books(setup.rules.group, setup.rules.warmup, now),
      records(std::move(recorded)) {}

  plugin_member_tables(const plugin_member_tables&) = delete;
  plugin_member_tables& operator=(const plugin_member_tables&) = delete;

  /// The counts of the group of a task, whose job is not over.
  group_counters::book& book_of(const task_id& task) { return books.of(task); }
  scheduler_sample& own_sample() { return books.counters().own(); }

  const plugin_member_setup setup;
  plugin_books books;
  std::unique_ptr<plugin_records> records; ///< null: none are kept
  failover_books failover{setup.rules.id, setup.rules.incarnation, setup.owners(),
                          setup.rules.stores, setup.rules.retries};
  plugin_commits commits{setup.rules.incarnation, setup.owners()};
  plugin_outbox told{setup.owners()};
  granted_runs granted;
};

} // namespace troupe
